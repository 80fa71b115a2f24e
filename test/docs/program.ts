// The program as a newcomer starts it: on the demo chain, in its own folder and process. Only the database is the
// tests' server, so that no second PostgreSQL is needed. It has the demo chain with its scores already.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { programEntry } from '../support/build.ts'
import type { TestDatabase } from '../support/database.ts'
import { untilThere } from '../support/patience.ts'

export interface RunningProgram {
  /** Without a slash at the end. */
  address: string
  /** Where it was started: `.assay` is here. */
  folder: string
  environment: Record<string, string>
  stop(): Promise<void>
}

const UNSET = ['RPC_URL', 'REDIS_URL', 'CHAIN_CONFIG', 'START_BLOCK', 'SMTP_URL', 'PUBLIC_URL', 'TRUST_PROXY']

/** Starts it on a database of the indexed demo chain, and waits until it is ready: its contracts are checked then. */
export async function startProgram(database: TestDatabase): Promise<RunningProgram> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-docs-'))
  const environment = {
    ...Object.fromEntries(Object.entries(process.env).flatMap(([name, value]) => (value ? [[name, value]] : []))),
    ...{
      PORT: '0',
      DATA_DIR: join(folder, '.assay'),
      DATABASE_URL: database.url,
      LOG_LEVEL: 'warn',
      DEMO: 'still',
      SQL: 'on',
    },
    ASSAY: programEntry().join(' '),
  }
  for (const name of UNSET) Reflect.deleteProperty(environment, name)
  const child = spawn(process.execPath, [...programEntry(), 'serve'], {
    cwd: folder,
    env: environment,
  })
  const address = await readAddress(child)
  const isReady = async () => (await fetch(`${address}/readyz`)).ok
  await untilThere(isReady, () => 'the program is not ready')
  const stop = async () => {
    child.kill('SIGTERM')
    if (child.exitCode === null) await once(child, 'exit')
    rmSync(folder, { recursive: true, force: true })
  }
  return { address, folder, environment, stop }
}

function readAddress(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    const hear = (chunk: Buffer) => {
      said += chunk
      const address = /^ {2}REST +(http\S+)\/v1$/m.exec(said)?.[1]
      if (address && said.includes('Another key')) resolve(address)
    }
    child.stdout?.on('data', hear)
    child.stderr?.on('data', hear)
    child.once('exit', () => reject(new Error(`the program ended: ${said}`)))
  })
}
