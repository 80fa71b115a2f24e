// The history at many million events: bytes of an event, and the time of a page of a token or a wallet of any age. DuckDB
// draws the events, because PostgreSQL would need ten times the disk. `--events N` is in millions. With `--database URL`, an
// empty database on this machine, it measures the processor time of moving and merging half a million events instead.
// `--store clickhouse --url URL` measures the same in an empty database of ClickHouse.
import { mkdirSync, rmSync } from 'node:fs'
import { mkdtemp, readFile, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openDatabase } from '../../src/database/client.ts'
import { migrate } from '../../src/database/migrate.ts'
import type { StatementLimits } from '../../src/history/clickhouse/connection.ts'
import type { HistoryScope, HistoryStore, Segment } from '../../src/history/history.ts'
import { type EngineRow, openEngine } from '../../src/history/parquet/engine.ts'
import { fileOf, makeMarker, makeSpillFolder, nameSegment, SEGMENT_FILES } from '../../src/history/parquet/files.ts'
import { createParquetStore } from '../../src/history/parquet/store.ts'
import { copyStaged } from '../../src/history/parquet/writer.ts'
import { mergeSegments, moveSegment, prepareHistory } from '../../src/indexing/move-history.ts'
import { forgetMoved } from '../../src/ledger/write/history.ts'
import { drawEvents } from './clickhouse-events.ts'

const { values: given } = parseArgs({
  options: {
    events: { type: 'string', default: '32' },
    questions: { type: 'string', default: '300' },
    folder: { type: 'string', default: tmpdir() },
    limit: { type: 'string', default: '50' },
    database: { type: 'string' },
    store: { type: 'string', default: 'parquet' },
    url: { type: 'string', default: '' },
  },
})
const MILLION = 1_000_000
const EVENTS = Number(given.events) * MILLION
const TOKENS = Math.round(EVENTS / 150)
const WALLETS = Math.round(EVENTS / 30)
/** Seconds of a block, and its events. */
const [BLOCK_SECONDS, BLOCK_EVENTS] = [2, 150]
const START = 1_700_000_000

/** Sizes of segments as merges leave them: few large ones, then smaller ones. */
function sizesOf(events: number): number[] {
  const sizes: number[] = []
  let left = events
  for (const size of [128, 16, 2, 0.25].map((size) => size * MILLION))
    for (; left >= size && (size === 128 * MILLION || sizes.filter((each) => each === size).length < 7); left -= size)
      sizes.push(size)
  return sizes
}

type Run = (sql: string) => Promise<EngineRow[]>

/** The number of an owner's event among those of the owner, or among those of one type. */
const numbered = (owner: string, counts: string, byType: string) =>
  `(row_number() OVER (PARTITION BY ${owner}${byType} ORDER BY ${owner.slice(0, 1)}.n) + coalesce(${counts}.events, 0))::INTEGER`

