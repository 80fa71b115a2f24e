// The history at many million events: bytes of an event, and the time of a page of a token or a wallet of any age. `--events
// N` is in millions. With `--drawn FOLDER` the drawn events stay in that folder, for this bench and the one of SQL.
// `--store clickhouse --url URL` copies them into an empty database of ClickHouse, and measures that. With `--database URL`,
// an empty database on this machine, it measures the processor time of moving and merging half a million events instead.
import { rmSync } from 'node:fs'
import { mkdir, mkdtemp } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openDatabase } from '../../src/database/client.ts'
import { migrate } from '../../src/database/migrate.ts'
import { createClickHouseStore } from '../../src/history/clickhouse/store.ts'
import type { HistoryScope, HistoryStore, Segment } from '../../src/history/history.ts'
import { createParquetStore } from '../../src/history/parquet/store.ts'
import { mergeSegments, moveSegment, prepareHistory } from '../../src/indexing/move-history.ts'
import { forgetMoved } from '../../src/ledger/write/history.ts'
import { relationOf } from '../support/history-relations.ts'
import { copyToClickHouse } from './clickhouse-events.ts'
import { chooseOwners, countEvents, drawHistory, sizesIn, timeAt, withDuck } from './drawn-history.ts'
import { processorMs } from './processor.ts'

const { values: given } = parseArgs({
  options: {
    events: { type: 'string', default: '32' },
    questions: { type: 'string', default: '300' },
    folder: { type: 'string', default: tmpdir() },
    drawn: { type: 'string' },
    limit: { type: 'string', default: '50' },
    database: { type: 'string' },
    store: { type: 'string', default: 'parquet' },
    url: { type: 'string', default: '' },
  },
})
const EVENTS = Number(given.events) * 1_000_000

const seconds = (sinceMs: number) => `${((performance.now() - sinceMs) / 1000).toFixed(1)} s`
const say = (line: string) => process.stdout.write(`${line}\n`)

