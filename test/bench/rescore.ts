// `npm run bench -- rescore [--tokens N] [--wallets N] [--events N] [--revocable] [--database URL|FOLDER]`: measures
// the time, processor time and memory of scoring again. It fills an empty database with a market, scores it all, and
// adds a block that touches every token and wallet. `--revocable`: that block may be rolled back.
import { availableParallelism, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { tuneV8 } from '../../src/base/v8.ts'
import { type Database, openDatabase } from '../../src/database/client.ts'
import { migrate } from '../../src/database/migrate.ts'
import { createRescore } from '../../src/indexing/rescore.ts'
import { findDatabase } from './database.ts'
import { dueAll, loadMarket, touchAll } from './market.ts'
import { processorMs, readStat } from './processor.ts'

const { values } = parseArgs({
  options: {
    tokens: { type: 'string', default: '100000' },
    wallets: { type: 'string', default: '300000' },
    events: { type: 'string', default: '3000000' },
    database: { type: 'string' },
    revocable: { type: 'boolean', default: false },
  },
})
const sizes = { tokens: Number(values.tokens), wallets: Number(values.wallets), events: Number(values.events) }
const say = (line: string) => process.stdout.write(`${line}\n`)
const seconds = (from: number) => (performance.now() - from) / 1000
const count = (number: number) => Math.round(number).toLocaleString('en')

/** Processor seconds of the database server so far, all its processes together; null when it runs elsewhere. */
async function readServerCpu({ pool }: Database): Promise<number | null> {
  const { rows } = await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  const server = readStat(rows[0]?.pid ?? 0)?.parent
  return server ? processorMs(server) / 1_000 : null
}

async function measure(database: Database, name: string): Promise<void> {
  await database.pool.query(dueAll)
  await database.pool.query('CHECKPOINT')
  const phases = { ms: 0, walletMs: 0 }
  const log = { debug: (fields: unknown) => void Object.assign(phases, fields) }
  const rescore = createRescore({ database, preset: { sectors: {} }, log: log as never })
  const [serverBefore, before, started] = [await readServerCpu(database), process.cpuUsage(), performance.now()]
  const { tokens, wallets } = await rescore.run()
  const time = seconds(started)
  const used = process.cpuUsage(before)
  const serverAfter = await readServerCpu(database)
  const own = (used.user + used.system) / 1e6
  const server = serverBefore === null || serverAfter === null ? null : serverAfter - serverBefore
  const walletS = phases.walletMs / 1000
  say(
    `${name}: ${count(tokens)} tokens and ${count(wallets)} wallets in ${time.toFixed(1)} s ` +
      `(${count(wallets / walletS)} wallets/s in ${walletS.toFixed(1)} s, then ${count(tokens / (time - walletS))} tokens/s in ${(time - walletS).toFixed(1)} s)`,
  )
  say(
    `  processor time: ${own.toFixed(1)} s program, ${server === null ? 'not known' : `${server.toFixed(1)} s`} database; ` +
      `resident memory at most ${Math.round(process.resourceUsage().maxRSS / 1024)} MB; load ${loadavg()[0]?.toFixed(1)}`,
  )
}

/** Runs in one session, because the statements use a temporary table. */
async function touch({ pool }: Database): Promise<void> {
  const client = await pool.connect()
  const { rows } = await client.query<{ tokens: number }>('SELECT token_count AS tokens FROM block')
  const filled = { ...sizes, tokens: rows[0]?.tokens ?? sizes.tokens }
  for (const statement of touchAll(filled, !values.revocable)) await client.query(statement)
  client.release()
}

const ends: (() => unknown)[] = []
const stop = async () => {
  for (const end of ends.splice(0)) await end()
}
process.once('SIGINT', () => void stop().then(() => process.exit(130)))

async function run(): Promise<void> {
  tuneV8()
  const database = openDatabase(await findDatabase(values.database, ends))
  ends.unshift(() => database.close())
  await migrate(database.pool)
  if ((await database.pool.query('SELECT FROM block LIMIT 1')).rowCount === 0) {
    const started = performance.now()
    await loadMarket(database.pool, sizes)
    say(
      `${sizes.tokens} tokens, ${sizes.wallets} wallets, ${sizes.events} events: filled in ${seconds(started).toFixed(0)} s`,
    )
    say(`${availableParallelism()} cores`)
    await measure(database, 'first scores')
  }
  await touch(database)
  await measure(database, 'scored again')
}

try {
  await run()
} finally {
  await stop()
}
