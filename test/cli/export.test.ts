// `export TABLE`: the files hold exactly what the database has, whoever reads them.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { toMeaning, toPrintedUsd } from '../../src/base/amount.ts'
import { systemClock } from '../../src/base/clock.ts'
import type { Context } from '../../src/cli/context.ts'
import { FORMATS } from '../../src/export/encoder.ts'
import { EVENT_TABLE } from '../../src/export/events.ts'
import type { Manifest } from '../../src/export/manifest.ts'
import { readSlices, TABLE_NAMES } from '../../src/export/table.ts'
import { TABLES } from '../../src/export/tables.ts'
import { readHead } from '../../src/ledger/head.ts'
import { readCandles } from '../../src/ledger/read/candle.ts'
import { ALL_EVENTS, readFeed, toSentEvent } from '../../src/ledger/read/event-feed.ts'
import { readWalletsById } from '../../src/ledger/read/wallet.ts'
import { programEntry } from '../support/build.ts'
import { runCommand } from '../support/context.ts'
import { createStoppedDemo } from '../support/demo.ts'
import { findDuckDb } from '../support/duckdb.ts'
import { makeFolder } from '../support/folder.ts'
import { openGraph, SOMEBODY } from '../support/graph.ts'
import { readingOf } from '../support/reading.ts'

const database = await createStoppedDemo()
const duckDb = await findDuckDb()

const run = (args: readonly string[], changes: Partial<Context> = {}) =>
  runCommand(['export', ...args], { DATABASE_URL: database.url }, changes)

/** The rows of an exported table, in the order of the files. */
const readBack = (out: string, table: string, order: string) =>
  duckDb!(`SELECT * FROM read_parquet('${out}/${table}/*/*.parquet', hive_partitioning = false) ORDER BY ${order}`)

const toTime = (text: unknown) => new Date(String(text).replace(' ', 'T').replace('+00', 'Z')).toISOString()

/** Every file of a folder by its path, without the manifest. */
const filesIn = (folder: string) =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.(parquet|csv)$/.test(path))
      .sort()
      .map((path) => [path, readFileSync(join(folder, path)).toString('base64')]),
  )

const manifestOf = (folder: string) => JSON.parse(readFileSync(join(folder, '_manifest.json'), 'utf8')) as Manifest

const needsDuckDb = test.skipIf(!duckDb)
if (!duckDb) test.skip('DuckDB has no binary for this machine', () => {})

needsDuckDb('DuckDB reads the events of final blocks as streams send them', async () => {
  const out = makeFolder('export')
  expect(await run(['events', '--out', out])).toMatchObject({ code: 0, complaints: [] })
  const rows = await readBack(out, 'events', 'block_number, log_index, id')
  const final = await readFinal()
  const { events } = await readFeed(database.pool, { above: 0, below: null }, 100_000, ALL_EVENTS)
  const sent = events.filter(({ timestamp }) => timestamp < final).map((event) => toSentEvent(event, false))
  expect(rows.length).toBeGreaterThan(5_000)
  const exported = rows.map(({ pool_address: pool = null, counterparty_address: counterparty = null, ...row }) => ({
    ...{ ...row, pool, counterparty, timestamp: toTime(row.timestamp) },
    retracted: false,
  }))
  expect(exported).toEqual(sent.map((event) => expect.objectContaining(event)))
})

