// One Parquet file, read by columns, some thousand rows at a time. Input: a path. Output: numbers and bytes, each
// checked against the type of its column. A `StartupError` names the file and the column for any other content.
import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { type AsyncBuffer, type DecodedArray, type FileMetaData, parquetMetadataAsync, parquetScan } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { badColumn, badFile } from './fault.ts'

/** A required column. */
export interface FileColumn {
  name: string
  /** `number`: a whole number. A count: exactly that many bytes. `bytes`: any number of bytes. */
  type: 'number' | 'bytes' | number
  /** The value may be null. */
  isNullable?: boolean
}

/** Rows from `first` on, by column. */
export interface Piece {
  path: string
  first: number
  count: number
  numbers(column: string): Float64Array
  bytes(column: string): readonly Uint8Array[]
  /** The same for a column whose values may be null. */
  someBytes(column: string): readonly (Uint8Array | null)[]
}

export interface FileTable {
  path: string
  /** Ranges of rows to read at once, in order. No range crosses the end of a row group. */
  pieces: readonly { start: number; end: number }[]
  rows: number
  has(column: string): boolean
  read(columns: readonly FileColumn[], start: number, end: number): Promise<Piece>
}

/** The rows to read at once: a row group has this many if it was written as docs/indexing.md says. */
const PIECE_ROWS = 8_192
/** The most bytes of one column of a row group, or of a page of it. */
const MOST_BYTES = 256 * 2 ** 20
const NUMBERS = new Set(['INT32', 'INT64'])
const BYTES = new Set(['BYTE_ARRAY', 'FIXED_LEN_BYTE_ARRAY'])

type Types = ReadonlyMap<string, FileMetaData['schema'][number]>

/** Throws unless the file has the columns. */
function checkColumns(path: string, columns: readonly FileColumn[], types: Types): void {
  for (const { name, type } of columns) {
    const found = types.get(name)
    if (!found) throw badColumn(path, name, 'is missing; docs/indexing.md has the command that writes it')
    const allowed = type === 'number' ? NUMBERS : BYTES
    const isFlat = found.num_children === undefined && found.repetition_type !== 'REPEATED'
    if (!isFlat || !allowed.has(found.type ?? ''))
      throw badColumn(path, name, `must hold ${type === 'number' ? 'whole numbers' : 'bytes, or hex digits'}`)
  }
}

function isText(types: Types, name: string): boolean {
  const { converted_type, logical_type } = types.get(name) ?? {}
  return converted_type === 'UTF8' || logical_type?.type === 'STRING'
}