/** Fills `staged` with the next events, and counts them for their owners. */
async function draw(run: Run, first: number, count: number): Promise<void> {
  // Few tokens and wallets have most events; each owner is active for a while.
  const share = (power: number, of: number) => `(1 + floor(pow(random(), ${power}) * ${of}))::INTEGER`
  await run(`CREATE OR REPLACE TEMP TABLE drawn AS SELECT *, CASE WHEN type = 4 THEN ${share(2, WALLETS)} END AS counterparty_id
    FROM (SELECT n, ${share(3, TOKENS)} AS token_id, ${share(2, WALLETS)} AS wallet_id, random() AS quantity,
      CASE WHEN random() < 0.7 THEN 1 WHEN random() < 0.1 THEN 2 WHEN random() < 0.1 THEN 3 ELSE 4 END::TINYINT AS type
      FROM range(${first}, ${first + count}) r(n))`)
  await run(`CREATE OR REPLACE TEMP TABLE readers AS
    SELECT n, wallet_id AS reader_id, false AS received, type FROM drawn
    UNION ALL SELECT n, counterparty_id, true, type FROM drawn WHERE type = 4 AND counterparty_id <> wallet_id`)
  await run(`CREATE OR REPLACE TEMP TABLE numbers AS SELECT r.n, r.reader_id, r.received,
      ${numbered('r.reader_id', 'a', '')} AS number, ${numbered('r.reader_id', 'b', ', r.type')} AS type_number
    FROM readers r LEFT JOIN counts a ON a.owner = r.reader_id AND a.type = 0 AND a.kind = 'wallet'
    LEFT JOIN counts b ON b.owner = r.reader_id AND b.type = r.type AND b.kind = 'wallet'`)
  await run(`CREATE OR REPLACE TEMP TABLE staged AS SELECT d.n,
      row_number() OVER (PARTITION BY d.type ORDER BY d.n) + coalesce(t.events, 0) AS type_n,
      (d.n // ${BLOCK_EVENTS})::INTEGER AS block_number, (d.n % ${BLOCK_EVENTS})::INTEGER AS log_index, d.token_id,
      ${numbered('d.token_id', 'a', '')} AS token_n, ${numbered('d.token_id', 'b', ', d.type')} AS token_type_n,
      d.wallet_id, o.number AS wallet_n, o.type_number AS wallet_type_n,
      CASE WHEN d.type < 4 THEN d.token_id * 2 + (d.n % 2)::INTEGER END::INTEGER AS pool_id, d.counterparty_id, d.type,
      CASE WHEN d.type = 1 THEN 1 + (d.n % 2) END::TINYINT AS direction, pow(10, d.quantity * 9)::DOUBLE AS quantity,
      round(exp(d.quantity * 9) * 1e6) / 1e6 AS amount_usd,
      make_timestamp((${START} + d.n // ${BLOCK_EVENTS} * ${BLOCK_SECONDS})::BIGINT * 1000000) AS time,
      unhex(sha256((d.n // 1.4)::BIGINT::VARCHAR)) AS tx_hash, i.number AS counterparty_n, i.type_number AS counterparty_type_n,
      NULL::SMALLINT AS part, CASE WHEN d.n % 9 = 0 THEN 2 END::TINYINT AS attribution, NULL::INTEGER AS signer_id
    FROM drawn d JOIN numbers o ON o.n = d.n AND NOT o.received LEFT JOIN numbers i ON i.n = d.n AND i.received
    LEFT JOIN counts t ON t.owner = 0 AND t.type = d.type AND t.kind = 'all'
    LEFT JOIN counts a ON a.owner = d.token_id AND a.type = 0 AND a.kind = 'token'
    LEFT JOIN counts b ON b.owner = d.token_id AND b.type = d.type AND b.kind = 'token'`)
  await run(`CREATE OR REPLACE TEMP TABLE counts AS SELECT kind, owner, type, sum(events)::BIGINT AS events FROM (
      SELECT * FROM counts
      UNION ALL SELECT 'all', 0, type, count(*) FROM drawn GROUP BY type
      UNION ALL SELECT 'token', token_id, type, count(*) FROM drawn GROUP BY token_id, type
      UNION ALL SELECT 'token', token_id, 0, count(*) FROM drawn GROUP BY token_id
      UNION ALL SELECT 'wallet', reader_id, type, count(*) FROM readers GROUP BY reader_id, type
      UNION ALL SELECT 'wallet', reader_id, 0, count(*) FROM readers GROUP BY reader_id) GROUP BY ALL`)
}

const seconds = (sinceMs: number) => `${((performance.now() - sinceMs) / 1000).toFixed(1)} s`
const say = (line: string) => process.stdout.write(`${line}\n`)

const timeOf = (block: number) => new Date((START + block * BLOCK_SECONDS) * 1000)

function segmentFrom(name: string, { firstN, lastN }: Pick<Segment, 'firstN' | 'lastN'>): Segment {
  const [firstBlock, lastBlock] = [Math.floor(firstN / BLOCK_EVENTS), Math.floor(lastN / BLOCK_EVENTS)]
  const times = { firstTime: timeOf(firstBlock), lastTime: timeOf(lastBlock) }
  return { name, firstN, lastN, firstBlock, lastBlock, ...times, bytes: 0 }
}

/** What questions are about. */
interface Loaded {
  segments: Segment[]
  scopes: HistoryScope[]
  counts: number[]
}

