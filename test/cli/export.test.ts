// `export TABLE`: the files hold exactly what the database has, whoever reads them.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { toMeaning, toPrintedUsd } from '../../src/base/amount.ts'
import { systemClock } from '../../src/base/clock.ts'
import { readConfig } from '../../src/base/config.ts'
import type { Context } from '../../src/cli/context.ts'
import { runProgram } from '../../src/cli/program.ts'
import type { Manifest } from '../../src/export/manifest.ts'
import { TABLE_NAMES } from '../../src/export/table.ts'
import { TABLES } from '../../src/export/tables.ts'
import { ALL_EVENTS, readFeed, toSentEvent } from '../../src/ledger/read/event-feed.ts'
import { createLog } from '../../src/telemetry/log.ts'
import { createStoppedDemo } from '../support/demo.ts'
import { findDuckDb } from '../support/duckdb.ts'
import { makeFolder } from '../support/folder.ts'
import { openGraph, SOMEBODY } from '../support/graph.ts'

const database = await createStoppedDemo()
const duckDb = await findDuckDb()

async function run(args: readonly string[], changes: Partial<Context> = {}) {
  const printed: string[] = []
  const complaints: string[] = []
  const context: Context = {
    print: (line) => printed.push(line),
    config: () => readConfig({ DATABASE_URL: database.url }),
    log: () => createLog({ level: 'silent', pretty: false }),
    clock: systemClock,
    signal: new AbortController().signal,
    terminal: false,
    openApp: () => Promise.reject(new Error('this command opens nothing')),
    ...changes,
  }
  return { code: await runProgram(['export', ...args], context, (line) => complaints.push(line)), printed, complaints }
}

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
  const { rows: final } = await database.pool.query<{ time: Date }>('SELECT min(time) AS time FROM block')
  const { events } = await readFeed(database.pool, { above: 0, below: null }, 100_000, ALL_EVENTS)
  const sent = events.filter(({ timestamp }) => timestamp < final[0]!.time).map((event) => toSentEvent(event, false))
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
      `{ tokens(limit: 100) { total items { address name symbol decimals price_usd: priceUsd market_cap_usd: marketCapUsd
        liquidity_usd: liquidityUsd volume_24h_usd: volume24hUsd depth_2pct_usd: depth2PctUsd raw_supply: rawSupply
        raw_burned: rawBurned raw_locked: rawLocked holder_count: holderCount funded_holder_count: fundedHolderCount
        risk_score: riskScore risk_level: riskLevel risk_flags: riskFlags launchpad } } }`,
      {},
      SOMEBODY,
    )
    const { items, total } = (data as { tokens: unknown }).tokens as { items: Record<string, unknown>[]; total: number }
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
