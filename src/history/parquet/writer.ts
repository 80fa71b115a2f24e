// Writes segments of a history. The rows come as lines of text, twice. The first time they are written, sorted three
// ways. The second time they are compared with what the files then hold. A segment that differs is not placed.
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { quote } from '../../base/sql-text.ts'
import type { HistoryWriter, Placed, Segment } from '../history.ts'
import type { HistoryColumn } from '../lines.ts'
import { whole } from '../numbers.ts'
import { type Engine, openEngine, type RunSql } from './engine.ts'
import {
  beginSegment,
  makeMarker,
  makeSpillFolder,
  nameSegment,
  placeSegment,
  readMarker,
  removeSegment,
  requireFiles,
  sweepFolder,
} from './files.ts'
import { readHashRows } from './hashes.ts'
import { HASHES, partPaths, readManifest, type SegmentManifest, writeManifest } from './manifest.ts'
import { ORDERS, type Order, TYPE_COLUMNS } from './orders.ts'
import { readParquet } from './reading.ts'

/** The types of a line's columns. */
const STAGED: Readonly<Record<HistoryColumn, string>> = {
  n: 'BIGINT',
  type_n: 'BIGINT',
  block_number: 'INTEGER',
  log_index: 'INTEGER',
  token_id: 'INTEGER',
  token_n: 'INTEGER',
  token_type_n: 'INTEGER',
  wallet_id: 'INTEGER',
  wallet_n: 'INTEGER',
  wallet_type_n: 'INTEGER',
  pool_id: 'INTEGER',
  counterparty_id: 'INTEGER',
  type: 'TINYINT',
  direction: 'TINYINT',
  quantity: 'DOUBLE',
  amount_usd: 'DOUBLE',
  time: 'BIGINT',
  tx_hash: 'VARCHAR',
  counterparty_n: 'INTEGER',
  counterparty_type_n: 'INTEGER',
  part: 'SMALLINT',
  attribution: 'TINYINT',
  signer_id: 'INTEGER',
}

const LIMITS = { threads: 1, memoryMb: 1_024, connections: 1, withinMs: 3_600_000 }
/** Rows of a row group, which a page reads whole. DuckDB prepares every column of every group of a file that it reads. */
const GROUP_ROWS = 61_440
const PART_GROUPS = 8
const PARQUET = `FORMAT parquet, PARQUET_VERSION v2, ROW_GROUP_SIZE ${GROUP_ROWS}`
/** Hashes do not compress. Without a dictionary, a row group ends with one after the other. */
const HASHES_OPTIONS = `(${PARQUET}, COMPRESSION uncompressed, DICTIONARY_SIZE_LIMIT 0)`
const ORDER_OPTIONS = `(${PARQUET}, COMPRESSION zstd, ROW_GROUPS_PER_FILE ${PART_GROUPS})`

type NumberRange = Pick<Segment, 'firstN' | 'lastN'>

/** Whole micro-dollars take half the room. Null: too many. */
const MICRO = 'TRY_CAST(round(amount_usd * 1e6) AS BIGINT)'
/** `amount_usd` is null where the micro-dollars give exactly it. */
const COMMON = `n, type, block_number, log_index, part, time, counterparty_id, pool_id, signer_id, direction, quantity,
  ${MICRO} AS amount_micro, CASE WHEN ${MICRO} / 1e6 = amount_usd THEN NULL ELSE amount_usd END AS amount_usd, attribution`
const OWN = 'wallet_id AS reader_id, false AS received, wallet_n AS number, wallet_type_n AS type_number'
const RECEIVED = 'counterparty_id, true, counterparty_n, counterparty_type_n'

/** What each order has of the rows `staged`. */
const CONTENTS: Readonly<Record<Order, { select: string; order: string }>> = {
  events: {
    select: `SELECT ${COMMON}, token_id, wallet_id,
      ${TYPE_COLUMNS.map((column, at) => `coalesce(max(type_n) FILTER (type = ${at + 1}) OVER numbers, 0) AS ${column}`).join(', ')}
      FROM staged WINDOW numbers AS (ORDER BY n ROWS UNBOUNDED PRECEDING)`,
    order: 'n',
  },
  tokens: {
    select: `SELECT token_id, token_n AS number, token_type_n AS type_number, ${COMMON}, wallet_id FROM staged`,
    order: 'token_id, type, number',
  },
  wallets: {
    select: `SELECT ${OWN}, ${COMMON}, token_id, wallet_id FROM staged
      UNION ALL SELECT ${RECEIVED}, ${COMMON}, token_id, wallet_id FROM staged WHERE counterparty_n IS NOT NULL`,
    order: 'reader_id, type, number',
  },
}
const STAGED_HASHES = 'SELECT n, tx_hash FROM staged'

