// How facts are read: one flat prepared statement for many tokens or wallets at once. Long answers come column by column,
// each as one array in PostgreSQL's binary format (array_send): no text is made of a number there, and none is parsed here.
import type pg from 'pg'
import { toIntegers } from './binary-arrays.ts'

/** Who asks: a connection, inside the transaction that also stores what comes of it. */
export type Reader = Pick<pg.ClientBase, 'query'>

/** Rows as arrays in the order of the select list; the name makes it a prepared statement. Lists are of integers of four bytes. */
export async function readRows<Row extends unknown[]>(
  client: Reader,
  name: string,
  text: string,
  values: readonly (number | string | readonly number[])[],
): Promise<Row[]> {
  const sent = values.map((value) => (typeof value === 'object' ? toIntegers(value) : value))
  const { rows } = await client.query<Row>({ name, text, values: sent, rowMode: 'array' })
  return rows
}

/** `integer`: PostgreSQL's of four bytes; `double`: its double precision, where NaN stands for null. */
export type Kind = 'integer' | 'double' | 'text'
type ColumnOf<K> = K extends 'integer' ? Int32Array : K extends 'double' ? Float64Array : (string | null)[]
export type ColumnLists<Kinds extends readonly Kind[]> = { -readonly [At in keyof Kinds]: ColumnOf<Kinds[At]> }

/** One list per column of the select list, whose types must be the kinds'; an integer must not be null. */
export async function readColumns<const Kinds extends readonly Kind[]>(
  client: Reader,
  name: string,
  kinds: Kinds,
  text: string,
  values: readonly (number | readonly number[])[],
): Promise<ColumnLists<Kinds>> {
  const names = kinds.map((_, at) => `c${at}`)
  const arrays = names.map((column) => `array_send(array_agg(${column}))`)
  const whole = `SELECT ${arrays.join(', ')} FROM (${text}) AS r(${names.join(', ')})`
  const [row] = await readRows<(Buffer | null)[]>(client, name, whole, values)
  return kinds.map((kind, at) => PARSERS[kind](row?.[at] ?? EMPTY)) as ColumnLists<Kinds>
}

/** An array without elements, as array_send gives it. */
const EMPTY = Buffer.alloc(12)
/** Dimensions, whether there are nulls, the element's type; length and lower bound of the dimension: four bytes each. */
const HEADER_BYTES = 20
const LENGTH_AT = 12

const PARSERS: { readonly [K in Kind]: (bytes: Buffer) => ColumnOf<Kind> } = {
  integer: (bytes) => {
    const view = viewOf(bytes)
    const column = new Int32Array(countOf(bytes))
    for (let index = 0, at = HEADER_BYTES + 4; index < column.length; index += 1, at += 8)
      column[index] = view.getInt32(at)
    return column
  },
  double: (bytes) => {
    const view = viewOf(bytes)
    const column = new Float64Array(countOf(bytes))
    for (let index = 0, at = HEADER_BYTES; index < column.length; index += 1) {
      const isNull = view.getInt32(at) < 0
      column[index] = isNull ? Number.NaN : view.getFloat64(at + 4)
      at += isNull ? 4 : 12
    }
    return column
  },
  text: (bytes) => {
    const column: (string | null)[] = []
    for (let at = HEADER_BYTES, left = countOf(bytes); left > 0; left -= 1) {
      const length = bytes.readInt32BE(at)
      at += 4
      column.push(length < 0 ? null : bytes.toString('utf8', at, at + length))
      at += Math.max(length, 0)
    }
    return column
  },
}

const viewOf = (bytes: Buffer): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
const countOf = (bytes: Buffer): number => (bytes.length < HEADER_BYTES ? 0 : bytes.readInt32BE(LENGTH_AT))

/** A double as it was read; null where it was. */
export const orNull = (value: number | undefined): number | null =>
  value === undefined || Number.isNaN(value) ? null : value

const NONE: readonly number[] = []

/** A list of numbers as PostgreSQL writes it: `{1,2}`. */
export const parseList = (text: string | null | undefined): readonly number[] =>
  !text || text === '{}' ? NONE : text.slice(1, -1).split(',').map(Number)

/** Where the rows of a key stand among columns: from the first to before `to`. */
export interface Range {
  from: number
  to: number
}

const NOWHERE: Range = { from: 0, to: 0 }

/** Ranges by key; rows of the same key must stand together. */
export function findRanges(keys: ArrayLike<number>): (key: number) => Range {
  const ranges = new Map<number, Range>()
  for (let from = 0; from < keys.length; ) {
    const key = keys[from] as number
    let to = from + 1
    while (to < keys.length && keys[to] === key) to += 1
    ranges.set(key, { from, to })
    from = to
  }
  return (key) => ranges.get(key) ?? NOWHERE
}

/** Lists by key, each made of its rows when it is asked for, so that what is made for one score is gone before the next. */
export function listBy<Item>(keys: ArrayLike<number>, toItem: (at: number) => Item): (key: number) => Item[] {
  const rangeOf = findRanges(keys)
  return (key) => {
    const { from, to } = rangeOf(key)
    const items: Item[] = []
    for (let at = from; at < to; at += 1) items.push(toItem(at))
    return items
  }
}

/** Appends to the list under the key. */
export function pushTo<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}
