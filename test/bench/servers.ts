// The servers that are measured: ours as it is deployed, and the one beside it. Each prints its address or port.
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { createKeyring } from '../../src/access/keyring.ts'
import { systemClock } from '../../src/base/clock.ts'
import type { Server } from './compare.ts'

/** Limits that are counted but never reached. */
const UNREACHABLE = 2_000_000_000
const REST = /REST +(http:\S+)\/v1/
const PORT = /^(\d+)\n/

const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url))
export const PROGRAM = pathOf('../../dist/main.js')

/** The parts that are stopped at the end, from first to last. */
export type Ends = (() => unknown)[]

export interface Started extends Server {
  child: ChildProcess
}

/** Starts a server; resolves when it has printed its address. */
async function start(
  ends: Ends,
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  address: RegExp,
): Promise<{ child: ChildProcess; address: string }> {
  const child = spawn(process.execPath, args, { env: environment, stdio: ['ignore', 'pipe', 'ignore'] })
  ends.unshift(() => end(child))
  return { child, address: await hear(child, address) }
}

/** Characters of a program's output that are kept while a line is awaited. */
const LONGEST_LINE = 10_000

/**
 * Waits for a line of standard output, and returns the first group of the pattern. The rest is read, too: the program
 * ends where nobody reads it.
 */
export function hear(child: ChildProcess, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    child.once('exit', (code) => reject(new Error(`${child.spawnargs.join(' ')} ended with ${code}: ${said}`)))
    child.stdout?.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-LONGEST_LINE)
      const found = pattern.exec(said)?.[1]
      if (found) resolve(found)
    })
  })
}

export const end = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve()
    child.once('exit', () => resolve())
    child.kill('SIGTERM')
  })

/** Our server as it is deployed: the build, with the key's limits counted and every request logged. */
export async function startOurs(ends: Ends, url: string, nodeOptions: readonly string[] = []): Promise<Started> {
  if (!existsSync(PROGRAM)) throw new Error('There is no build: run `npm run build` first.')
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  const { key } = await createKeyring(pool, systemClock).create({
    email: 'bench@localhost',
    name: 'bench',
    plan: 'api',
    requestsPerMinute: UNREACHABLE,
    requestsPerDay: UNREACHABLE,
  })
  await pool.end()
  const environment = { ...process.env, DATABASE_URL: url, PORT: '0', REDIS_URL: '' }
  const { child, address } = await start(ends, [...nodeOptions, PROGRAM, 'serve', '--roles', 'api'], environment, REST)
  return { child, origin: address, headers: { authorization: `Bearer ${key}` } }
}

export async function startYardstick(ends: Ends, url: string): Promise<Started> {
  const program = ['--import', 'tsx', pathOf('baseline.ts'), url]
  const { child, address } = await start(ends, program, { ...process.env, NODE_ENV: 'production' }, PORT)
  return { child, origin: `http://127.0.0.1:${address}`, headers: {} }
}