const percentile = (sorted: readonly number[], share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0

async function ask(name: string, questions: readonly (() => Promise<unknown>)[]): Promise<void> {
  const times: number[] = []
  for (const question of questions) {
    const startMs = performance.now()
    await question()
    times.push(performance.now() - startMs)
  }
  times.sort((a, b) => a - b)
  const [median, slow, worst] = [0.5, 0.95, 1].map((share) => percentile(times, share).toFixed(1))
  say(`${name}: ${times.length} questions, median ${median} ms, p95 ${slow} ms, worst ${worst} ms`)
}

const MOVED = 500_000

/** Processor time of this process and of a backend of PostgreSQL, in microseconds. */
const processorTime = (backend: number): number => processorMs(process.pid, backend) * 1_000

async function measureMove(url: string, folder: string): Promise<void> {
  const database = openDatabase(url)
  await migrate(database.pool)
  const client = await database.pool.connect()
  await client.query(
    `INSERT INTO chain (chain_id, name, start_block, source_head, finalized) VALUES (1, 'bench', 0, 9999999, 9999999)`,
  )
  await client.query(`INSERT INTO block (number, hash, parent_hash, time, event_count, swap_count, liquidity_add_count, liquidity_remove_count,
    transfer_count, token_count, wallet_count, last_token_id, last_wallet_id, last_pool_id) VALUES (9999999, '', '', now(), ${MOVED + 1_000},
    0, 0, 0, 0, 0, 0, 0, 0, 0)`)
  await client.query(`INSERT INTO event (n, type_n, block_number, log_index, token_id, token_n, token_type_n, wallet_id, wallet_n,
      wallet_type_n, pool_id, type, direction, quantity, amount_usd, time, tx_hash)
    SELECT n, n, n / 150, n % 150, n % 5000, n / 5000, n / 5000, n % 20000, n / 20000, n / 20000, n % 5000, 1, 1 + n % 2, random() * 1e6,
      round(random() * 1e9) / 1e6, to_timestamp(1700000000 + n / 150), sha256(n::text::bytea) FROM generate_series(1, ${MOVED + 1_000}) n`)
  await client.query('ANALYZE event')
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  const pid = rows[0]?.pid ?? 0
  const store = createParquetStore({ folder, onFault: say, onRecovery: () => {} })
  const writer = store.openWriter()
  await prepareHistory(client, writer, store.setting, new Date())
  const log = { info: () => {}, warn: () => {} } as never
  const rules = { days: 0, reach: 1, blocks: 0, least: 1, most: MOVED / 8 }
  const measure = async (name: string, work: () => Promise<unknown>) => {
    const [before, startMs] = [processorTime(pid), performance.now()]
    await work()
    const spent = processorTime(pid) - before
    say(`${name}: ${(spent / MOVED).toFixed(1)} us of processor time an event, ${seconds(startMs)}`)
  }
  await measure('written, compared, recorded', async () => {
    for (let count = 0; count < 8; count += 1) await moveSegment({ database, store, rules, log }, client, writer)
  })
  await measure('merged once', () => mergeSegments({ store, rules, log }, client, writer))
  await measure('deleted from PostgreSQL', async () => {
    while ((await forgetMoved(client, 10_000)) > 0);
  })
  await writer.close()
  client.release()
  await database.close()
}

const FAULTS = { onFault: say, onRecovery: () => {} }

/** The store that is measured, its segments, and the bytes of its parts. */
interface Measured {
  store: HistoryStore
  segments: Segment[]
  sizes: [part: string, bytes: number][]
}

async function openParquet(folder: string, segments: Segment[]): Promise<Measured> {
  const sizes = new Map<string, number>()
  for (const { name } of segments)
    for (const [part, size] of Object.entries(await sizesIn(folder, name)))
      sizes.set(part, (sizes.get(part) ?? 0) + size)
  return { store: createParquetStore({ folder, ...FAULTS }), segments, sizes: [...sizes] }
}

async function openClickHouse(folder: string, drawn: readonly Segment[]): Promise<Measured> {
  const store = createClickHouseStore({ url: given.url, ...FAULTS })
  return { store, ...(await copyToClickHouse(given.url, folder, drawn, say)) }
}

const parent = await mkdtemp(join(given.folder, 'assay-history-'))
const folder = given.drawn ?? parent
await mkdir(folder, { recursive: true })
try {
  if (given.database === undefined) await measureReads()
  else await measureMove(given.database, parent)
} finally {
  rmSync(parent, { recursive: true, force: true })
}
process.exit(0)

async function measureReads(): Promise<void> {
  const drawn = await drawHistory(folder, EVENTS, say)
  const owners = await chooseOwners(folder, drawn, Number(given.questions))
  const { store, segments, sizes } = await (given.store === 'clickhouse' ? openClickHouse : openParquet)(folder, drawn)
  const loaded = countEvents(segments)
  for (const [part, size] of sizes) say(`${part}: ${(size / loaded).toFixed(1)} bytes an event`)
  const total = sizes.reduce((sum, [, size]) => sum + size, 0)
  say(`${loaded} events in ${segments.length} segments: ${(total / loaded).toFixed(1)} bytes an event`)
  const limit = Number(given.limit)
  const page = async (scope: HistoryScope, events: number) => {
    const below = Math.max(1, Math.round(Math.random() * events))
    const [found = []] = await store.readRanges(segments, [{ ...scope, above: Math.max(0, below - limit), below }])
    await store.readHashes(
      segments,
      found.map(({ n }) => n),
    )
  }
  const pagesOf = (of: string) =>
    owners
      .filter(({ scope }) => scope.of === of)
      .map(
        ({ scope, events }) =>
          () =>
            page(scope, events),
      )
  const all = { of: 'all' as const, id: 0, type: null }
  for (const round of ['first', 'second']) {
    say(`the ${round} round, load ${loadavg()[0]?.toFixed(1)}:`)
    await ask('pages of a token', pagesOf('token'))
    await ask('pages of a wallet', pagesOf('wallet'))
    await ask(
      'pages of all events',
      owners.slice(0, 100).map(() => () => page(all, loaded)),
    )
    await ask(
      'since, in a token or a wallet',
      owners.slice(0, 300).map(
        ({ scope, events: below }) =>
          () =>
            store.findStarts(segments, [{ ...scope, below, since: timeAt(Math.random(), EVENTS), after: null }]),
      ),
    )
    // The busiest come first.
    const wallets = owners.filter(({ scope }) => scope.of === 'wallet').toReversed()
    const tradersOf = (at: number, newest: number) =>
      wallets
        .slice(at * 30, at * 30 + 30)
        .map(({ scope, swaps }) => ({ walletId: scope.id, above: Math.max(0, swaps - newest) }))
    for (const [name, newest] of [
      ['the newest 200 swaps of 30 wallets', 200],
      ['all swaps of 30 wallets', Number.POSITIVE_INFINITY],
    ] as const)
      await ask(
        name,
        Array.from(
          { length: Math.min(10, Math.floor(wallets.length / 30)) },
          (_, at) => () => store.readTraders(segments, tradersOf(at, newest)),
        ),
      )
  }
  if (given.store === 'parquet') await compareHashes(store, segments)
  say(`${Math.round(process.memoryUsage().rss / 1e6)} MB of memory`)
  await store.close()
}

/** The hashes of 50 random events of a segment, by their places and from DuckDB. */
async function compareHashes(store: HistoryStore, segments: readonly Segment[]): Promise<void> {
  const random = (least: number, most: number) => least + Math.floor(Math.random() * (most - least))
  const pages = Array.from({ length: 40 }, (_, at) => {
    const segment = segments[at % segments.length] as Segment
    return { segment, ns: Array.from({ length: 50 }, () => random(segment.firstN, segment.lastN)) }
  })
  const byPlace = pages.map(
    ({ segment, ns }) =>
      () =>
        store.readHashes([segment], ns),
  )
  await ask('50 hashes by their places', byPlace)
  await withDuck(folder, async (run) => {
    const byDuck = pages.map(({ segment, ns }) => async () => {
      const from = await relationOf(folder, [segment], 'hashes')
      return run(`SELECT n::DOUBLE AS n, hex(tx_hash) AS hash FROM ${from} WHERE n IN (${ns.join(', ')})`)
    })
    await ask('50 hashes from DuckDB', byDuck)
  })
}
