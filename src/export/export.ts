// Exports a table into a folder, a partition at a time. A history has a partition for each UTC day of final blocks, which
// never change. A snapshot has one, of the newest block. Each partition is read in one snapshot of the database.
import { join } from 'node:path'
import { StartupError } from '../base/errors.ts'
import type { pg } from '../database/client.ts'
import { inTransaction } from '../database/transaction.ts'
import type { HistoryReader } from '../history/history.ts'
import { readHead } from '../ledger/head.ts'
import type { Row } from './column.ts'
import { createCsvEncoder } from './csv.ts'
import type { Format } from './encoder.ts'
import { type ExportFolder, openFolder } from './folder.ts'
import { type LockFolder, withFolderLock } from './folder-lock.ts'
import { type Manifest, type Partition, SCHEMA_VERSION } from './manifest.ts'
import { createParquetEncoder } from './parquet.ts'
import { cutToKept, daysOf, type RangeEnd, toTime } from './span.ts'
import {
  type KeyBounds,
  type RowSource,
  readSlices,
  type TableHistory,
  type TableName,
  type TimeRange,
} from './table.ts'
import { TABLES } from './tables.ts'

/** A moment, and the argument that named it. */
export interface Given {
  text: string
  moment: RangeEnd
}

export interface ExportOptions {
  table: TableName
  format: Format
  /** The folder of all tables. */
  out: string
  from: Given | null
  to: Given | null
}

export interface ExportProgress {
  /** Partitions that are complete, of this many. */
  done: number
  total: number
  /** Rows that this run has written. */
  rows: number
}

export interface ExportDeps {
  pool: pg.Pool
  /** What left the database; none: nothing did. */
  history?: HistoryReader | null | undefined
  signal: AbortSignal
  onProgress(progress: ExportProgress): void
}

type LockingDeps = ExportDeps & { lock: LockFolder }

/** What the folder holds after the run. */
export interface Exported {
  /** Null: a snapshot. */
  span: TimeRange | null
  block: number
  partitions: number
  /** Written by this run; the others were complete. */
  written: number
  rows: number
}

interface Chain {
  chainId: number
  name: string
  /** The newest final block. */
  final: { number: number; time: Date }
}

const ENCODERS = { parquet: createParquetEncoder, csv: createCsvEncoder }
/** The bounds of a snapshot: all identifiers. */
const EVERYTHING = [0, 2 ** 31] as const

const onSnapshot = <T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> =>
  inTransaction(pool, work, 'ISOLATION LEVEL REPEATABLE READ READ ONLY')

/** Writes the partitions that are missing. Throws a `StartupError`. */
export async function exportTable(given: ExportDeps, options: ExportOptions): Promise<Exported> {
  const { history } = TABLES[options.table]
  if (history || (!options.from && !options.to))
    return withFolderLock(given, (lock) => {
      const deps = { ...given, lock }
      return history ? exportHistory(deps, options, history) : exportSnapshot(deps, options)
    })
  const flag = options.from ? '--from' : '--to'
  throw new StartupError(`${flag}: ${options.table} are exported as they are at the newest block. Leave it out.`, 2)
}