needsDuckDb('DuckDB reads the tokens as GraphQL shows them, and raw amounts to the last digit', async () => {
  const out = makeFolder('export')
  expect(await run(['tokens', '--out', out])).toMatchObject({ code: 0, complaints: [] })
  const rows = await readBack(out, 'tokens', 'address')
  const graph = await openGraph(database)
  try {
    const { data } = await graph.execute(
      `{ tokens(first: 100) { total nodes { address name symbol decimals price_usd: priceUsd market_cap_usd: marketCapUsd
        liquidity_usd: liquidityUsd volume_24h_usd: volume24hUsd depth_2pct_usd: depth2PctUsd raw_supply: rawSupply
        raw_burned: rawBurned raw_locked: rawLocked holder_count: holderCount funded_holder_count: fundedHolderCount
        risk_score: riskScore risk_level: riskLevel risk_flags: riskFlags launchpad } } }`,
      {},
      SOMEBODY,
    )
    const { nodes: items, total } = (data as { tokens: unknown }).tokens as {
      nodes: Record<string, unknown>[]
      total: number
    }
    const byAddress = items.sort((a, b) => (String(a.address) < String(b.address) ? -1 : 1))
    expect(rows).toHaveLength(total)
    const rounded = rows.map((row) =>
      Object.fromEntries(
        Object.keys(byAddress[0]!).map((name) => {
          const value = row[name] ?? null
          if (typeof value !== 'number' || Number.isInteger(value)) return [name, value]
          const round = name === 'price_usd' || name === 'risk_score' ? toMeaning : toPrintedUsd
          return [name, round(value)]
        }),
      ),
    )
    expect(rounded).toEqual(byAddress)
  } finally {
    await graph.head.stop()
  }
})

/** The time of the newest final block: the oldest that the index keeps. */
const readFinal = async () =>
  (await database.pool.query<{ time: Date }>('SELECT min(time) AS time FROM block')).rows[0]!.time

const readIds = async (table: 'token' | 'wallet') =>
  (await database.pool.query<{ id: number; address: string }>(`SELECT id, address FROM ${table} WHERE indexed`)).rows

needsDuckDb('DuckDB reads the candles of whole final hours as the API shows them', async () => {
  const out = makeFolder('export')
  expect(await run(['candles', '--out', out])).toMatchObject({ code: 0, complaints: [] })
  const rows = await readBack(out, 'candles', 'token_address, start')
  const tokens = await readIds('token')
  const last = Math.floor((await readFinal()).getTime() / 3_600_000) - 1
  const ranges = tokens.map(({ id }) => ({ id, interval: 'h1', first: 0, last, fill: false }) as const)
  const lists = await readCandles(readingOf(database.pool, await readHead(database.pool)), ranges)
  const stored = lists.flatMap((candles, at) => candles.map((candle) => ({ ...candle, address: tokens[at]!.address })))
  expect(rows.length).toBeGreaterThan(500)
  expect(rows).toHaveLength(stored.length)
  const keyOf = (address: unknown, start: string) => `${address} ${start}`
  const byKey = new Map(stored.map((candle) => [keyOf(candle.address, candle.start.toISOString()), candle]))
  for (const row of rows) {
    const candle = byKey.get(keyOf(row.token_address, toTime(row.start)))
    expect([row.open_usd, row.high_usd, row.low_usd, row.close_usd, row.open_quote, row.close_quote]).toEqual([
      ...[candle?.openUsd, candle?.highUsd, candle?.lowUsd, candle?.closeUsd, candle?.openQuote, candle?.closeQuote],
    ])
    expect([row.volume_usd, row.buy_volume_usd, row.buy_count, row.sell_count, row.holder_count]).toEqual([
      ...[candle?.volumeUsd, candle?.buyVolumeUsd, candle?.buyCount, candle?.sellCount, candle?.holderCount],
    ])
  }
})

needsDuckDb('DuckDB reads the history of scores in final blocks as the ledger has it', async () => {
  const out = makeFolder('export')
  expect(await run(['scores', '--out', out])).toMatchObject({ code: 0, complaints: [] })
  const rows = await readBack(out, 'scores', 'subject, address, block_number')
  const { rows: stored } = await database.pool.query(
    `SELECT CASE p.kind WHEN 1 THEN 'token' ELSE 'wallet' END AS subject, coalesce(t.address, w.address) AS address,
       p.block_number, p.time AS timestamp, p.score, p.level, p.flags, p.details[1:4] AS details FROM score_point p
     LEFT JOIN token t ON p.kind = 1 AND t.id = p.id LEFT JOIN wallet w ON p.kind = 2 AND w.id = p.id
     WHERE p.time < $1 ORDER BY 1, coalesce(t.address, w.address) COLLATE "C", 3`,
    [await readFinal()],
  )
  expect(rows.length).toBeGreaterThan(50)
  const exported = rows.map((row) => {
    const { subject, address, block_number, score, level, flags } = row
    const ofToken = ['holder_concentration', 'liquidity_stability', 'wash_trade', 'smart_money_flow']
    const ofWallet = [row.realised_usd, row.open_usd, row.net_worth_usd]
    const details = subject === 'token' ? ofToken.map((name) => row[`${name}_score`]) : ofWallet
    return { subject, address, block_number, timestamp: new Date(toTime(row.timestamp)), score, level, flags, details }
  })
  expect(exported).toEqual(stored)
})

