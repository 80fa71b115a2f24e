// SQL over many million events: the time of a query from `createSql`, with the start of its process and with its limits. A
// query of each kind is asked `--rounds` times. The events are those that the bench `history` draws; `--drawn FOLDER` keeps them.
// `--wallets N` is in millions. The database has names of the drawn tokens and wallets, and nothing else.
import { mkdtempSync, rmSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { systemClock } from '../../src/base/clock.ts'
import { openDatabase, type pg } from '../../src/database/client.ts'
import { migrate } from '../../src/database/migrate.ts'
import type { Segment } from '../../src/history/history.ts'
import { createParquetStore } from '../../src/history/parquet/store.ts'
import { createSql } from '../../src/sql/sql.ts'
import { findDatabase } from './database.ts'
import { countEvents, countOwners, DRAWN_ID, drawHistory } from './drawn-history.ts'
import { processorMs } from './processor.ts'

const { values: given } = parseArgs({
  options: {
    events: { type: 'string', default: '32' },
    wallets: { type: 'string', default: '0' },
    rounds: { type: 'string', default: '3' },
    folder: { type: 'string', default: tmpdir() },
    drawn: { type: 'string' },
    database: { type: 'string' },
  },
})
const EVENTS = Number(given.events) * 1_000_000

const QUERIES = [
  ['events by type', 'SELECT type, count(*) AS events, sum(amount_usd) AS usd FROM events GROUP BY type'],
  [
    'the 20 tokens with most volume',
    "SELECT token_address, sum(amount_usd) AS usd FROM events WHERE type = 'swap' GROUP BY token_address ORDER BY usd DESC LIMIT 20",
  ],
  [
    'volume by day',
    "SELECT timestamp::DATE AS day, sum(amount_usd) AS usd FROM events WHERE type = 'swap' GROUP BY day ORDER BY day",
  ],
  [
    'buyers and sellers by day',
    'SELECT timestamp::DATE AS day, direction, approx_count_distinct(wallet_address) AS wallets FROM events GROUP BY ALL',
  ],
  [
    'wallets by kind',
    'SELECT kind, count(*) AS wallets, avg(win_rate) AS wins, sum(realised_usd) AS usd FROM wallets GROUP BY kind',
  ],
  ['the 20 wallets with most profit', 'SELECT address, realised_usd FROM wallets ORDER BY realised_usd DESC LIMIT 20'],
] as const

const say = (line: string) => process.stdout.write(`${line}\n`)
const secondsSince = (startMs: number) => `${((performance.now() - startMs) / 1_000).toFixed(2)} s`

/** Rows of a table whose columns without a default have a plain value. */
async function fill(pool: pg.Pool, table: string, count: number, values: Readonly<Record<string, string>>) {
  const { rows } = await pool.query<{ name: string; type: string }>(
    `SELECT column_name AS name, data_type AS type FROM information_schema.columns
      WHERE table_schema = current_schema() AND table_name = $1 AND is_nullable = 'NO' AND column_default IS NULL`,
    [table],
  )
  const plain = (type: string) =>
    ({ boolean: 'true', text: "''", 'timestamp with time zone': 'to_timestamp(1700000000 + i % 1000000)' })[type] ?? '0'
  const columns = Object.fromEntries(rows.map(({ name, type }) => [name, plain(type)]))
  const all = Object.entries({ ...columns, ...values })
  await pool.query(`INSERT INTO ${table} (${all.map(([name]) => name).join(', ')})
    SELECT ${all.map(([, sql]) => sql).join(', ')} FROM generate_series(1, ${count}) i`)
  say(`${table}: ${count} rows`)
}

const address = (salt: string) => `'0x' || left(encode(sha256(('${salt}' || i)::bytea), 'hex'), 40)`

interface Names {
  tokens: number
  wallets: number
}

async function fillDatabase(pool: pg.Pool, segments: readonly Segment[], { tokens, wallets }: Names): Promise<void> {
  const newest = countEvents(segments) + 1_000
  await pool.query(
    `INSERT INTO chain (chain_id, name, start_block, source_head, finalized, history_id) VALUES (1, 'bench', 0, 9999999, 9999999, $1)`,
    [DRAWN_ID],
  )
  await fill(pool, 'block', 1, { number: '9999999', hash: "'0x1'", event_count: String(newest) })
  await fill(pool, 'token', tokens, {
    ...{ id: 'i', address: address('token'), symbol: `'T' || i`, decimals: '18' },
  })
  await fill(pool, 'wallet', wallets, {
    ...{ id: 'i', address: address('wallet'), kind: `CASE i % 9 WHEN 0 THEN 'contract' ELSE 'eoa' END` },
    ...{ realised_usd: 'random() * 1e6 - 5e5' },
  })
  for (const { name, firstN, lastN, firstBlock, lastBlock, firstTime, lastTime, bytes } of segments)
    await pool.query(
      `INSERT INTO history_segment (name, first_n, last_n, first_block, last_block, first_time, last_time, bytes)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [name, firstN, lastN, firstBlock, lastBlock, firstTime, lastTime, bytes],
    )
}

const ends: (() => unknown)[] = []
const own = mkdtempSync(join(given.folder, 'assay-sql-'))
ends.push(() => rmSync(own, { recursive: true, force: true }))
try {
  const folder = given.drawn ?? join(own, 'history')
  await mkdir(folder, { recursive: true })
  const segments = await drawHistory(folder, EVENTS, say)
  const drawn = await countOwners(folder, segments)
  const names = { ...drawn, wallets: Math.max(drawn.wallets, Number(given.wallets) * 1_000_000) }
  const database = openDatabase(await findDatabase(given.database, ends))
  ends.unshift(() => database.close())
  await migrate(database.pool)
  const { rows } = await database.pool.query('SELECT FROM chain')
  if (rows.length === 0) await fillDatabase(database.pool, segments, names)
  const store = createParquetStore({ folder, onFault: say, onRecovery: () => {} })
  ends.unshift(() => store.close())
  const sources = { pool: database.pool, history: store }
  const sql = createSql({ database: sources, folder: join(own, 'sql'), clock: systemClock })
  ends.unshift(() => sql.stop())
  const startMs = performance.now()
  await sql.run(1, 'SELECT 1 AS one')
  say(
    `a snapshot of ${names.tokens} tokens and ${names.wallets} wallets, and the first query: ${secondsSince(startMs)}`,
  )
  for (const [name, query] of QUERIES) {
    const [times, usedMs]: [string[], number] = [[], processorMs(process.pid)]
    for (let round = 0; round < Number(given.rounds); round += 1) {
      const begunMs = performance.now()
      const outcome = await sql.run(1, query).then(
        () => '',
        (error: Error) => ` (${error.message})`,
      )
      times.push(`${secondsSince(begunMs)}${outcome}`)
    }
    // With the start of the process for the next query.
    const spent = (processorMs(process.pid) - usedMs) / times.length / 1_000
    say(`${name}: ${times.join(', ')}; ${spent.toFixed(2)} s of processor time each; load ${loadavg()[0]?.toFixed(1)}`)
  }
} finally {
  for (const end of ends) await end()
}
process.exit(0)
