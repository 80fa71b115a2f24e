// Reads facts with one prepared statement for many tokens or wallets. Long results come as one array per column in
// PostgreSQL's binary format (array_send), so that neither side converts numbers to text.
import type pg from 'pg'
import { itemAt } from '../base/item-at.ts'
import { toIntegers } from './binary-arrays.ts'

/** The connection to read on: inside the transaction that also stores the result. */
export type Reader = Pick<pg.ClientBase, 'query'>

/** A column of a read: the SQL that selects it, and the list of its cells. */
export interface Selected<List> {
  sql: string
  parse(bytes: Buffer): List
}

/** An integer of four bytes that is never null. */
export const integer = (sql: string): Selected<Int32Array> => ({ sql, parse: parseIntegers })

/** A double precision, where NaN stands for null. */
export const double = (sql: string): Selected<Float64Array> => ({ sql, parse: parseDoubles })

/** A time, in seconds since 1970. */
export const seconds = (sql: string): Selected<Float64Array> => double(`date_part('epoch', ${sql})`)

/** A text. The type says which ones the column holds, and whether it holds nulls. */
export const text = <Text extends string | null = string>(sql: string): Selected<Text[]> => ({
  sql,
  parse: (bytes) => parseTexts(bytes) as Text[],
})

type Columns = Readonly<Record<string, Selected<unknown>>>

/** The answer: one list per column, under its name. */
type ColumnLists<Read extends Columns> = {
  readonly [Name in keyof Read]: Read[Name] extends Selected<infer List> ? List : never
}

/** Runs the query and returns one list per column. Lists among the values are of integers of four bytes. */
export type ColumnRead<Read extends Columns> = (
  client: Reader,
  values: readonly (number | string | readonly number[])[],
) => Promise<ColumnLists<Read>>

/** The result type of a read. */
export type RowsOf<Read> = Read extends ColumnRead<infer Columns> ? ColumnLists<Columns> : never

/** A prepared statement of this name. `toText` makes it from the columns' select list, in which each has its name. */
export function defineRead<Read extends Columns>(
  name: string,
  columns: Read,
  toText: (select: string) => string,
): ColumnRead<Read> {
  const entries = Object.entries(columns)
  const select = entries.map(([column, { sql }]) => `${sql} AS "${column}"`).join(', ')
  const arrays = entries.map(([column]) => `array_send(array_agg("${column}"))`).join(', ')
  const whole = `SELECT ${arrays} FROM (${toText(select)}) AS r`
  return async (client, values) => {
    const sent = values.map((value) => (typeof value === 'object' ? toIntegers(value) : value))
    const { rows } = await client.query<(Buffer | null)[]>({ name, text: whole, values: sent, rowMode: 'array' })
    const lists = entries.map(([column, { parse }], at) => [column, parse(rows[0]?.[at] ?? EMPTY)])
    return Object.fromEntries(lists) as ColumnLists<Read>
  }
}

/** An empty array, as array_send returns it. */
const EMPTY = Buffer.alloc(12)
/** Number of dimensions, null flag, element type, then the dimension's length and lower bound: 4 bytes each. */
const HEADER_BYTES = 20
const LENGTH_AT = 12

function parseIntegers(bytes: Buffer): Int32Array {
  const view = viewOf(bytes)
  const column = new Int32Array(countOf(bytes))
  for (let index = 0, at = HEADER_BYTES + 4; index < column.length; index += 1, at += 8)
    column[index] = view.getInt32(at)
  return column
}

function parseDoubles(bytes: Buffer): Float64Array {
  const view = viewOf(bytes)
  const column = new Float64Array(countOf(bytes))
  for (let index = 0, at = HEADER_BYTES; index < column.length; index += 1) {
    const isNull = view.getInt32(at) < 0
    column[index] = isNull ? Number.NaN : view.getFloat64(at + 4)
    at += isNull ? 4 : 12
  }
  return column
}

function parseTexts(bytes: Buffer): (string | null)[] {
  const column: (string | null)[] = []
  for (let at = HEADER_BYTES, left = countOf(bytes); left > 0; left -= 1) {
    const length = bytes.readInt32BE(at)
    at += 4
    column.push(length < 0 ? null : bytes.toString('utf8', at, at + length))
    at += Math.max(length, 0)
  }
  return column
}

const viewOf = (bytes: Buffer): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
const countOf = (bytes: Buffer): number => (bytes.length < HEADER_BYTES ? 0 : bytes.readInt32BE(LENGTH_AT))

/** Turns NaN back into null. */
export const orNull = (value: number | undefined): number | null =>
  value === undefined || Number.isNaN(value) ? null : value

const NONE: readonly number[] = []

/** Parses a list of numbers in PostgreSQL's text form: `{1,2}`. */
export const parseList = (text: string | null | undefined): readonly number[] =>
  !text || text === '{}' ? NONE : text.slice(1, -1).split(',').map(Number)

/** The rows of one key: from `from` up to but excluding `to`. */
export interface Range {
  from: number
  to: number
}

const NOWHERE: Range = { from: 0, to: 0 }

/** Returns the range of each key. Rows of the same key must be adjacent. */
export function findRanges(keys: ArrayLike<number>): (key: number) => Range {
  const ranges = new Map<number, Range>()
  for (let from = 0; from < keys.length; ) {
    const key = itemAt(keys, from)
    let to = from + 1
    while (to < keys.length && keys[to] === key) to += 1
    ranges.set(key, { from, to })
    from = to
  }
  return (key) => ranges.get(key) ?? NOWHERE
}

/** Returns the items of each key. They are built on demand, so that those of one score can be freed before the next. */
export function listBy<Item>(keys: ArrayLike<number>, toItem: (at: number) => Item): (key: number) => Item[] {
  const rangeOf = findRanges(keys)
  return (key) => {
    const { from, to } = rangeOf(key)
    const items: Item[] = []
    for (let at = from; at < to; at += 1) items.push(toItem(at))
    return items
  }
}