needsDuckDb('DuckDB reads the wallets as the ledger reads them for the API', async () => {
  const out = makeFolder('export')
  expect(await run(['wallets', '--out', out])).toMatchObject({ code: 0, complaints: [] })
  const rows = await readBack(out, 'wallets', 'address')
  const ids = (await readIds('wallet')).map(({ id }) => id)
  const wallets = await readWalletsById(readingOf(database.pool, await readHead(database.pool)), ids)
  const sold = await database.pool.query<{ address: string; sold_usd: number }>('SELECT address, sold_usd FROM wallet')
  const soldUsd = new Map(sold.rows.map((row) => [row.address, row.sold_usd]))
  const stored = wallets
    .sort((a, b) => (a.address < b.address ? -1 : 1))
    .map((wallet) => ({
      ...{ address: wallet.address, kind: wallet.kind, classification: wallet.classification },
      ...{ reputation_score: wallet.reputationScore, reputation_confidence: wallet.reputationConfidence },
      ...{ first_seen: wallet.firstSeen.toISOString(), last_trade_at: wallet.lastTradeAt?.toISOString() ?? null },
      ...{ trade_count: wallet.tradeCount, event_count: wallet.eventCount, realised_usd: wallet.realisedUsd },
      ...{ sold_usd: soldUsd.get(wallet.address), closed_position_count: wallet.closedPositionCount },
      ...{ sector_preference: wallet.sectorPreference },
    }))
  const times = (row: Record<string, unknown>) => ({
    ...{ ...row, first_seen: toTime(row.first_seen) },
    last_trade_at: row.last_trade_at === null ? null : toTime(row.last_trade_at),
  })
  expect(rows.length).toBeGreaterThan(100)
  expect(rows.map(times)).toEqual(stored.map((wallet) => expect.objectContaining(wallet)))
})

needsDuckDb('CSV holds the rows of Parquet, exactly', async () => {
  const out = makeFolder('export')
  const folders = { parquet: join(out, 'p'), csv: join(out, 'c') }
  for (const format of FORMATS)
    expect(await run(['events', '--format', format, '--out', folders[format]])).toMatchObject({ code: 0 })
  // An empty symbol is an empty cell, as an unknown one would be.
  const parquet = `SELECT COLUMNS(*)::VARCHAR FROM (SELECT * REPLACE (nullif(token_symbol, '') AS token_symbol)
    FROM read_parquet('${folders.parquet}/events/*/*.parquet', hive_partitioning = false))`
  const columns = EVENT_TABLE.columns.map(({ name, type }) => {
    const cast = { double: 'DOUBLE', int32: 'INTEGER', timestamp: 'TIMESTAMPTZ' }[type as string] ?? 'VARCHAR'
    return `"${name}"::${cast}::VARCHAR AS "${name}"`
  })
  const csv = `SELECT ${columns.join(', ')} FROM read_csv('${folders.csv}/events/*/*.csv', all_varchar = true, hive_partitioning = false)`
  expect(await duckDb!(`(${csv}) EXCEPT (${parquet})`)).toEqual([])
  expect(await duckDb!(`(${parquet}) EXCEPT (${csv})`)).toEqual([])
  expect(await duckDb!(`SELECT count(*)::INTEGER > 5000 AS many FROM (${csv})`)).toEqual([{ many: true }])
})

