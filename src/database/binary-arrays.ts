// Encodes columns of rows as PostgreSQL arrays in binary format, so that neither side converts numbers to text. The
// format is that of array_recv and the types' recv functions in PostgreSQL's source.
import { itemAt } from '../base/item-at.ts'

export type Cell = string | number | bigint | boolean | null | readonly number[]

/** How a column is encoded. `time`: seconds since 1970 in memory. `hash`: 32 bytes, in memory hex with 0x. */
export type ColumnType =
  | 'integer'
  | 'bigint'
  | 'smallint'
  | 'text'
  | 'boolean'
  | 'numeric'
  | 'double'
  | 'time'
  | 'hash'
  | 'integers'
  | 'doubles'

/** A column: its name, its type, and the function that reads its cell from a row. */
export type Column<Row> = readonly [name: string, type: ColumnType, read: (row: Row) => Cell]

/** The SQL type of the array's elements. Numerics and lists are sent as text and cast where they are used. */
const WIRE: Readonly<Record<ColumnType, string>> = {
  integer: 'integer',
  bigint: 'bigint',
  smallint: 'smallint',
  text: 'text',
  boolean: 'boolean',
  numeric: 'text',
  double: 'double precision',
  time: 'timestamptz',
  hash: 'bytea',
  integers: 'text',
  doubles: 'text',
}

/**
 * A subquery for FROM that turns the array parameters from `first` on into rows. `unnest` in a SELECT list streams row
 * by row; in FROM, PostgreSQL first materialises each column, which takes almost half of an insert's time.
 */
export const rowsOf = <Row>(columns: readonly Column<Row>[], first = 1): string =>
  `(SELECT ${columns.map(([name, type], at) => `unnest($${first + at}::${WIRE[type]}[]) AS ${name}`).join(', ')})`

/** Encodes the rows, one array per column. */
export const toArrays = <Row>(columns: readonly Column<Row>[], rows: readonly Row[]): Buffer[] =>
  columns.map((column) => {
    const array = createArray(column)
    array.add(rows)
    return array.take()
  })

/** Encodes 32-bit integers as an array. */
export function toIntegers(integers: readonly number[]): Buffer {
  const array = createArray<number>(['', 'integer', (integer) => integer])
  array.add(integers)
  return array.take()
}

/** Encodes rows soon after they are added, so that they need not stay in memory until they are sent. */
export interface Sheet<Row> {
  add(row: Row): void
  /** Returns one array per column, or null if there were no rows. Nothing may be added afterwards. */
  take(): Buffer[] | null
}

/**
 * Creates an empty sheet. It encodes `together` rows at a time: column by column is faster, and so few rows are still
 * in the young generation of the heap. `sizes`: the bytes of the previous sheet. The new one reserves that much at
 * once, because it is often as large, and writes its own sizes there.
 */
export function createSheet<Row>(
  columns: readonly Column<Row>[],
  { together = SHEET_ROWS, sizes = [] }: { together?: number; sizes?: number[] } = {},
): Sheet<Row> {
  const arrays = columns.map((column, at) => createArray(column, sizes[at]))
  const rows: Row[] = []
  let isEmpty = true
  const write = () => {
    for (const array of arrays) array.add(rows)
    rows.length = 0
  }
  return {
    add: (row) => {
      isEmpty = false
      if (rows.push(row) === together) write()
    },
    take: () => {
      if (isEmpty) return null
      write()
      const taken = arrays.map((array) => array.take())
      for (const [at, { length }] of taken.entries()) sizes[at] = length
      return taken
    },
  }
}

/** Number of dimensions, null flag, element type, then the dimension's length and lower bound: 4 bytes each. */
const HEADER_BYTES = 20
/** An empty array has no dimension. */
const EMPTY_BYTES = 12
const NULL = -1
const SHEET_ROWS = 256
const TEXT_OID = 25

/** Elements of a fixed width: the OID of their type, and how to write one. */
interface Fixed {
  oid: number
  width: number
  put(view: DataView, at: number, cell: Exclude<Cell, null>): void
}

const putInt64 = (view: DataView, at: number, value: number) => {
  const high = Math.floor(value / 2 ** 32)
  view.setInt32(at, high)
  view.setUint32(at + 4, value - high * 2 ** 32)
}

/** PostgreSQL counts microseconds from 2000-01-01, which is this many seconds after 1970-01-01. */
const POSTGRES_EPOCH = 946_684_800

const numberOf = (cell: Cell): number => cell as number