/** Opens the file; throws unless it has the columns. */
export async function openTable(path: string, columns: readonly FileColumn[]): Promise<FileTable> {
  const file = openBuffer(path)
  const metadata = await parquetMetadataAsync(file).catch((error: unknown) => {
    throw badFile(path, `cannot be read as Parquet: ${textOf(error)}`, error)
  })
  const types = new Map(metadata.schema.slice(1).map((element) => [element.name, element]))
  checkColumns(path, columns, types)
  const options = {
    file,
    metadata,
    compressors: BOUNDED,
    utf8: false,
    parsers: { stringFromBytes: (text: Uint8Array) => text },
  }
  const pieces = split(metadata.row_groups.map(({ num_rows }) => Number(num_rows)))

  async function read({ name, type, isNullable }: FileColumn, start: number, end: number) {
    let data: DecodedArray
    try {
      // A scan of its own for each piece, because a scan keeps the values that it read last.
      const scan = await parquetScan({ ...options, columns: [name] })
      data = await scan.readColumn({ column: name, rowStart: start, rowEnd: end })
    } catch (error) {
      throw badColumn(path, name, `cannot be read: ${textOf(error)}`, error)
    }
    if (data.length !== end - start)
      throw badColumn(
        path,
        name,
        `has ${data.length} of the ${end - start} rows from row ${start} on: the file is damaged`,
      )
    const fail = (row: number, what: string) => badColumn(path, name, `row ${start + row} ${what}`)
    if (type === 'number') return toNumbers(data, fail)
    const form = { size: type === 'bytes' ? null : type, isNullable: isNullable ?? false, isText: isText(types, name) }
    return toBytes(data, form, fail)
  }

  return {
    path,
    pieces,
    rows: pieces.at(-1)?.end ?? 0,
    has: (column) => types.has(column),
    read: async (wanted, start, end) => {
      const values = await Promise.all(wanted.map((column) => read(column, start, end)))
      const byName = new Map(wanted.map(({ name }, i) => [name, values[i]]))
      return {
        path,
        first: start,
        count: end - start,
        numbers: (column) => byName.get(column) as Float64Array,
        bytes: (column) => byName.get(column) as Uint8Array[],
        someBytes: (column) => byName.get(column) as (Uint8Array | null)[],
      }
    },
  }
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/**
 * Decompressors that refuse a page whose header claims too many bytes. An empty LZ4 page has one byte; it is handled
 * here too.
 */
const BOUNDED = Object.fromEntries(
  Object.entries(compressors).map(([codec, decompress]) => [
    codec,
    (input: Uint8Array, length: number) => {
      if (length > MOST_BYTES) throw new Error(`a page of ${length} bytes is too large`)
      return length === 0 ? new Uint8Array() : decompress(input, length)
    },
  ]),
)

/**
 * The file, opened for each read, so that an abandoned read leaves nothing open. The reading thread waits for it: a
 * round trip through the thread pool takes longer than most of these reads.
 */
function openBuffer(path: string): AsyncBuffer {
  const size = sizeOf(path)
  return {
    byteLength: size,
    slice(start, end = size) {
      const length = end - start
      if (start < 0 || length < 0 || end > size) throw new Error(`it ends before byte ${end}: it is damaged or cut off`)
      if (length > MOST_BYTES)
        throw new Error(`${length} bytes lie in one row group: write smaller ones (--row-group-size)`)
      const bytes = new Uint8Array(length)
      const file = openSync(path, 'r')
      try {
        for (let at = 0; at < length; ) {
          const count = readSync(file, bytes, at, length - at, start + at)
          if (count === 0) throw new Error('it became shorter while it was read')
          at += count
        }
      } finally {
        closeSync(file)
      }
      return bytes.buffer
    },
  }
}

function sizeOf(path: string): number {
  try {
    return statSync(path).size
  } catch (error) {
    throw badFile(path, `cannot be read: ${textOf(error)}`, error)
  }
}

function split(groups: readonly number[]): { start: number; end: number }[] {
  let first = 0
  return groups.flatMap((rows) => {
    const start = first
    first += rows
    return Array.from({ length: Math.ceil(rows / PIECE_ROWS) }, (_, i) => ({
      start: start + i * PIECE_ROWS,
      end: start + Math.min(rows, (i + 1) * PIECE_ROWS),
    }))
  })
}

type Fail = (row: number, what: string) => Error

function toNumbers(data: DecodedArray, fail: Fail): Float64Array {
  const numbers = new Float64Array(data.length)
  for (let row = 0; row < data.length; row++) {
    const value: unknown = data[row]
    const number = typeof value === 'bigint' ? Number(value) : value
    if (!Number.isSafeInteger(number) || (number as number) < 0)
      throw fail(row, `is ${value === null ? 'null' : String(value).slice(0, 30)}, not a whole number`)
    numbers[row] = number as number
  }
  return numbers
}

interface BytesType {
  size: number | null
  isNullable: boolean
  /** The bytes are the text of hex digits after 0x. */
  isText: boolean
}

function toBytes(data: DecodedArray, { size, isNullable, isText }: BytesType, fail: Fail): (Uint8Array | null)[] {
  const values = new Array<Uint8Array | null>(data.length)
  for (let row = 0; row < data.length; row++) {
    const raw: unknown = data[row]
    if (raw === null || raw === undefined) {
      if (!isNullable) throw fail(row, 'is null')
      values[row] = null
      continue
    }
    const value = isText ? fromHex(raw as Uint8Array) : (raw as Uint8Array)
    if (!value) throw fail(row, 'is a text, but not 0x and hex digits')
    if (size !== null && value.length !== size) throw fail(row, `has ${value.length} bytes, not ${size}`)
    values[row] = value
  }
  return values
}

function fromHex(text: Uint8Array): Uint8Array | null {
  const digits = Buffer.from(text.buffer, text.byteOffset, text.length).toString('latin1')
  const bytes = Buffer.from(digits.slice(2), 'hex')
  return digits.startsWith('0x') && 2 * bytes.length + 2 === digits.length ? bytes : null
}