needsDuckDb('names of strangers arrive whole in Parquet, and are no formulas in CSV', async () => {
  const hostile = [
    '=HYPERLINK("http://x","y")',
    '@a',
    '"',
    'a,b\r\nc',
    "'; DROP TABLE token; --",
    '\u202e\ufeff\u{1f600}',
    '../../x',
  ]
  const { pool } = database
  await pool.query('CREATE TABLE former AS SELECT id, name, symbol FROM token')
  await pool.query(
    `UPDATE token t SET name = h.name, symbol = h.name FROM unnest($1::text[]) WITH ORDINALITY AS h (name, at)
      JOIN (SELECT id, row_number() OVER (ORDER BY id) AS at FROM token WHERE indexed) i USING (at) WHERE t.id = i.id`,
    [hostile],
  )
  const out = makeFolder('export')
  const folders = { parquet: join(out, 'p'), csv: join(out, 'c') }
  for (const format of FORMATS)
    expect(await run(['tokens', '--format', format, '--out', folders[format]])).toMatchObject({ code: 0 })
  await pool.query('UPDATE token t SET name = f.name, symbol = f.symbol FROM former f WHERE f.id = t.id')
  const namesOf = async (from: string) => (await duckDb!(`SELECT name FROM ${from}`)).map(({ name }) => name)
  const read = `'${folders.csv}/tokens/*/*.csv', all_varchar = true`
  expect(await namesOf(`read_parquet('${folders.parquet}/tokens/*/*.parquet')`)).toEqual(
    expect.arrayContaining(hostile),
  )
  expect(await namesOf(`read_csv(${read})`)).toEqual(
    expect.arrayContaining(hostile.map((name) => (/^[=@]/.test(name) ? `'${name}` : name))),
  )
})

needsDuckDb('a day without rows has a file with all columns and no row', async () => {
  const out = makeFolder('export')
  const { rows } = await database.pool.query<{ id: number }>(
    `SELECT 1 AS id FROM event WHERE time >= '2025-11-01' AND time < '2025-11-02'`,
  )
  expect(rows.length).toBeGreaterThan(0)
  const args = ['events', '--from', '2025-11-01T00:00:01Z', '--to', '2025-11-01T00:00:02Z', '--out', out]
  expect((await run(args)).printed).toEqual([expect.stringMatching(/: 0 rows in 1 of 1 partitions/)])
  const from = `FROM read_parquet('${out}/events/*/*.parquet', hive_partitioning = true)`
  expect(await duckDb!(`SELECT * ${from}`)).toEqual([])
  const columns = (await duckDb!(`DESCRIBE SELECT * ${from}`)).map((row) => row.column_name)
  expect(columns).toEqual([...EVENT_TABLE.columns.map(({ name }) => name), 'date'])
})

needsDuckDb('the query of docs/export.md runs on an export', async () => {
  const out = makeFolder('export')
  await run(['events', '--out', out])
  const [, query = ''] = /```sql[^\n]*\n([\s\S]*?)```/.exec(readFileSync('docs/export.md', 'utf8')) ?? []
  const rows = await duckDb!(query.replace('export/events', `${out}/events`))
  const { rows: stored } = await database.pool.query(
    `SELECT to_char(time AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS date, count(*)::text AS "count_star()" FROM event
      WHERE type = 1 AND time < $1 GROUP BY 1 ORDER BY 1`,
    [await readFinal()],
  )
  expect(stored.length).toBeGreaterThan(20)
  expect(rows).toEqual(stored.map((day) => expect.objectContaining(day)))
})

const PANDAS = `
import sys, pandas
events = pandas.read_parquet(sys.argv[1])
swaps = events[events.type == "swap"]
print(len(events), swaps.amount_usd.sum().round(2), swaps.price_usd.isna().sum(), events.timestamp.min().isoformat())
`
const hasPandas = spawnSync('python3', ['-c', 'import pandas, pyarrow']).status === 0
if (!hasPandas) test.skip('python3 has no pandas with pyarrow on this machine', () => {})

