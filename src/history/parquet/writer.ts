// Writes segments of a history. The rows come as lines of text, twice. The first time they are written, sorted three
// ways. The second time they are compared with what the files then hold. A segment that differs is not placed.
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { quote } from '../../base/sql-text.ts'
import type { HistoryWriter, Placed, Segment } from '../history.ts'
import type { HistoryColumn } from '../lines.ts'
import { type Engine, type EngineRow, openEngine } from './engine.ts'
import {
  beginSegment,
  fileOf,
  makeMarker,
  makeSpillFolder,
  nameSegment,
  placeSegment,
  readMarker,
  removeSegment,
  requireFiles,
  SEGMENT_FILES,
  type SegmentFile,
  sweepFolder,
} from './files.ts'
import { TYPE_COLUMNS } from './sql.ts'

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
/** Rows of a group. A page is in one or two groups of the others, and its hashes may be in as many groups as it has events. */
const GROUP_ROWS: Readonly<Record<SegmentFile, number>> = {
  events: 61_440,
  hashes: 16_384,
  tokens: 61_440,
  wallets: 61_440,
}
export const copyOptionsOf = (file: SegmentFile) =>
  `(FORMAT parquet, COMPRESSION zstd, PARQUET_VERSION v2, ROW_GROUP_SIZE ${GROUP_ROWS[file]})`

type Run = (sql: string) => Promise<EngineRow[]>

/** Whole micro-dollars take half the room. Null: too many. */
const MICRO = 'TRY_CAST(round(amount_usd * 1e6) AS BIGINT)'
/** `amount_usd` is null where the micro-dollars give exactly it. */
const COMMON = `n, type, block_number, log_index, part, time, counterparty_id, pool_id, signer_id, direction, quantity,
  ${MICRO} AS amount_micro, CASE WHEN ${MICRO} / 1e6 = amount_usd THEN NULL ELSE amount_usd END AS amount_usd, attribution`
const OWN = 'wallet_id AS reader_id, false AS received, wallet_n AS number, wallet_type_n AS type_number'
const RECEIVED = 'counterparty_id, true, counterparty_n, counterparty_type_n'

/** What each file holds of the rows `staged`, and its order. */
const CONTENTS: Readonly<Record<SegmentFile, { select: string; order: string }>> = {
  events: {
    select: `SELECT ${COMMON}, token_id, wallet_id,
      ${TYPE_COLUMNS.map((column, at) => `coalesce(max(type_n) FILTER (type = ${at + 1}) OVER numbers, 0) AS ${column}`).join(', ')}
      FROM staged WINDOW numbers AS (ORDER BY n ROWS UNBOUNDED PRECEDING)`,
    order: 'n',
  },
  hashes: { select: 'SELECT n, tx_hash FROM staged', order: 'n' },
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
      return place(engine, folder, range, writeFrom(folder, spillFolder, range, readLines))
    },
    merge: async (segments) => {
      const [first, last] = [segments[0], segments.at(-1)]
      if (!first || !last) throw new Error('there is nothing to merge')
      const range = { firstN: first.firstN, lastN: last.lastN }
      return place((await open()).engine, folder, range, mergeFrom(folder, segments))
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

/** Writes an unfinished segment. */
type Work = (run: Run, unfinished: string) => Promise<void>

const writeFrom =
  (
    folder: string,
    spillFolder: string,
    range: Pick<Segment, 'firstN' | 'lastN'>,
    readLines: () => AsyncIterable<string>,
  ): Work =>
  async (run, unfinished) => {
    await stage(run, spillFolder, readLines)
    await requireCount(run, range)
    await copyStaged(run, folder, unfinished)
    await stage(run, spillFolder, readLines)
    for (const file of SEGMENT_FILES)
      await requireSame(run, file, CONTENTS[file].select, fileOf(folder, unfinished, file))
  }

const mergeFrom =
  (folder: string, segments: readonly Segment[]): Work =>
  async (run, unfinished) => {
    for (const file of SEGMENT_FILES) {
      const parts = segments.map(({ name }) => quote(fileOf(folder, name, file))).join(', ')
      const select = `SELECT * FROM read_parquet([${parts}], hive_partitioning = false)`
      const path = fileOf(folder, unfinished, file)
      // Neighbours follow each other in the order of running numbers.
      const order = CONTENTS[file].order === 'n' ? '' : ` ORDER BY ${CONTENTS[file].order}`
      await run(`COPY (${select}${order}) TO ${quote(path)} ${copyOptionsOf(file)}`)
      await requireSame(run, file, select, path)
    }
  }

/** Writes the files of a segment from the table `staged`. */
export async function copyStaged(run: Run, folder: string, name: string): Promise<void> {
  for (const file of SEGMENT_FILES) {
    const { select, order } = CONTENTS[file]
    const path = quote(fileOf(folder, name, file))
    await run(`COPY (SELECT * FROM (${select}) ORDER BY ${order}) TO ${path} ${copyOptionsOf(file)}`)
  }
}

/** Runs the work on an unfinished segment, and puts it in its place; removes it if the work fails. */
function place(
  engine: Engine,
  folder: string,
  { firstN, lastN }: Pick<Segment, 'firstN' | 'lastN'>,
  work: Work,
): Promise<Placed> {
  return engine.withConnection(async (run) => {
    const unfinished = await beginSegment(folder)
    try {
      await work(run, unfinished)
      const name = nameSegment(firstN, lastN)
      return { name, bytes: await placeSegment(folder, unfinished, name) }
    } catch (error) {
      await removeSegment(folder, unfinished).catch(() => {})
      throw error
    } finally {
      await run('DROP TABLE IF EXISTS staged').catch(() => {})
    }
  })
}

/** Fills a table with the lines, through a file that is then removed. */
async function stage(run: Run, spillFolder: string, readLines: () => AsyncIterable<string>): Promise<void> {
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

async function requireCount(run: Run, { firstN, lastN }: Pick<Segment, 'firstN' | 'lastN'>): Promise<void> {
  const [row] = await run(
    'SELECT count(DISTINCT n)::DOUBLE AS n, count(*)::DOUBLE AS rows, min(n)::DOUBLE AS least, max(n)::DOUBLE AS most FROM staged',
  )
  const wanted = lastN - firstN + 1
  if (row?.n !== wanted || row.rows !== wanted || row.least !== firstN || row.most !== lastN)
    throw new Error(`the events ${firstN} to ${lastN} are not all there`)
}

/** Compares the number of rows, a sum, and the sum of the hashes of all rows. */
async function requireSame(run: Run, file: SegmentFile, select: string, path: string): Promise<void> {
  const sums = (source: string) =>
    run(
      `SELECT count(*)::VARCHAR AS rows, sum(n)::VARCHAR AS numbers, sum(hash(r)::HUGEINT)::VARCHAR AS hashes FROM (${source}) r`,
    )
  const [[wanted], [written]] = [await sums(select), await sums(`SELECT * FROM read_parquet(${quote(path)})`)]
  for (const key of ['rows', 'numbers', 'hashes'])
    if (wanted?.[key] !== written?.[key]) throw new Error(`the file ${file} differs from the events that were written`)
}