/** Opens the folder for its only writer. Loads DuckDB at the first segment. */
export function openFolderWriter(folder: string): HistoryWriter {
  let opening: Promise<Opened> | null = null
  const open = () => {
    opening ??= openOwn(folder)
    return opening
  }
  return {
    readMarker: () => readMarker(folder),
    makeMarker: (id) => makeMarker(folder, id),
    requireSegment: (name) => requireFiles(folder, name),
    sweep: (known, before) => sweepFolder(folder, known, before),
    remove: (name) => removeSegment(folder, name),
    write: async (range, readLines) => {
      const { engine, spillFolder } = await open()
      return place(engine, folder, range, writeFrom(spillFolder, range, readLines))
    },
    merge: async (segments) => {
      const [first, last] = [segments[0], segments.at(-1)]
      if (!first || !last) throw new Error('there is nothing to merge')
      const range = { firstN: first.firstN, lastN: last.lastN }
      return place((await open()).engine, folder, range, mergeFrom(folder, range, segments))
    },
    close: async () => {
      const opened = await opening?.catch(() => null)
      if (!opened) return
      await opened.engine.close()
      await rm(opened.spillFolder, { recursive: true, force: true })
    },
  }
}

interface Opened {
  engine: Engine
  spillFolder: string
}

async function openOwn(folder: string): Promise<Opened> {
  const spillFolder = await makeSpillFolder(folder)
  return { engine: await openEngine(folder, { ...LIMITS, spillFolder }), spillFolder }
}

/** Writes the files of an unfinished segment into its folder, and compares them with what they should have. */
type Work = (run: RunSql, at: string) => Promise<SegmentManifest>

const writeFrom =
  (spillFolder: string, range: NumberRange, readLines: () => AsyncIterable<string>): Work =>
  async (run, at) => {
    await stage(run, spillFolder, readLines)
    await requireCount(run, range)
    await copyStaged(run, at)
    await stage(run, spillFolder, readLines)
    for (const order of ORDERS) await requireSame(run, CONTENTS[order].select, join(at, order, '*.parquet'))
    return complete(run, at, range, STAGED_HASHES)
  }

const mergeFrom =
  (folder: string, range: NumberRange, segments: readonly Segment[]): Work =>
  async (run, at) => {
    const manifests = await Promise.all(segments.map(({ name }) => readManifest(join(folder, name))))
    for (const order of ORDERS) {
      const paths = segments.flatMap(({ name }, index) =>
        partPaths(join(folder, name), order, manifests[index]?.parts[order] ?? []),
      )
      const select = `SELECT * FROM ${readParquet(paths)}`
      await copyOrder(run, at, order, select)
      await requireSame(run, select, join(at, order, '*.parquet'))
    }
    const hashes = `SELECT * FROM ${readParquet(segments.map(({ name }) => join(folder, name, HASHES)))}`
    await copyHashes(run, at, hashes)
    return complete(run, at, range, hashes)
  }

/** `select`: rows with the columns of the order. With several threads DuckDB would mix row groups of its files. */
export const copyOrder = (run: RunSql, at: string, order: Order, select: string) =>
  run(
    `COPY (SELECT * FROM (${select}) ORDER BY ${CONTENTS[order].order}) TO ${quote(join(at, order))} ${ORDER_OPTIONS}`,
  )

/** `select`: running numbers and hashes. */
export const copyHashes = (run: RunSql, at: string, select: string) =>
  run(`COPY (SELECT * FROM (${select}) ORDER BY n) TO ${quote(join(at, HASHES))} ${HASHES_OPTIONS}`)

/** Writes the files of a segment from the table `staged`. */
export async function copyStaged(run: RunSql, at: string): Promise<void> {
  for (const order of ORDERS) await copyOrder(run, at, order, CONTENTS[order].select)
  await copyHashes(run, at, STAGED_HASHES)
}

