// An exported table, and how its rows are read: in slices, each after the key of the last row before it.
import type { Reader } from '../database/column-query.ts'
import type { HistoryReader } from '../history/history.ts'
import { addHashes, rowsIn, toRows } from '../ledger/old-rows.ts'
import { attachHistoryOn } from '../ledger/segments.ts'
import type { ExportCell, ExportColumn, Row } from './column.ts'

export const TABLE_NAMES = ['events', 'candles', 'scores', 'tokens', 'wallets'] as const
export type TableName = (typeof TABLE_NAMES)[number]

/** A range of time: `from` is included, `to` is not. */
export interface TimeRange {
  from: Date
  to: Date
}

/** The bounds of `ExportedTable.range`: the first is included, the last is not. */
export type KeyBounds = readonly [number, number]

export interface ExportedTable {
  columns: readonly ExportColumn[]
  /** What follows FROM. `$1` and `$2` are the bounds. */
  source: string
  /** The condition that the bounds set. */
  range: string
  /** SQL of the whole numbers that order its rows and identify them, each above -1. */
  key: readonly string[]
  /** What follows FROM for rows that left the database; none: it has all. */
  olderSource?: string
  /** Null: a snapshot of the newest block, whose bounds are all numbers. */
  history: TableHistory | null
}

/** How a table with a history finds its rows in time. */
export interface TableHistory {
  /** Seconds into which time is divided: a row belongs to a whole period. */
  periodSeconds: number
  /** The time of the oldest kept row; null: there is none. */
  findOldest(reader: Reader): Promise<Date | null>
  findBounds(source: RowSource, span: TimeRange): Promise<KeyBounds>
}

/** A connection, and what left its database. */
export interface RowSource {
  reader: Reader
  history: HistoryReader | null | undefined
}

/** Rows of a slice: it bounds the memory, and is one row group of a Parquet file. */
const SLICE_ROWS = 20_000

/** The rows within the bounds, in the order of the key. */
export async function* readSlices(
  source: RowSource,
  table: ExportedTable,
  bounds: KeyBounds,
  most = SLICE_ROWS,
): AsyncGenerator<Row[]> {
  const kept = table.olderSource ? yield* readOlder(source, table, bounds, most) : bounds
  yield* readKept(source.reader, table, kept, most)
}

/** The rows of events in the history. Returns the bounds of the others. */
async function* readOlder(
  { reader, history: store }: RowSource,
  { columns, olderSource, key }: ExportedTable,
  bounds: KeyBounds,
  most: number,
): AsyncGenerator<Row[], KeyBounds> {
  const history = await attachHistoryOn(reader, store)
  const last = Math.min(history?.lastN ?? 0, bounds[1] - 1)
  if (!history || bounds[0] > last) return bounds
  const text = `SELECT ${columns.map(({ sql }) => sql).join(', ')} FROM ${rowsIn(1)} ${olderSource} ORDER BY ${key.join(', ')}`
  for (let above = Math.max(bounds[0], 1) - 1; above < last; above += most) {
    const range = { of: 'all' as const, id: 0, type: null, above, below: Math.min(last, above + most) }
    const [events = []] = await history.store.readRanges(history.segments, [range])
    const values = [toRows(await addHashes(history, events))]
    const { rows } = await reader.query<ExportCell[]>({ text, values, rowMode: 'array' })
    if (rows.length > 0) yield rows
  }
  return [last + 1, bounds[1]]
}

async function* readKept(
  reader: Reader,
  { columns, source, range, key }: ExportedTable,
  bounds: KeyBounds,
  most: number,
): AsyncGenerator<Row[]> {
  const marks = key.map((_, at) => `$${at + 3}`).join(', ')
  const text = `SELECT ${[...columns.map(({ sql }) => sql), ...key].join(', ')} FROM ${source}
    WHERE ${range} AND (${key.join(', ')}) > (${marks}) ORDER BY ${key.join(', ')} LIMIT ${most}`
  let after: readonly ExportCell[] = key.map(() => -1)
  for (;;) {
    const { rows } = await reader.query<ExportCell[]>({ text, values: [...bounds, ...after], rowMode: 'array' })
    const last = rows.at(-1)
    if (!last) return
    after = last.slice(columns.length)
    yield rows.map((row) => row.slice(0, columns.length))
    if (rows.length < most) return
  }
}
