// `npm run bench -- [run|load]`: measures the requests per second of each REST route, next to a hand-written server on
// the same database. Without a database it creates one, in TEST_DATABASE_URL's server or in its own embedded one.
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Command, InvalidArgumentError } from 'commander'
import pg from 'pg'
import { createKeyring } from '../../src/access/keyring.ts'
import { systemClock } from '../../src/base/clock.ts'
import { migrate } from '../../src/database/migrate.ts'
import { type Comparison, compare, race, read, routesOf, type Server, warmPathsOf } from './compare.ts'
import { findDatabase } from './database.ts'
import { loadLedger, type Sizes } from './load.ts'

/** Limits that are counted but never reached. */
const UNREACHABLE = 2_000_000_000

const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const say = (line: string) => process.stdout.write(`${line}\n`)
const ends: (() => unknown)[] = []

interface Options extends Sizes {
  database?: string
  rounds: number
  seconds: number
  route?: string
  cpuProf?: string
  warm?: boolean
}

function whole(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1.')
  return Number(text)
}

/** Migrates the database, and fills it if it is empty. */
async function fill(url: string, sizes: Sizes): Promise<Sizes> {
  const pool = new pg.Pool({ connectionString: url })
  try {
    await migrate(pool)
    const { rows } = await pool.query<Sizes & { size: string }>(
      `SELECT token_count AS tokens, wallet_count - token_count AS wallets, event_count::float8 AS events FROM block ORDER BY number DESC LIMIT 1`,
    )
    const [found] = rows
    if (found) return found
    const started = performance.now()
    await loadLedger(pool, sizes)
    say(`loaded in ${((performance.now() - started) / 1000).toFixed(0)} s`)
    return sizes
  } finally {
    await pool.end()
  }
}

const describe = ({ tokens, wallets, events }: Sizes) =>
  `${[tokens, wallets, events].map((count) => count.toLocaleString('en')).join(' / ')} tokens / wallets / events`

/** Starts a server; resolves with the address that it prints. */
async function start(args: readonly string[], environment: NodeJS.ProcessEnv, address: RegExp): Promise<string> {
  const child: ChildProcess = spawn(process.execPath, args, { env: environment, stdio: ['ignore', 'pipe', 'ignore'] })
  ends.unshift(() => end(child))
  return new Promise((resolve, reject) => {
    let said = ''
    child.once('exit', (code) => reject(new Error(`${args.join(' ')} ended with ${code}`)))
    child.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      const found = address.exec(said)?.[1]
      if (found) resolve(found)
    })
  })
}

const end = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null) return resolve()
    child.once('exit', () => resolve())
    child.kill('SIGTERM')
  })

/** Our server as it is deployed: the build, with the key's limits counted and every request logged. */
async function startOurs(url: string, cpuProf: string | undefined) {
  const program = pathOf('../../dist/main.js')
  if (!existsSync(program)) throw new Error('There is no build: run `npm run build` first.')
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  const terms = { plan: 'api' as const, requestsPerMinute: UNREACHABLE, requestsPerDay: UNREACHABLE }
  const { key } = await createKeyring(pool, systemClock).create({ email: 'bench@localhost', name: 'bench', ...terms })
  await pool.end()
  const environment = { ...process.env, DATABASE_URL: url, PORT: '0', REDIS_URL: '' }
  const profiling = cpuProf ? ['--cpu-prof', `--cpu-prof-dir=${cpuProf}`] : []
  const args = [...profiling, program, 'serve', '--roles', 'api']
  const origin = await start(args, environment, /REST +(http:\S+)\/v1/)
  return { origin, headers: { authorization: `Bearer ${key}` } }
}

async function startYardstick(url: string) {
  const args = ['--import', 'tsx', pathOf('baseline.ts'), url]
  const port = await start(args, { ...process.env, NODE_ENV: 'production' }, /^(\d+)\n/)
  return { origin: `http://127.0.0.1:${port}`, headers: {} }
}

/** An Express app that answers these paths with what we answer now. */
async function startConstant(ours: Server, paths: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'))
  ends.unshift(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'values.json')
  const values = await Promise.all(paths.map(async (path) => [path, await read(ours, path)] as const))
  writeFileSync(file, JSON.stringify(Object.fromEntries(values)))
  const args = ['--import', 'tsx', pathOf('constant.ts'), file]
  const port = await start(args, { ...process.env, NODE_ENV: 'production' }, /^(\d+)\n/)
  return { origin: `http://127.0.0.1:${port}`, headers: {} }
}

const HEADINGS = ['route', 'ours/s', 'yardstick/s', 'ratio', 'p50 ms', 'p99 ms']

const cellsOf = ({ route, ours, yardstick, ratio, p50Ms, p99Ms }: Comparison) =>
  [route, ours.toFixed(0), yardstick.toFixed(0), ratio.toFixed(2), p50Ms, p99Ms].map(String)

const lineOf = (cells: readonly string[]) =>
  cells.map((cell, column) => (column === 0 ? cell.padEnd(28) : cell.padStart(12))).join('')

async function run({ database, rounds, seconds, route, cpuProf, warm, ...asked }: Options): Promise<void> {
  const url = await findDatabase(database, ends)
  const sizes = await fill(url, asked)
  const ours = await startOurs(url, cpuProf)
  const paths = warm ? warmPathsOf(sizes) : {}
  const yardstick = warm ? await startConstant(ours, Object.values(paths)) : await startYardstick(url)
  say(`${describe(sizes)}; ${availableParallelism()} cores; ${rounds} rounds of ${seconds} s in alternation, medians`)
  say(lineOf(HEADINGS))
  for (const [name, path] of Object.entries(paths)) {
    if (route && !name.includes(route)) continue
    say(lineOf(cellsOf(await race(ours, yardstick, name, [path], { rounds, seconds }))))
  }
  if (warm) return
  for (const each of routesOf(sizes)) {
    if (route && !each.name.includes(route)) continue
    say(lineOf(cellsOf(await compare(ours, yardstick, each, { rounds, seconds }))))
  }
}

const program = new Command('bench').description('Measures the REST routes, or fills a database for it.')
const sized = (command: Command, description: string) =>
  command
    .description(description)
    .option('--tokens <number>', 'tokens of an empty database', whole, 50_000)
    .option('--wallets <number>', 'wallets of an empty database', whole, 100_000)
    .option('--events <number>', 'events of an empty database', whole, 500_000)

sized(program.command('run', { isDefault: true }), 'Compare each route with the hand-written server.')
  .option('--database <url>', 'a filled or an empty database (default: a new one)')
  .option('--rounds <number>', 'counted rounds', whole, 5)
  .option('--seconds <number>', 'seconds per server and round', whole, 3)
  .option('--route <text>', 'only routes whose name contains this')
  .option('--warm', 'ask for the same again and again, beside an Express app that sends constant JSON')
  .option('--cpu-prof <folder>', 'profile our server into this folder')
  .action(run)
sized(program.command('load'), 'Fill an empty database.')
  .requiredOption('--database <url>', 'the database')
  .action(async ({ database, ...sizes }: Sizes & { database: string }) => {
    say(describe(await fill(database, sizes)))
  })

let interrupted = false
process.once('SIGINT', () => {
  interrupted = true
  void stop().then(() => process.exit(130))
})

async function stop(): Promise<void> {
  for (const part of ends.splice(0)) await part()
}

try {
  await program.parseAsync()
} catch (error) {
  if (!interrupted) process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
} finally {
  await stop()
}