/** Writes the manifest, and checks that the hashes are in the places that it tells. */
async function complete(
  run: RunSql,
  at: string,
  { firstN, lastN }: NumberRange,
  hashes: string,
): Promise<SegmentManifest> {
  const manifest = await writeManifest(run, at)
  const path = join(at, HASHES)
  await requireSame(run, hashes, path)
  const numbered = `SELECT n, file_row_number AS row, tx_hash
    FROM read_parquet(${quote(path)}, hive_partitioning = false, file_row_number = true)`
  const [order] = await run(`SELECT count(*)::DOUBLE AS misplaced FROM (${numbered}) WHERE n - row <> ${whole(firstN)}`)
  const ends: number[] = []
  let next = 0
  for (const { rows } of manifest.hashes) {
    ends.push(...new Set([next, next + rows - 1]))
    next += rows
  }
  const found = await readHashRows(path, manifest.hashes, ends)
  const rows = await run(
    `SELECT row::DOUBLE AS row, lower(hex(tx_hash)) AS hash FROM (${numbered}) WHERE row IN (${ends.join(', ')})`,
  )
  const areThere = rows.length === ends.length && rows.every(({ row, hash }) => found.get(Number(row)) === hash)
  if (next !== lastN - firstN + 1 || order?.misplaced !== 0 || !areThere)
    throw new Error(`${HASHES} does not have its hashes in their places`)
  return manifest
}

/** Runs the work on an unfinished segment, and puts it in its place; removes it if the work fails. */
function place(engine: Engine, folder: string, { firstN, lastN }: NumberRange, work: Work): Promise<Placed> {
  return engine.withConnection(async (run) => {
    const unfinished = await beginSegment(folder)
    try {
      const manifest = await work(run, join(folder, unfinished))
      const name = nameSegment(firstN, lastN)
      return { name, bytes: await placeSegment(folder, { unfinished, name, manifest }) }
    } catch (error) {
      await removeSegment(folder, unfinished).catch(() => {})
      throw error
    } finally {
      await run('DROP TABLE IF EXISTS staged').catch(() => {})
    }
  })
}

/** Fills a table with the lines, through a file that is then removed. */
async function stage(run: RunSql, spillFolder: string, readLines: () => AsyncIterable<string>): Promise<void> {
  const path = join(spillFolder, 'lines.csv')
  try {
    await pipeline(readLines(), createWriteStream(path))
    const columns = Object.entries(STAGED).map(([name, type]) => `${quote(name)}: ${quote(type)}`)
    await run(`CREATE OR REPLACE TEMP TABLE staged AS
      SELECT * REPLACE (make_timestamp("time") AS "time", unhex(tx_hash) AS tx_hash)
      FROM read_csv(${quote(path)}, header = false, delim = ',', quote = '', escape = '', auto_detect = false, columns = {${columns.join(', ')}})`)
  } finally {
    await rm(path, { force: true })
  }
}

async function requireCount(run: RunSql, { firstN, lastN }: NumberRange): Promise<void> {
  const [row] = await run(
    'SELECT count(DISTINCT n)::DOUBLE AS n, count(*)::DOUBLE AS rows, min(n)::DOUBLE AS least, max(n)::DOUBLE AS most FROM staged',
  )
  const wanted = lastN - firstN + 1
  if (row?.n !== wanted || row.rows !== wanted || row.least !== firstN || row.most !== lastN)
    throw new Error(`the events ${firstN} to ${lastN} are not all there`)
}

/** Compares the number of rows, a sum, and the sum of the hashes of all rows. */
async function requireSame(run: RunSql, select: string, path: string): Promise<void> {
  const sums = (source: string) =>
    run(
      `SELECT count(*)::VARCHAR AS rows, sum(n)::VARCHAR AS numbers, sum(hash(r)::HUGEINT)::VARCHAR AS hashes FROM (${source}) r`,
    )
  const [[wanted], [written]] = [await sums(select), await sums(`SELECT * FROM ${readParquet([path])}`)]
  for (const key of ['rows', 'numbers', 'hashes'])
    if (wanted?.[key] !== written?.[key]) throw new Error(`${path} differs from the events that were written`)
}
