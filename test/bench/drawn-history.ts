// A history of many million events for benchmarks. DuckDB draws them into a folder of Parquet files, because PostgreSQL
// would need ten times the disk. Few tokens and wallets have most events, amounts are random, a transaction has 1.4 events.
import { mkdirSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { HistoryScope, Segment } from '../../src/history/history.ts'
import { copyBlocks, copyHashes, copyOrder, copyStaged, marked } from '../../src/history/parquet/contents.ts'
import { openEngine, type RunSql } from '../../src/history/parquet/engine.ts'
import { makeMarker, makeSpillFolder, nameSegment, readMarker } from '../../src/history/parquet/files.ts'
import { BLOCKS, filesOf, HASHES, readManifest, writeManifest } from '../../src/history/parquet/manifest.ts'
import { ORDERS, TYPE_COLUMNS } from '../../src/history/parquet/orders.ts'
import { relationOf } from '../support/history-relations.ts'

const MILLION = 1_000_000
const tokensOf = (events: number): number => Math.round(events / 150)
const walletsOf = (events: number): number => Math.round(events / 30)
/** Seconds of a block, and its events. */
const [BLOCK_SECONDS, BLOCK_EVENTS] = [2, 150]
const START = 1_700_000_000
/** The index to which a drawn history belongs. */
export const DRAWN_ID = 'bench'

/** Sizes of segments as merges leave them: few large ones, then smaller ones. */
function sizesOf(events: number): number[] {
  const sizes: number[] = []
  let left = events
  for (const size of [128, 16, 2, 0.25].map((size) => size * MILLION))
    for (; left >= size && (size === 128 * MILLION || sizes.filter((each) => each === size).length < 7); left -= size)
      sizes.push(size)
  return sizes
}

const TIME_OF = `make_timestamp((${START} + d.n // ${BLOCK_EVENTS} * ${BLOCK_SECONDS})::BIGINT * 1000000)`
const HASH_OF = 'unhex(sha256((d.n // 1.4)::BIGINT::VARCHAR))'

/** The number of an owner's event among those of the owner, or among those of one type. */
const numbered = (owner: string, counts: string, byType: string) =>
  `(row_number() OVER (PARTITION BY ${owner}${byType} ORDER BY ${owner.slice(0, 1)}.n) + coalesce(${counts}.events, 0))::INTEGER`

interface Drawing {
  first: number
  count: number
  tokens: number
  wallets: number
}

/** From 0 to 1, the same in every run. */
const fractionOf = (name: string) => `(hash('${name}', n) / 18446744073709551616.0)`

/** Fills `staged` with the next events, and counts them for their owners. */
async function draw(run: RunSql, { first, count, tokens, wallets }: Drawing): Promise<void> {
  const owner = (name: string, power: number, of: number) =>
    `(1 + floor(pow(${fractionOf(name)}, ${power}) * ${of}))::INTEGER`
  const counterparty = `CASE WHEN type = 4 THEN ${owner('counterparty', 2, wallets)} END`
  await run(`CREATE OR REPLACE TEMP TABLE drawn AS SELECT *, ${counterparty} AS counterparty_id
    FROM (SELECT n, ${owner('token', 3, tokens)} AS token_id, ${owner('wallet', 2, wallets)} AS wallet_id,
      ${fractionOf('quantity')} AS quantity, CASE WHEN ${fractionOf('type')} < 0.7 THEN 1
        WHEN ${fractionOf('type')} < 0.73 THEN 2 WHEN ${fractionOf('type')} < 0.757 THEN 3 ELSE 4 END::TINYINT AS type
      FROM range(${first}, ${first + count}) r(n))`)
  await run(`CREATE OR REPLACE TEMP TABLE readers AS
    SELECT n, wallet_id AS reader_id, false AS received, type FROM drawn
    UNION ALL SELECT n, counterparty_id, true, type FROM drawn WHERE type = 4 AND counterparty_id <> wallet_id`)
  await run(`CREATE OR REPLACE TEMP TABLE numbers AS SELECT r.n, r.reader_id, r.received,
      ${numbered('r.reader_id', 'a', '')} AS number, ${numbered('r.reader_id', 'b', ', r.type')} AS type_number
    FROM readers r LEFT JOIN counts a ON a.owner = r.reader_id AND a.type = 0 AND a.kind = 'wallet'
    LEFT JOIN counts b ON b.owner = r.reader_id AND b.type = r.type AND b.kind = 'wallet'`)
  await run(`CREATE OR REPLACE TEMP TABLE plain AS SELECT d.n,
      row_number() OVER (PARTITION BY d.type ORDER BY d.n) + coalesce(t.events, 0) AS type_n,
      (d.n // ${BLOCK_EVENTS})::INTEGER AS block_number, (d.n % ${BLOCK_EVENTS})::INTEGER AS log_index, d.token_id,
      ${numbered('d.token_id', 'a', '')} AS token_n, ${numbered('d.token_id', 'b', ', d.type')} AS token_type_n,
      d.wallet_id, o.number AS wallet_n, o.type_number AS wallet_type_n,
      CASE WHEN d.type < 4 THEN d.token_id * 2 + (d.n % 2)::INTEGER END::INTEGER AS pool_id, d.counterparty_id, d.type,
      CASE WHEN d.type = 1 THEN 1 + (d.n % 2) END::TINYINT AS direction, pow(10, d.quantity * 9)::DOUBLE AS quantity,
      round(exp(d.quantity * 9) * 1e6) / 1e6 AS amount_usd,
      ${TIME_OF} AS time,
      ${HASH_OF} AS tx_hash, i.number AS counterparty_n, i.type_number AS counterparty_type_n,
      NULL::SMALLINT AS part, CASE WHEN d.n % 9 = 0 THEN 2 END::TINYINT AS attribution, NULL::INTEGER AS signer_id
    FROM drawn d JOIN numbers o ON o.n = d.n AND NOT o.received LEFT JOIN numbers i ON i.n = d.n AND i.received
    LEFT JOIN counts t ON t.owner = 0 AND t.type = d.type AND t.kind = 'all'
    LEFT JOIN counts a ON a.owner = d.token_id AND a.type = 0 AND a.kind = 'token'
    LEFT JOIN counts b ON b.owner = d.token_id AND b.type = d.type AND b.kind = 'token'`)
  await run(`CREATE OR REPLACE TEMP TABLE staged AS ${marked('plain')}`)
  await run('DROP TABLE plain')
  await run(`CREATE OR REPLACE TEMP TABLE drawn_counts AS
      SELECT 'all' AS kind, 0 AS owner, type, count(*) AS events FROM drawn GROUP BY type
      UNION ALL SELECT 'token', token_id, type, count(*) FROM drawn GROUP BY token_id, type
      UNION ALL SELECT 'token', token_id, 0, count(*) FROM drawn GROUP BY token_id
      UNION ALL SELECT 'wallet', reader_id, type, count(*) FROM readers GROUP BY reader_id, type
      UNION ALL SELECT 'wallet', reader_id, 0, count(*) FROM readers GROUP BY reader_id`)
  await run(ADD_COUNTS)
}

/** The events of each owner so far, with those of the last drawn segment once more. */
const ADD_COUNTS = `CREATE OR REPLACE TEMP TABLE counts AS
  SELECT kind, owner, type, sum(events)::BIGINT AS events FROM (FROM counts UNION ALL FROM drawn_counts) GROUP BY ALL`

interface Drawn {
  name: string
  first: number
  count: number
}

/** The owners of an order's events. */
const OWNERS = { events: null, tokens: 'token_id', wallets: 'reader_id' } as const

/**
 * Writes a later segment with the events of the last drawn one: owners have as many further events, in the same order. It
 * takes a fraction of the time, and files have as many bytes.
 */
async function copyShifted(
  run: RunSql,
  folder: string,
  base: Drawn,
  { name, first }: Omit<Drawn, 'count'>,
): Promise<void> {
  const times = (first - base.first) / base.count
  const at = join(folder, name)
  const n = `(n + ${first - base.first})`
  const moved = `${n} AS n, (${n} % ${BLOCK_EVENTS})::INTEGER AS log_index`
  const movedBlock = `(${n} // ${BLOCK_EVENTS})::INTEGER AS block_number, ${TIME_OF.replaceAll('d.n', n)} AS time,
    tx_n + ${first - base.first} AS tx_n, (${n} % ${BLOCK_EVENTS}) = 0 AS opens_block`
  const ofType = (column: (at: number) => string) => TYPE_COLUMNS.map((_, at) => column(at + 1))
  for (const order of ORDERS) {
    const source = await relationOf(folder, [base], order)
    const owner = OWNERS[order]
    if (owner)
      await run(`CREATE OR REPLACE TEMP TABLE sizes AS SELECT ${owner} AS owner, count(*) AS events,
        ${ofType((type) => `count(*) FILTER (type = ${type}) AS events_${type}`).join(', ')} FROM ${source} GROUP BY owner`)
    const [totals] = owner
      ? []
      : await run(
          `SELECT ${ofType((type) => `(count(*) FILTER (type = ${type}))::INTEGER AS t${type}`).join(', ')} FROM ${source}`,
        )
    const select = owner
      ? `SELECT f.* REPLACE (${moved}, (number + ${times} * s.events)::INTEGER AS number,
          (type_number + ${times} * CASE type ${ofType((type) => `WHEN ${type} THEN s.events_${type}`).join(' ')} END)::INTEGER AS type_number)
        FROM ${source} f JOIN sizes s ON s.owner = f.${owner}`
      : `SELECT * REPLACE (${moved}, ${movedBlock}, ${TYPE_COLUMNS.map((column, at) => `${column} + ${times * Number(totals?.[`t${at + 1}`])} AS ${column}`).join(', ')}) FROM ${source}`
    await copyOrder(run, at, order, select)
    if (!owner) await copyBlocks(run, at, select)
  }
  const hashes = await relationOf(folder, [base], 'hashes')
  await copyHashes(run, at, `SELECT ${n} AS n, ${HASH_OF.replaceAll('d.n', n)} AS tx_hash FROM ${hashes}`)
  await run(ADD_COUNTS)
}

const timeOf = (block: number) => new Date((START + block * BLOCK_SECONDS) * 1000)

/** The time of a block at this fraction of a history. */
export const timeAt = (fraction: number, events: number): Date => timeOf(fraction * (events / BLOCK_EVENTS))

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** The bytes of each order of a segment, and of its hashes. */
export async function sizesIn(folder: string, name: string): Promise<Record<string, number>> {
  const at = join(folder, name)
  const sizeOf = async (file: string) => (await stat(join(at, file))).size
  const files = filesOf(await readManifest(at))
  const sizes = [...ORDERS, HASHES, BLOCKS].map(async (part): Promise<[string, number]> => {
    const own = files.filter((file) => file.startsWith(part))
    return [part, sum(await Promise.all(own.map(sizeOf)))]
  })
  return Object.fromEntries(await Promise.all(sizes))
}

async function segmentAt(folder: string, name: string): Promise<Segment> {
  const [firstN = 0, lastN = 0] = name.split('-').map(Number)
  const [firstBlock, lastBlock] = [Math.floor(firstN / BLOCK_EVENTS), Math.floor(lastN / BLOCK_EVENTS)]
  const times = { firstTime: timeOf(firstBlock), lastTime: timeOf(lastBlock) }
  const bytes = sum(Object.values(await sizesIn(folder, name)))
  return { name, firstN, lastN, firstBlock, lastBlock, ...times, bytes }
}

/** Runs the work on a DuckDB that may only use the folder. With one thread, it writes rows in their order. */
export async function withDuck<T>(folder: string, work: (run: RunSql) => Promise<T>, threads = 2): Promise<T> {
  const limits = { threads, memoryMb: 6_000, connections: 1, withinMs: 3_600_000 }
  const engine = await openEngine(folder, { ...limits, spillFolder: await makeSpillFolder(folder) })
  return engine.withConnection(work).finally(engine.close)
}

/** Draws the events, unless the folder has them already. */
export async function drawHistory(folder: string, events: number, say: (line: string) => void): Promise<Segment[]> {
  if ((await readMarker(folder)) === null) {
    await makeMarker(folder, DRAWN_ID)
    await withDuck(
      folder,
      async (run) => {
        await run('CREATE TEMP TABLE counts (kind VARCHAR, owner INTEGER, type TINYINT, events BIGINT)')
        let first = BLOCK_EVENTS
        let base = null as Drawn | null
        for (const count of sizesOf(events)) {
          const startMs = performance.now()
          const name = nameSegment(first, first + count - 1)
          mkdirSync(join(folder, name))
          if (base?.count === count) await copyShifted(run, folder, base, { name, first })
          else {
            await draw(run, { first, count, tokens: tokensOf(events), wallets: walletsOf(events) })
            await copyStaged(run, join(folder, name))
            base = { name, first, count }
          }
          await writeManifest(run, join(folder, name))
          first += count
          say(`${name}: ${count} events in ${((performance.now() - startMs) / 1_000).toFixed(1)} s`)
        }
      },
      1,
    )
  }
  const names = (await readdir(folder)).filter((name) => /^\d/.test(name))
  const segments = await Promise.all(names.map((name) => segmentAt(folder, name)))
  const found = countEvents(segments)
  if (found !== events) throw new Error(`the folder has ${found} events: name another one, or ask for as many`)
  return segments.sort((a, b) => a.firstN - b.firstN)
}

export const countEvents = (segments: readonly Segment[]): number =>
  segments.reduce((sum, { firstN, lastN }) => sum + lastN - firstN + 1, 0)

/** The highest identifiers. */
export const countOwners = (
  folder: string,
  segments: readonly Segment[],
): Promise<{ tokens: number; wallets: number }> =>
  withDuck(folder, async (run) => {
    const [row] =
      await run(`SELECT (SELECT max(token_id) FROM ${await relationOf(folder, segments, 'tokens')}) AS tokens,
      (SELECT max(reader_id) FROM ${await relationOf(folder, segments, 'wallets')}) AS wallets`)
    return { tokens: Number(row?.tokens), wallets: Number(row?.wallets) }
  })

/** An owner of events, and how many it has. */
export interface DrawnOwner {
  scope: HistoryScope
  events: number
  /** Of a wallet, only its own. */
  swaps: number
}

/** Tokens and wallets: so many of each at random, and the busiest twenty. */
export const chooseOwners = (folder: string, segments: readonly Segment[], count: number): Promise<DrawnOwner[]> =>
  withDuck(folder, async (run) => {
    const found: DrawnOwner[] = []
    for (const [of, file, owner] of [
      ['token', 'tokens', 'token_id'],
      ['wallet', 'wallets', 'reader_id'],
    ] as const) {
      await run(`CREATE OR REPLACE TEMP TABLE owners AS SELECT ${owner} AS id, count(*)::DOUBLE AS events,
          count(*) FILTER (type = 1)::DOUBLE AS swaps
        FROM ${await relationOf(folder, segments, file)} GROUP BY ${owner} HAVING count(*) > 10`)
      for (const rest of [`USING SAMPLE ${count} ROWS`, 'ORDER BY events DESC LIMIT 20'])
        for (const { id, events, swaps } of await run(`FROM owners ${rest}`))
          found.push({
            ...{ scope: { of, id: id as number, type: null }, events: events as number, swaps: swaps as number },
          })
    }
    return found
  })