test.skipIf(!hasPandas)('pandas reads the folder as one table', async () => {
  const out = makeFolder('export')
  await run(['events', '--out', out])
  const { stdout, stderr } = spawnSync('python3', ['-c', PANDAS, join(out, 'events')], { encoding: 'utf8' })
  const { rows } = await database.pool.query<{ text: string }>(
    `SELECT concat_ws(' ', count(*), round(sum(amount_usd) FILTER (WHERE type = 1)::numeric, 2),
       count(*) FILTER (WHERE type = 1 AND (t.decimals IS NULL OR quantity = 0 OR amount_usd < 0.01)),
       to_char(min(time) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS+00:00')) AS text
     FROM event JOIN token t ON t.id = token_id WHERE time < $1`,
    [await readFinal()],
  )
  expect([stderr, stdout.trim()]).toEqual(['', rows[0]?.text])
})

test('slices of any size give the same rows', async () => {
  const client = await database.pool.connect()
  try {
    for (const name of TABLE_NAMES) {
      const { history } = TABLES[name]
      const span = { from: new Date('2025-10-25'), to: new Date('2025-10-28') }
      const bounds = history ? await history.findBounds({ reader: client, history: null }, span) : ([0, 500] as const)
      const readAll = async (most: number) => {
        const rows: unknown[] = []
        for await (const slice of readSlices({ reader: client, history: null }, TABLES[name], bounds, most))
          rows.push(...slice)
        return rows
      }
      const [small, large] = [await readAll(7), await readAll(100_000)]
      expect(large.length).toBeGreaterThan(7)
      expect(small).toEqual(large)
    }
  } finally {
    client.release()
  }
})

test('without a terminal an export logs one line when it is complete', async () => {
  const lines: unknown[] = []
  const log = () => ({ info: (fields: object, text: string) => lines.push([fields, text]) }) as never
  await run(['tokens', '--out', makeFolder('export')], { log })
  expect(lines).toEqual([[{ table: 'tokens', partitions: 1, of: 1, rows: expect.any(Number) }, 'exported']])
})

test.each(TABLE_NAMES)('%s: an interrupted export, continued, equals an undisturbed one', async (table) => {
  const [whole, broken] = [makeFolder('export'), makeFolder('export')]
  expect(await run([table, '--out', whole])).toMatchObject({ code: 0, complaints: [] })
  const ending = new AbortController()
  let readings = 0
  // Each partition reads the clock once or twice.
  const monotonicMs = () => {
    readings += 1
    if (readings > 12) ending.abort()
    return 0
  }
  const clock = { ...systemClock, monotonicMs }
  const first = await run([table, '--out', broken], { clock, signal: ending.signal })
  writeFileSync(join(broken, table, '_unfinished-1'), 'half a file')
  const second = await run([table, '--out', broken])
  expect(second).toMatchObject({ code: 0, complaints: [] })
  if (TABLES[table].history)
    expect(first).toMatchObject({ code: 130, complaints: [expect.stringMatching('Interrupted')] })
  expect(filesIn(join(broken, table))).toEqual(filesIn(join(whole, table)))
  expect(manifestOf(join(broken, table))).toEqual(manifestOf(join(whole, table)))
  expect(readdirSync(join(broken, table)).filter((name) => name.startsWith('_'))).toEqual(['_manifest.json'])
  expect((await run([table, '--out', broken])).printed).toEqual([expect.stringMatching('nothing was missing')])
})

/** An export as a process of its own. */
function start(out: string) {
  const child = spawn(process.execPath, [...programEntry(), 'export', 'events', '--out', out], {
    env: { PATH: process.env.PATH, DATABASE_URL: database.url },
    stdio: 'ignore',
  })
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
  return { child, ended }
}

const unfinishedIn = (folder: string) =>
  existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith('_unfinished-')) : []
const partitionsIn = (folder: string) => readdirSync(folder).filter((name) => name.startsWith('date='))