async function exportHistory(deps: LockingDeps, options: ExportOptions, history: TableHistory): Promise<Exported> {
  const { chain, oldest } = await onSnapshot(deps.pool, async (client) => ({
    chain: await readChain(client),
    oldest: await history.findOldest(client),
  }))
  if (!oldest || oldest >= chain.final.time)
    throw new StartupError(`No ${options.table} are final yet: let the index run first.`)
  const timeOf = (given: Given | null) => given && toTime(given.moment, chain.final.time)
  const to = timeOf(options.to)
  const kept = { oldest, final: chain.final.time, periodSeconds: history.periodSeconds }
  const { from } = cutToKept({ from: timeOf(options.from), to }, kept)
  const folder = await openFolder(join(options.out, options.table), toManifest(options, chain, from), deps.lock)
  // A relative --from means in every run the time that it meant in the first.
  const span = cutToKept({ from: new Date(folder.manifest.from ?? from), to }, kept)
  const days = [...daysOf(span)]
  let [written, rows] = [0, 0]
  for (const [done, day] of days.entries()) {
    const tell = (count: number) => deps.onProgress({ done, total: days.length, rows: rows + count })
    tell(0)
    if (await folder.isComplete(day.name, day.to.toISOString())) continue
    rows += await onSnapshot(deps.pool, async (client) => {
      const source = { reader: client, history: deps.history }
      const bounds = await history.findBounds(source, day)
      const facts = { from: day.from.toISOString(), to: day.to.toISOString(), block: chain.final.number }
      return writePartition(folder, { name: day.name, facts, bounds }, options, { source, signal: deps.signal, tell })
    })
    written += 1
  }
  deps.onProgress({ done: days.length, total: days.length, rows })
  return { span, block: chain.final.number, partitions: days.length, written, rows }
}

function exportSnapshot({ pool, lock, signal, onProgress }: LockingDeps, options: ExportOptions): Promise<Exported> {
  return onSnapshot(pool, async (client) => {
    const chain = await readChain(client)
    const { number: block } = await readHead(client)
    const folder = await openFolder(join(options.out, options.table), toManifest(options, chain, null), lock)
    const name = `block=${block}`
    const result = { span: null, block, partitions: 1 }
    if (await folder.isComplete(name, null)) return { ...result, written: 0, rows: 0 }
    const tell = (count: number) => onProgress({ done: 0, total: 1, rows: count })
    const partition = { name, facts: { from: null, to: null, block }, bounds: EVERYTHING }
    const source = { reader: client, history: null }
    const rows = await writePartition(folder, partition, options, { source, signal, tell })
    onProgress({ done: 1, total: 1, rows })
    return { ...result, written: 1, rows }
  })
}

/** Reads and writes one partition. Returns its number of rows. */
function writePartition(
  folder: ExportFolder,
  { name, facts, bounds }: { name: string; facts: Omit<Partition, 'rows' | 'bytes'>; bounds: KeyBounds },
  { table, format }: ExportOptions,
  { source, signal, tell }: { source: RowSource; signal: AbortSignal; tell(rows: number): void },
): Promise<number> {
  const encoder = ENCODERS[format](TABLES[table].columns)
  const slices = watch(readSlices(source, TABLES[table], bounds), signal, tell)
  return folder.write(name, { encoder, slices }, facts)
}

/** The same slices, until the signal aborts; `tell` hears how many rows were read. */
async function* watch(
  slices: AsyncIterable<Row[]>,
  signal: AbortSignal,
  tell: (rows: number) => void,
): AsyncGenerator<Row[]> {
  let rows = 0
  for await (const slice of slices) {
    signal.throwIfAborted()
    yield slice
    rows += slice.length
    tell(rows)
  }
}

async function readChain(reader: RowSource['reader']): Promise<Chain> {
  const { rows } = await reader.query<{ chainId: string; name: string; number: number; time: Date }>(
    `SELECT c.chain_id AS "chainId", c.name, b.number, b.time FROM chain c
      JOIN block b ON b.number <= c.finalized ORDER BY b.number DESC LIMIT 1`,
  )
  const [row] = rows
  if (!row) throw new StartupError('No final block is indexed yet: run `index` first.')
  return { chainId: Number(row.chainId), name: row.name, final: { number: row.number, time: row.time } }
}

function toManifest(
  { table, format, from, to }: ExportOptions,
  { chainId, name }: Chain,
  start: Date | null,
): Manifest {
  return {
    schemaVersion: SCHEMA_VERSION,
    ...{ chainId, chain: name, table, format },
    arguments: { from: from?.text ?? null, to: to?.text ?? null },
    from: start?.toISOString() ?? null,
    columns: TABLES[table].columns.map(({ name, type, unit, meaning }) => ({ name, type, unit, meaning })),
    partitions: {},
  }
}