async function load(folder: string): Promise<Loaded> {
  const limits = { threads: 2, memoryMb: 6_000, connections: 1, withinMs: 3_600_000 }
  const engine = await openEngine(folder, { ...limits, spillFolder: await makeSpillFolder(folder) })
  const segments: Segment[] = []
  try {
    return await engine.withConnection(async (run) => {
      await run(`CREATE TEMP TABLE counts (kind VARCHAR, owner INTEGER, type TINYINT, events BIGINT)`)
      let first = BLOCK_EVENTS
      for (const size of sizesOf(EVENTS)) {
        const startMs = performance.now()
        const [firstN, lastN] = [first, first + size - 1]
        await draw(run, first, size)
        const name = nameSegment(firstN, lastN)
        mkdirSync(join(folder, name))
        await copyStaged(run, folder, name)
        segments.push(segmentFrom(name, { firstN, lastN }))
        first += size
        say(`${name}: ${size} events in ${seconds(startMs)}`)
      }
      const owners =
        await run(`(SELECT kind, owner, events::DOUBLE AS events FROM counts WHERE type = 0 AND kind = 'token' AND events > 10
          USING SAMPLE ${given.questions} ROWS)
        UNION ALL (SELECT kind, owner, events::DOUBLE FROM counts WHERE type = 0 AND kind = 'wallet' AND events > 10
          USING SAMPLE ${given.questions} ROWS)
        UNION ALL (SELECT kind, owner, events::DOUBLE FROM counts WHERE type = 0 AND kind <> 'all' ORDER BY events DESC LIMIT 40)`)
      return {
        segments,
        scopes: owners.map(({ kind, owner }) => ({ of: kind as 'token', id: owner as number, type: null })),
        counts: owners.map(({ events }) => events as number),
      }
    })
  } finally {
    await engine.close()
  }
}

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
async function processorTime(backend: number): Promise<number> {
  const { user, system } = process.cpuUsage()
  const fields = (await readFile(`/proc/${backend}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? []
  // The kernel counts a hundredth of a second as one.
  return user + system + (Number(fields[11]) + Number(fields[12])) * 10_000
}

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
    const [before, startMs] = [await processorTime(pid), performance.now()]
    await work()
    const spent = (await processorTime(pid)) - before
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

/** The store that is measured. */
interface Measured {
  store: HistoryStore
  load(): Promise<Loaded>
  sizes(names: readonly string[]): Promise<[part: string, bytes: number][]>
}

const FAULTS = { onFault: say, onRecovery: () => {} }

async function openParquet(folder: string): Promise<Measured> {
  await makeMarker(folder, 'bench')
  return {
    store: createParquetStore({ folder, ...FAULTS }),
    load: () => load(folder),
    sizes: (names) =>
      Promise.all(
        SEGMENT_FILES.map(async (file) => {
          const found = await Promise.all(names.map((name) => stat(fileOf(folder, name, file))))
          return [`${file}.parquet`, found.reduce((sum, { size }) => sum + size, 0)]
        }),
      ),
  }
}

/** Of a segment: merges make few larger ones. */
const DRAWN_SEGMENT = '1'
const DRAWING: StatementLimits = {
  ...{ connections: 1, withinMs: 3_600_000, threads: 2, memoryMb: 8_000 },
  ...{ rowsRead: 1e10, rowsFound: 1_000, isReader: false },
}

/** ClickHouse draws the events, as one segment: its writer would compare them with rows that there are not. */
async function openClickHouse(): Promise<Measured> {
  const { createClickHouseStore } = await import('../../src/history/clickhouse/store.ts')
  const { openConnection } = await import('../../src/history/clickhouse/connection.ts')
  const { READ_TABLES } = await import('../../src/history/clickhouse/tables.ts')
  const store = createClickHouseStore({ url: given.url, ...FAULTS })
  const writer = store.openWriter()
  await writer.makeMarker('0')
  await writer.close()
  const connection = openConnection(given.url, DRAWING)
  const range = { firstN: BLOCK_EVENTS, lastN: BLOCK_EVENTS + EVENTS - 1 }
  return {
    store,
    load: async () => {
      const startMs = performance.now()
      await drawEvents(connection, {
        ...{ segment: DRAWN_SEGMENT, firstN: range.firstN, events: EVENTS, tokens: TOKENS, wallets: WALLETS },
        ...{ blockEvents: BLOCK_EVENTS, blockSeconds: BLOCK_SECONDS, start: START },
      })
      say(`${EVENTS} events in ${seconds(startMs)}`)
      const ownersOf = (table: string, owner: string, rest: string) =>
        connection.ask(
          `SELECT ${owner} AS id, count() AS events FROM ${table} GROUP BY ${owner} HAVING events > 10 ${rest}`,
        )
      const scopes: HistoryScope[] = []
      const counts: number[] = []
      for (const rest of [`ORDER BY rand() LIMIT ${given.questions}`, 'ORDER BY events DESC LIMIT 20'])
        for (const [of, owner] of [
          ['token', 'token_id'],
          ['wallet', 'reader_id'],
        ] as const)
          for (const { id, events } of await ownersOf(of, owner, rest)) {
            scopes.push({ of, id: Number(id), type: null })
            counts.push(Number(events))
          }
      return { segments: [segmentFrom(`${range.firstN}-${range.lastN}-${DRAWN_SEGMENT}`, range)], scopes, counts }
    },
    sizes: async () => {
      const rows = await connection.ask(`SELECT table, sum(bytes) AS size FROM system.parts
        WHERE active AND database = currentDatabase() AND partition = '${DRAWN_SEGMENT}' GROUP BY table`)
      await connection.close()
      return READ_TABLES.map((table) => [table, Number(rows.find((row) => row.table === table)?.size)])
    },
  }
}

const folder = await mkdtemp(join(given.folder, 'assay-history-'))
if (given.database !== undefined) {
  await measureMove(given.database, folder)
  rmSync(folder, { recursive: true, force: true })
  process.exit(0)
}
try {
  const measured = given.store === 'clickhouse' ? await openClickHouse() : await openParquet(folder)
  const { store } = measured
  const { segments, scopes, counts } = await measured.load()
  const loaded = segments.reduce((sum, { firstN, lastN }) => sum + lastN - firstN + 1, 0)
  const bytes = await measured.sizes(segments.map(({ name }) => name))
  for (const [part, size] of bytes) say(`${part}: ${(size / loaded).toFixed(1)} bytes an event`)
  const total = bytes.reduce((sum, [, size]) => sum + size, 0)
  say(`${loaded} events in ${segments.length} segments: ${(total / loaded).toFixed(1)} bytes an event`)
  const limit = Number(given.limit)
  const page = async (scope: HistoryScope, total: number) => {
    const below = Math.max(1, Math.round(Math.random() * total))
    const [events = []] = await store.readRanges(segments, [{ ...scope, above: Math.max(0, below - limit), below }])
    await store.readHashes(
      segments,
      events.map(({ n }) => n),
    )
  }
  const pagesOf = (of: string) =>
    scopes.flatMap((scope, at) => (scope.of === of ? [() => page(scope, counts[at] ?? 1)] : []))
  const all = { of: 'all' as const, id: 0, type: null }
  const timeIn = () => new Date((START + Math.random() * (EVENTS / BLOCK_EVENTS) * BLOCK_SECONDS) * 1000)
  for (const round of ['first', 'second']) {
    say(`the ${round} round:`)
    await ask(`pages of a token`, pagesOf('token'))
    await ask(`pages of a wallet`, pagesOf('wallet'))
    await ask(
      'pages of all events',
      scopes.slice(0, 100).map(() => () => page(all, loaded)),
    )
    await ask(
      'since, in a token or a wallet',
      scopes
        .slice(0, 300)
        .map(
          (scope, at) => () =>
            store.findStarts(segments, [{ ...scope, below: counts[at] ?? 1, since: timeIn(), after: null }]),
        ),
    )
    const traders = scopes.filter(({ of }) => of === 'wallet').slice(0, 300)
    await ask(
      'the newest 200 swaps of 30 wallets',
      Array.from(
        { length: 10 },
        (_, at) => () =>
          store.readTraders(
            segments,
            traders.slice(at * 30, at * 30 + 30).map(({ id }) => ({ walletId: id, above: 0 })),
          ),
      ),
    )
  }
  say(`${Math.round(process.memoryUsage().rss / 1e6)} MB of memory`)
  await store.close()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
