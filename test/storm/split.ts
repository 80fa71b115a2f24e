// `npm run storm -- split [--database URL]`: splits the tables of events and positions over two PostgreSQL servers
// by postgres_fdw, once by token and once by wallet. Takes the demo chain, or an indexed database. It only reads that
// database, except for a schema `one`, which it creates and drops. Prints the shards of each statement, and the cost of
// writing beside one server. Exits with 1 if an answer differs.
import { chmodSync, mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { readRecording } from '../../src/chain/replay/recording.ts'
import { startPrimary } from '../support/servers.ts'
import { indexTo } from './program.ts'
import { startStormSource } from './source.ts'
import { type Cost, compare, fillOne, fillShards, findSubjects, makeShards, statementsFor } from './split/rehearsal.ts'
import { openShards } from './split/servers.ts'

const { values } = parseArgs({ options: { database: { type: 'string' }, step: { type: 'string', default: '5000' } } })
const step = Number(values.step)
const say = (line: string) => process.stdout.write(`${line}\n`)
const folder = mkdtempSync(join(tmpdir(), 'assay-split-'))
const closing: (() => unknown)[] = []
async function close(): Promise<void> {
  for (const end of closing.splice(0).reverse()) await end()
}
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => void close().finally(() => process.exit(130)))

/** A server with the demo chain. */
async function indexDemo(): Promise<string> {
  const inside = join(folder, 'whole')
  mkdirSync(inside)
  chmodSync(inside, 0o755)
  const server = await startPrimary(inside)
  closing.push(server.kill)
  const source = await startStormSource(100)
  closing.push(source.close)
  const until = readRecording().blocks.length - 1
  source.release(until, until)
  await indexTo(until, { RPC_URL: source.url, DATABASE_URL: server.url })
  return server.url
}

const describe = (name: string, { rows, seconds, walBytes }: Cost, beside: Cost) =>
  `${name}: ${rows} rows, ${(walBytes / 2 ** 20).toFixed(1)} MiB of WAL (${(walBytes / beside.walBytes).toFixed(2)}), ` +
  `${seconds.toFixed(1)} s (${(seconds / beside.seconds).toFixed(2)})`

async function main(): Promise<boolean> {
  const opened = await openShards(folder)
  closing.push(opened.close)
  const whole = new pg.Pool({ connectionString: values.database ?? (await indexDemo()), max: 2 })
  whole.on('error', () => {})
  closing.push(() => whole.end())
  await makeShards(opened, whole)
  const one = await fillOne(whole, step)
  await whole.query('DROP SCHEMA one CASCADE')
  const byToken = await fillShards(opened, ['by_token'], step)
  const byWallet = await fillShards(opened, ['by_wallet'], step)
  const both = {
    rows: byToken.rows + byWallet.rows,
    seconds: byToken.seconds + byWallet.seconds,
    walBytes: byToken.walBytes + byWallet.walBytes,
  }
  say(describe('one server, all indexes', one, one))
  say(describe('two shards, by token', byToken, one))
  say(describe('the second copy, by wallet', byWallet, one))
  say(describe('both copies', both, one))
  const { token, wallet, met } = await findSubjects(whole)
  const findings = await compare(opened, whole, statementsFor(token, wallet, met))
  for (const { statement, touched, isSame, rows: count } of findings)
    say(`${isSame ? 'same ' : 'OTHER'} ${statement}: ${touched.join(', ') || 'none'} (${count} rows)`)
  return findings.every(({ isSame }) => isSame)
}

const isGood = await main().finally(close)
process.exit(isGood ? 0 : 1)