/** Starts exports until one stands still in the middle of a file, after its first partition. */
async function startPaused(out: string) {
  const folder = join(out, 'events')
  for (let tries = 0; tries < 20; tries += 1) {
    const { child, ended } = start(out)
    while (child.exitCode === null && (unfinishedIn(folder).length === 0 || partitionsIn(folder).length === 0))
      await new Promise((resolve) => setImmediate(resolve))
    child.kill('SIGSTOP')
    // By its answer the signal has arrived.
    await database.pool.query('SELECT 1')
    if (child.exitCode === null && unfinishedIn(folder).length > 0) return { child, ended }
    child.kill('SIGKILL')
    await ended
    rmSync(folder, { recursive: true })
  }
  throw new Error('every export ended before it was paused')
}

test('an export that was killed in the middle of a file is continued, and equals an undisturbed one', async () => {
  const [whole, broken] = [makeFolder('export'), makeFolder('export')]
  await run(['events', '--out', whole])
  const { child, ended } = await startPaused(broken)
  child.kill('SIGKILL')
  expect(await ended).toEqual([null, 'SIGKILL'])
  expect(unfinishedIn(join(broken, 'events'))).toHaveLength(1)
  expect(await run(['events', '--out', broken])).toMatchObject({ code: 0, complaints: [] })
  expect(filesIn(join(broken, 'events'))).toEqual(filesIn(join(whole, 'events')))
  expect(manifestOf(join(broken, 'events'))).toEqual(manifestOf(join(whole, 'events')))
  expect(unfinishedIn(join(broken, 'events'))).toEqual([])
})

test('a second export into the same folder is refused while the first one writes, and harms nothing', async () => {
  const [whole, shared] = [makeFolder('export'), makeFolder('export')]
  await run(['events', '--out', whole])
  const { child, ended } = await startPaused(shared)
  expect(await run(['events', '--out', shared])).toMatchObject({
    code: 1,
    complaints: [expect.stringMatching(/^Another export writes into .*events: wait for its end, or name another/)],
  })
  expect(await run(['tokens', '--out', shared])).toMatchObject({ code: 0 })
  child.kill('SIGCONT')
  expect(await ended).toEqual([0, null])
  expect(filesIn(join(shared, 'events'))).toEqual(filesIn(join(whole, 'events')))
  expect((await run(['events', '--out', shared])).printed).toEqual([expect.stringMatching('nothing was missing')])
})

test('the same command adds what became final, and writes only that day and the last one before', async () => {
  const [grown, whole] = [makeFolder('export'), makeFolder('export')]
  expect(await run(['events', '--from', '2025-11-05', '--out', grown])).toMatchObject({ code: 0 })
  await database.pool.query('UPDATE chain SET finalized = finalized + 30')
  const second = await run(['events', '--from', '2025-11-05', '--out', grown])
  await run(['events', '--from', '2025-11-05', '--out', whole])
  await database.pool.query('UPDATE chain SET finalized = finalized - 30')
  expect(second.printed).toEqual([expect.stringMatching(/in 2 of 4 partitions/)])
  expect(filesIn(join(grown, 'events'))).toEqual(filesIn(join(whole, 'events')))
})

test('days whose events are no longer kept have no file, and stay where they were written before', async () => {
  const [early, late] = [makeFolder('export'), makeFolder('export')]
  await run(['events', '--out', early])
  const before = filesIn(join(early, 'events'))
  await database.pool.query(`UPDATE chain SET events_since = '2025-11-06T00:00Z'`)
  expect((await run(['events', '--from', '2025-11-01', '--out', late])).printed.join()).toMatch(
    /^events from 2025-11-06T00:00:00.000Z .* in 2 of 2 partitions/,
  )
  expect((await run(['events', '--out', early])).printed.join()).toMatch('nothing was missing')
  await database.pool.query('UPDATE chain SET events_since = NULL')
  expect(Object.keys(filesIn(join(late, 'events')))).toEqual([
    ...['date=2025-11-06/part-0.parquet', 'date=2025-11-07/part-0.parquet'],
  ])
  expect(filesIn(join(early, 'events'))).toEqual(before)
})