const FIXED: { readonly [type in ColumnType]?: Fixed } = {
  integer: { oid: 23, width: 4, put: (view, at, cell) => view.setInt32(at, numberOf(cell)) },
  bigint: { oid: 20, width: 8, put: (view, at, cell) => putInt64(view, at, numberOf(cell)) },
  smallint: { oid: 21, width: 2, put: (view, at, cell) => view.setInt16(at, numberOf(cell)) },
  boolean: { oid: 16, width: 1, put: (view, at, cell) => view.setUint8(at, cell ? 1 : 0) },
  double: {
    oid: 701,
    width: 8, // Adding zero turns -0 into 0.
    put: (view, at, cell) => view.setFloat64(at, numberOf(cell) + 0),
  },
  time: {
    oid: 1184,
    width: 8,
    put: (view, at, cell) => putInt64(view, at, Math.round((numberOf(cell) - POSTGRES_EPOCH) * 1e6)),
  },
  hash: {
    oid: 17,
    width: 32,
    put: (view, at, cell) => {
      const text = cell as string
      for (let byte = 0; byte < 32; byte += 1)
        view.setUint8(at + byte, 16 * digitAt(text, 2 + 2 * byte) + digitAt(text, 3 + 2 * byte))
    },
  },
}

/** A hexadecimal digit: 0-9 follow code 48, a-f follow 97, A-F follow 65. */
function digitAt(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code < 58 ? code - 48 : (code | 32) - 87
}

const TEXTS: { readonly [type in ColumnType]?: (cell: Exclude<Cell, null>) => string } = {
  integers: (cell) => `{${String(cell)}}`,
  doubles: (cell) => `{${String(cell)}}`,
}

/** An array that grows as rows are added. */
interface GrowingArray<Row> {
  add(rows: readonly Row[]): void
  take(): Buffer
}

/** The part of an array that is encoded so far. */
interface Written {
  bytes: Buffer
  size: number
  length: number
  nulls: 0 | 1
}

function createArray<Row>([, type, read]: Column<Row>, room = 0): GrowingArray<Row> {
  const fixed = FIXED[type]
  const toText = TEXTS[type] ?? String
  const array: Written = { bytes: Buffer.allocUnsafeSlow(room), size: HEADER_BYTES, length: 0, nulls: 0 }
  return {
    add: (rows) => {
      if (fixed) addFixed(array, fixed, rows, read)
      else
        addTexts(array, rows, (row) => {
          const cell = read(row)
          return cell === null ? null : toText(cell)
        })
      array.length += rows.length
    },
    take: () => toBytes(array, fixed?.oid ?? TEXT_OID),
  }
}

function makeRoom(array: Written, width: number): void {
  const { bytes, size } = array
  if (size + width <= bytes.length) return
  array.bytes = Buffer.allocUnsafeSlow(Math.max(2 * bytes.length, size + width))
  bytes.copy(array.bytes, 0, 0, size)
}

function addFixed<Row>(array: Written, { width, put }: Fixed, rows: readonly Row[], read: (row: Row) => Cell): void {
  makeRoom(array, rows.length * (4 + width))
  const view = new DataView(array.bytes.buffer)
  let at = array.size
  for (let index = 0; index < rows.length; index += 1) {
    const cell = read(itemAt(rows, index))
    if (cell === null) {
      view.setInt32(at, NULL)
      at += 4
      array.nulls = 1
      continue
    }
    view.setInt32(at, width)
    put(view, at + 4, cell)
    at += 4 + width
  }
  array.size = at
}

function addTexts<Row>(array: Written, rows: readonly Row[], read: (row: Row) => string | null): void {
  const texts = rows.map(read)
  makeRoom(
    array,
    texts.reduce((size, text) => size + 4 + (text === null ? 0 : Buffer.byteLength(text)), 0),
  )
  const { bytes } = array
  let at = array.size
  for (const text of texts) {
    if (text === null) array.nulls = 1
    const length = text === null ? NULL : bytes.write(text, at + 4)
    bytes.writeInt32BE(length, at)
    at += 4 + Math.max(length, 0)
  }
  array.size = at
}

function toBytes({ bytes, size, length, nulls }: Written, oid: number): Buffer {
  const array = length === 0 ? Buffer.alloc(EMPTY_BYTES) : bytes.subarray(0, size)
  const header = length === 0 ? [0, 0, oid] : [1, nulls, oid, length, 1]
  for (const [index, value] of header.entries()) array.writeInt32BE(value, 4 * index)
  return array
}
