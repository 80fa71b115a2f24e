// The program on a chain of the zoo, as a process of its own. Input: the node's address, a preset, and settings. Output: its
// GraphQL, and a wait until it has indexed and checked what there is.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'

export interface Program {
  /** The address of its page, and a key for it. */
  url: string
  key: string
  /** Answers of GraphQL; throws where there are errors. */
  ask<T>(query: string): Promise<T>
  /** The answer to a path under `/v1`. */
  get(path: string): Promise<{ status: number; headers: Headers; json: unknown }>
  /** Rows of the program's own database. */
  rows<T>(text: string): Promise<T[]>
  /** Waits until the block is indexed. */
  reach(block: number): Promise<void>
  /** Waits until the block is indexed and no check and no score is due. `nudge` mines a block: reports are stored between two. */
  settle(block: number, nudge?: () => Promise<void>): Promise<void>
  stop(): Promise<void>
}

const MAIN = new URL('../../src/main.ts', import.meta.url).pathname
const LOOK_MS = 400
const LONGEST_MS = 600_000
const children = new Set<ChildProcess>()
const folders = new Set<string>()
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

function run(args: readonly string[], environment: Record<string, string>): ChildProcess {
  const child = spawn(process.execPath, ['--import', 'tsx', MAIN, ...args], {
    env: { PATH: process.env.PATH ?? '', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.add(child)
  child.on('exit', (code) => {
    children.delete(child)
    if (code) process.stderr.write(`zoo: ${args[0]} ended with ${code}\n`)
  })
  return child
}

/** Waits for text of standard output that matches. What comes later is read and shown, since a program whose output nobody reads ends. */
function reads(child: ChildProcess, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let text: string | null = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      if (text === null) {
        process.stderr.write(`zoo: ${chunk}`)
        return
      }
      text += String(chunk)
      const found = pattern.exec(text)?.[1]
      if (!found) return
      text = null
      resolve(found)
    })
    child.once('exit', () => reject(new Error(`the program ended with: ${text}`)))
  })
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const DUE = `SELECT (SELECT max(number) FROM block) AS block,
  (SELECT count(*)::int FROM safety_due WHERE due_at <= (SELECT max(time) FROM block)) AS checks,
  (SELECT count(*)::int FROM score_due WHERE due_at <= (SELECT max(time) FROM block)) AS scores`

export async function startProgram(
  rpcUrl: string,
  preset: Record<string, unknown>,
  settings: Record<string, string>,
): Promise<Program> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-zoo-'))
  folders.add(folder)
  if (process.getuid?.() === 0) chmodSync(folder, 0o711)
  writeFileSync(join(folder, 'preset.json'), JSON.stringify(preset))
  const environment = {
    CHAIN_CONFIG: join(folder, 'preset.json'),
    DATA_DIR: join(folder, 'data'),
    PORT: '0',
    LOG_LEVEL: 'warn',
    RPC_URL: rpcUrl,
    ...settings,
  }
  const program = run(['serve', '--roles', 'api,index'], environment)
  const base = await reads(program, /REST +(http\S+)\/v1/)
  const keys = run(['keys', 'create', '--email', 'zoo@example.com', '--plan', 'api', '--quiet'], environment)
  const key = await reads(keys, /(\S{30,})\n/)
  const url = readFileSync(join(folder, 'data', 'postgres', 'url'), 'utf8').trim()
  const database = new pg.Pool({ connectionString: url, max: 1 })
  database.on('error', (error) => process.stderr.write(`zoo database: ${error.message}\n`))
  const isChecking = settings.CONTRACT_CHECKS !== 'off'
  return {
    ...{ url: base, key },
    async ask<T>(query: string) {
      const response = await fetch(`${base}/graphql`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ query }),
      })
      const { data, errors } = (await response.json()) as { data?: T; errors?: unknown }
      if (errors || !data) throw new Error(JSON.stringify(errors))
      return data
    },
    async get(path) {
      const response = await fetch(`${base}/v1${path}`, { headers: { authorization: `Bearer ${key}` } })
      return { status: response.status, headers: response.headers, json: await response.json() }
    },
    rows: async <T>(text: string) => (await database.query(text)).rows as T[],
    async reach(block) {
      const untilMs = performance.now() + LONGEST_MS
      const read = async () => (await database.query<{ block: number }>(DUE)).rows[0]?.block ?? 0
      while ((await read()) < block) {
        if (performance.now() > untilMs) throw new Error(`block ${block} was not indexed`)
        await pause(LOOK_MS / 8)
      }
    },
    async settle(block, nudge) {
      const untilMs = performance.now() + LONGEST_MS
      for (let still = 0; still < 4; ) {
        const [found] = (await database.query<{ block: number; checks: number; scores: number }>(DUE)).rows
        if (!found) continue
        const isIndexed = found.block >= block
        if (isIndexed && isChecking && found.checks > 0) await nudge?.()
        const isDone = isIndexed && found.scores === 0 && (!isChecking || found.checks === 0)
        still = isDone ? still + 1 : 0
        if (performance.now() > untilMs) throw new Error(`not settled at ${block}: ${JSON.stringify(found)}`)
        await pause(LOOK_MS)
      }
    },
    async stop() {
      await database.end()
      program.kill('SIGTERM')
      await once(program, 'exit')
      rmSync(folder, { recursive: true, force: true })
      folders.delete(folder)
    },
  }
}
