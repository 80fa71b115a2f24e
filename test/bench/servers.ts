// The servers that are measured: ours as it is deployed, and those that stand beside it. Each prints its address or port.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { createKeyring } from '../../src/access/keyring.ts'
import { systemClock } from '../../src/base/clock.ts'
import { read, type Server } from './compare.ts'

/** Limits that are counted but never reached. */
const UNREACHABLE = 2_000_000_000
const REST = /REST +(http:\S+)\/v1/
const PORT = /^(\d+)\n/

const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url))
export const PROGRAM = pathOf('../../dist/main.js')

/** Node's options that make a server profile itself for its parent. */
export const PROFILING = ['--import', pathOf('profiler.mjs')]

/** The parts that are stopped at the end, from first to last. */
export type Ends = (() => unknown)[]

export interface Started extends Server {
  child: ChildProcess
}

/** Starts a server; resolves when it has printed its address. */
export async function start(
  ends: Ends,
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  address: RegExp,
): Promise<{ child: ChildProcess; address: string }> {
  // Only a server that is profiled is spoken to.
  const speaks = args.some((arg) => PROFILING.includes(arg)) ? ['ipc' as const] : []
  const child = spawn(process.execPath, args, { env: environment, stdio: ['ignore', 'pipe', 'ignore', ...speaks] })
  ends.unshift(() => end(child))
  return new Promise((resolve, reject) => {
    let said = ''
    child.once('exit', (code) => reject(new Error(`${args.join(' ')} ended with ${code}`)))
    child.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      const found = address.exec(said)?.[1]
      if (found) resolve({ child, address: found })
    })
  })
}

export const end = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve()
    child.once('exit', () => resolve())
    child.kill('SIGTERM')
  })

export interface Ours extends Started {
  /** The same server, for an account without limits. */
  unlimited: Server
}

/** Our server as it is deployed: the build, with the key's limits counted and every request logged. */
export async function startOurs(ends: Ends, url: string, nodeOptions: readonly string[] = []): Promise<Ours> {
  if (!existsSync(PROGRAM)) throw new Error('There is no build: run `npm run build` first.')
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  const keyring = createKeyring(pool, systemClock)
  const headersFor = async (email: string, limits: { requestsPerMinute?: number; requestsPerDay?: number }) => {
    const { key } = await keyring.create({ email, name: 'bench', plan: 'api', ...limits })
    return { authorization: `Bearer ${key}` }
  }
  const headers = await headersFor('bench@localhost', { requestsPerMinute: UNREACHABLE, requestsPerDay: UNREACHABLE })
  const unlimited = await headersFor('unlimited@localhost', {})
  await pool.end()
  const environment = { ...process.env, DATABASE_URL: url, PORT: '0', REDIS_URL: '' }
  const { child, address } = await start(ends, [...nodeOptions, PROGRAM, 'serve', '--roles', 'api'], environment, REST)
  return { child, origin: address, headers, unlimited: { origin: address, headers: unlimited } }
}

const startPlain = async (ends: Ends, args: readonly string[]): Promise<Started> => {
  const { child, address } = await start(ends, args, { ...process.env, NODE_ENV: 'production' }, PORT)
  return { child, origin: `http://127.0.0.1:${address}`, headers: {} }
}

export const startYardstick = (ends: Ends, url: string): Promise<Started> =>
  startPlain(ends, ['--import', 'tsx', pathOf('baseline.ts'), url])

/** An Express app that answers these paths with what we answer now. */
export async function startConstant(ends: Ends, ours: Server, paths: readonly string[]): Promise<Started> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'))
  ends.unshift(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'values.json')
  const values = await Promise.all(paths.map(async (path) => [path, await read(ours, path)] as const))
  writeFileSync(file, JSON.stringify(Object.fromEntries(values)))
  return startPlain(ends, ['--import', 'tsx', pathOf('constant.ts'), file])
}

const postgraphile = pathOf('postgraphile/')
/** The least major version of Node that PostGraphile 5 runs on. */
const POSTGRAPHILE_NODE = 22

/** PostGraphile on the same database; null where it cannot be installed, or where Node is too old for it. */
export async function startPostgraphile(ends: Ends, url: string): Promise<Started | null> {
  if (Number.parseInt(process.versions.node, 10) < POSTGRAPHILE_NODE) return null
  const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock']
  const isThere =
    existsSync(`${postgraphile}node_modules/postgraphile`) ||
    spawnSync('npm', install, { cwd: postgraphile, stdio: 'ignore' }).status === 0
  return isThere ? startPlain(ends, [`${postgraphile}server.mjs`, url]) : null
}
