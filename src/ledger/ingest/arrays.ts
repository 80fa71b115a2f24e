// Columns of rows as arrays of PostgreSQL in its binary format: no text is made of a number here, and none is parsed there.
// Format: array_recv and the recv functions of the types in PostgreSQL's source.

export type Cell = string | number | bigint | boolean | null | readonly number[]

/** How a column travels. `time`: seconds since 1970 in memory. `hash`: 32 bytes, hex with 0x in memory. */
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

/** A column: its name, how it travels, and its cell of a row. */
export type Column<Row> = readonly [name: string, type: ColumnType, read: (row: Row) => Cell]

/** The type of the elements as SQL names it; numeric and lists travel as text, and are cast where they are used. */
export const WIRE: Readonly<Record<ColumnType, string>> = {
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

/** One array per column. */
export const toArrays = <Row>(columns: readonly Column<Row>[], rows: readonly Row[]): Buffer[] =>
  columns.map(([, type, read]) => {
    const fixed = FIXED[type]
    return fixed ? toFixedArray(fixed, rows, read) : toTextArray(TEXTS[type] ?? String, rows, read)
  })

/** Dimensions, whether there are nulls, the element's type; length and lower bound of the dimension: four bytes each. */
const HEADER_BYTES = 20
/** An empty array has no dimension. */
const EMPTY_BYTES = 12
const NULL = -1
const TEXT_OID = 25

/** Elements of one width: PostgreSQL's identifier of the type, and how one is written. */
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

/** Seconds from 1970 to 2000, from which PostgreSQL counts microseconds. */
const POSTGRES_EPOCH = 946_684_800

const FIXED: { readonly [type in ColumnType]?: Fixed } = {
  integer: { oid: 23, width: 4, put: (view, at, cell) => view.setInt32(at, cell as number) },
  bigint: { oid: 20, width: 8, put: (view, at, cell) => putInt64(view, at, cell as number) },
  smallint: { oid: 21, width: 2, put: (view, at, cell) => view.setInt16(at, cell as number) },
  boolean: { oid: 16, width: 1, put: (view, at, cell) => view.setUint8(at, cell ? 1 : 0) },
  double: {
    oid: 701,
    width: 8, // Adding zero turns -0 into 0.
    put: (view, at, cell) => view.setFloat64(at, (cell as number) + 0),
  },
  time: {
    oid: 1184,
    width: 8,
    put: (view, at, cell) => putInt64(view, at, Math.round(((cell as number) - POSTGRES_EPOCH) * 1e6)),
  },
  hash: {
    oid: 17,
    width: 32,
    put: (view, at, cell) => {
      for (let word = 0; word < 8; word += 1) {
        const from = 2 + 8 * word
        view.setUint32(at + 4 * word, Number.parseInt((cell as string).slice(from, from + 8), 16))
      }
    },
  },
}

const TEXTS: { readonly [type in ColumnType]?: (cell: Exclude<Cell, null>) => string } = {
  integers: (cell) => `{${String(cell)}}`,
  doubles: (cell) => `{${String(cell)}}`,
}

function toFixedArray<Row>({ oid, width, put }: Fixed, rows: readonly Row[], read: (row: Row) => Cell): Buffer {
  const bytes = Buffer.allocUnsafeSlow(HEADER_BYTES + rows.length * (4 + width))
  const view = new DataView(bytes.buffer)
  let at = HEADER_BYTES
  let nulls = 0
  for (let index = 0; index < rows.length; index += 1) {
    const cell = read(rows[index] as Row)
    if (cell === null) {
      view.setInt32(at, NULL)
      at += 4
      nulls = 1
      continue
    }
    view.setInt32(at, width)
    put(view, at + 4, cell)
    at += 4 + width
  }
  putHeader(view, rows.length, nulls, oid)
  return bytes.subarray(0, rows.length === 0 ? EMPTY_BYTES : at)
}

function toTextArray<Row>(
  toText: (cell: Exclude<Cell, null>) => string,
  rows: readonly Row[],
  read: (row: Row) => Cell,
): Buffer {
  const texts: (string | null)[] = []
  let size = HEADER_BYTES
  let nulls = 0
  for (let index = 0; index < rows.length; index += 1) {
    const cell = read(rows[index] as Row)
    const text = cell === null ? null : toText(cell)
    if (text === null) nulls = 1
    size += 4 + (text === null ? 0 : Buffer.byteLength(text))
    texts.push(text)
  }
  const bytes = Buffer.allocUnsafeSlow(size)
  const view = new DataView(bytes.buffer)
  let at = HEADER_BYTES
  for (const text of texts) {
    const length = text === null ? NULL : bytes.write(text, at + 4)
    view.setInt32(at, length)
    at += 4 + Math.max(length, 0)
  }
  putHeader(view, rows.length, nulls, TEXT_OID)
  return bytes.subarray(0, rows.length === 0 ? EMPTY_BYTES : at)
}

function putHeader(view: DataView, length: number, nulls: number, oid: number): void {
  const header = [length === 0 ? 0 : 1, nulls, oid, length, 1]
  for (const [index, value] of header.entries()) view.setInt32(4 * index, value)
}
