// `npm run bench -- answers [run|load]`: measures the goals of speed. Without a database it creates one, in TEST_DATABASE_URL's
// server or in its own embedded one.
import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { Command, InvalidArgumentError } from 'commander'
import pg from 'pg'
import { migrate } from '../../src/database/migrate.ts'
import { findDatabase } from './database.ts'
import { loadLedger, type Sizes } from './load.ts'
import { PARTS, type PartOptions } from './parts.ts'
import { say } from './report.ts'

const ends: (() => unknown)[] = []

/** What an empty database of `--beside` is filled with. */
const FEWER: Sizes = { tokens: 10_000, wallets: 20_000, events: 50_000 }

interface Options extends Sizes {
  database?: string
  beside?: string
  rounds: number
  seconds: number
  route?: string
  cpuProf?: string
  only?: string[]
}

function whole(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1.')
  return Number(text)
}

function readParts(text: string): string[] {
  const names = text.split(',')
  const known = Object.keys(PARTS)
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined) throw new InvalidArgumentError(`There is no ${unknown}: name some of ${known.join(', ')}.`)
  return names
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

/** The parts that are measured: all, unless something else is asked for. */
const partsOf = ({ only, route }: Options): string[] => only ?? (route ? ['cold'] : Object.keys(PARTS))

const commitOf = () => spawnSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).stdout?.trim() ?? ''

async function run(options: Options): Promise<void> {
  const { database, beside, rounds, seconds, route = '', cpuProf, ...asked } = options
  const url = await findDatabase(database, ends)
  const sizes = await fill(url, asked)
  const fewer = beside ? { url: beside, sizes: await fill(beside, FEWER) } : null
  const part: PartOptions = {
    ends,
    url,
    sizes,
    fewer,
    rounds,
    seconds,
    cpuProf,
    isWanted: (name) => name.includes(route),
  }
  say(
    `${describe(sizes)}; ${availableParallelism()} cores; Node ${process.version}; commit ${commitOf()}; ${rounds} rounds of ${seconds} s in alternation, medians`,
  )
  for (const name of partsOf(options)) await PARTS[name]?.(part)
}

const program = new Command('bench').description('Measures the goals of speed, or fills a database for it.')
const sized = (command: Command, description: string) =>
  command
    .description(description)
    .option('--tokens <number>', 'tokens of an empty database', whole, 50_000)
    .option('--wallets <number>', 'wallets of an empty database', whole, 100_000)
    .option('--events <number>', 'events of an empty database', whole, 500_000)

sized(program.command('run', { isDefault: true }), 'Measure everything beside what it is held to.')
  .option('--database <url>', 'a filled or an empty database (default: a new one)')
  .option('--beside <url>', 'a database with fewer tokens, or an empty one, which lists are compared with')
  .option('--rounds <number>', 'counted rounds', whole, 5)
  .option('--seconds <number>', 'seconds per server and round', whole, 3)
  .option('--route <text>', 'only routes whose name contains this, beside the hand-written server')
  .option('--only <parts>', `only these parts: ${Object.keys(PARTS).join(', ')}`, readParts)
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