test('a folder with another export is refused, and so is one with other files', async () => {
  const out = makeFolder('export')
  expect(await run(['events', '--from', '2025-11-07', '--out', out])).toMatchObject({ code: 0 })
  const refused = async (...args: string[]) => {
    const { code, complaints } = await run(['events', '--out', out, ...args])
    return [code, complaints.join(' ')]
  }
  expect(await refused()).toEqual([1, expect.stringMatching('--from 2025-11-07, not no --from')])
  expect(await refused('--from', '2025-11-07', '--format', 'csv')).toEqual([
    1,
    expect.stringMatching('--format parquet, not'),
  ])
  await database.pool.query('UPDATE chain SET chain_id = chain_id + 1')
  expect(await refused('--from', '2025-11-07')).toEqual([1, expect.stringMatching(/chain \d+, not chain \d+/)])
  await database.pool.query('UPDATE chain SET chain_id = chain_id - 1')
  mkdirSync(join(out, 'tokens'))
  writeFileSync(join(out, 'tokens', 'mine.txt'), 'mine')
  expect((await run(['tokens', '--out', out])).complaints.join()).toMatch('is not empty')
  writeFileSync(join(out, 'events', '_manifest.json'), '{}')
  expect(await refused('--from', '2025-11-07')).toEqual([1, expect.stringMatching('_manifest.json is damaged')])
})

test.each([
  ['an unknown table', ['blocks'], 2, /events, candles, scores, tokens, wallets/],
  ['an unknown format', ['events', '--format', 'xml'], 2, /parquet, csv/],
  ['a time that is none', ['events', '--from', 'yesterday'], 2, /--from.*90d, 36h, 2026-01-31/],
  ['a number of a block', ['events', '--to', '12'], 2, /--to.*90d, 36h, 2026-01-31/],
  [
    'an end before the start',
    ['events', '--from', '2025-11-07', '--to', '2025-11-06'],
    2,
    /--from must be before --to/,
  ],
  ['a range before the index', ['candles', '--to', '2024-01-01'], 2, /Nothing is kept and final.*2025/],
  [
    'a range of a snapshot',
    ['tokens', '--from', '2025-11-07'],
    2,
    /--from: tokens are exported as they are at the newest/,
  ],
])('%s is refused with what would be right', async (_, args, code, message) => {
  const result = await run([...args, '--out', join(makeFolder('export'), 'x')])
  expect([result.code, result.complaints.join(' ')]).toEqual([code, expect.stringMatching(message)])
})

test('a folder that cannot be made is one sentence', async () => {
  const out = join(makeFolder('export'), 'file')
  writeFileSync(out, '')
  const { code, complaints } = await run(['tokens', '--out', out])
  expect([code, complaints]).toEqual([1, [`${out}/tokens cannot be written: a part of the path is a file.`]])
})

test.runIf(process.platform === 'linux')('a folder below /proc is refused at once, in one sentence', async () => {
  const { code, complaints } = await run(['tokens', '--out', '/proc/assay/export'])
  expect([code, complaints]).toEqual([
    1,
    ['/proc/assay/export/tokens cannot be written: a folder of the path cannot be made, or was removed.'],
  ])
})

const small = makeFolder('small')
const canMount = spawnSync('mount', ['-o', 'size=128k', '-t', 'tmpfs', 'tmpfs', small]).status === 0
afterAll(() => {
  if (canMount) spawnSync('umount', ['-l', small])
})

test.skipIf(!canMount)(
  `a full disk is one sentence, and what is complete stays${canMount ? '' : ' (skipped: no right to mount)'}`,
  async () => {
    const { code, complaints } = await run(['events', '--out', small])
    expect([code, complaints]).toEqual([1, [`${small}/events cannot be written: the disk is full.`]])
    const names = Object.keys(manifestOf(join(small, 'events')).partitions)
    expect(names.length).toBeGreaterThan(0)
    expect(Object.keys(filesIn(join(small, 'events')))).toEqual(names.map((name) => join(name, 'part-0.parquet')))
    expect(readdirSync(join(small, 'events')).filter((name) => name.startsWith('_'))).toEqual(['_manifest.json'])
  },
)
