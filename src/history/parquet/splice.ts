// Joins the columns of two Parquet files with the same rows into one file, so that some columns are compressed and others
// are not. The bytes of pages are copied; offsets in the footer are moved. DuckDB's writer has one codec for a file.
import { readFile, writeFile } from 'node:fs/promises'
import { deserializeTCompactProtocol } from 'hyparquet/src/thrift.js'
import { ByteWriter } from 'hyparquet-writer'
import { serializeTCompactProtocol } from 'hyparquet-writer/src/thrift.js'
import { itemAt } from '../../base/item-at.ts'

const MAGIC = Buffer.from('PAR1')
/** The length of the footer and the magic word, at the end. */
const TAIL_BYTES = 8

/** Structures of the format by the numbers of their fields, as parquet.thrift has them. */
interface Footer {
  /** The root, and the columns. */
  field_2: object[]
  field_4: RowGroup[]
  /** The order of each column's values. */
  field_7: object[]
}
interface RowGroup {
  field_1: ColumnChunk[]
  /** Uncompressed bytes. */
  field_2: bigint
  /** Rows. */
  field_3: bigint
  /** Where it begins, and its compressed bytes. */
  field_5: bigint
  field_6: bigint
}
interface ColumnChunk {
  field_3: ColumnMetadata
}
interface ColumnMetadata {
  /** Compressed bytes. */
  field_7: bigint
  /** Where the data, the index and the dictionary begin. */
  field_9: bigint
  field_10?: bigint
  field_11?: bigint
}

interface ParquetFile {
  bytes: Buffer
  footer: Footer
}

async function readParquetFile(path: string): Promise<ParquetFile> {
  const bytes = await readFile(path)
  const length = bytes.readUInt32LE(bytes.length - TAIL_BYTES)
  const start = bytes.byteOffset + bytes.length - TAIL_BYTES - length
  const view = new DataView(bytes.buffer, start, length)
  const footer = deserializeTCompactProtocol({ view, offset: 0 })
  const { field_2, field_4, field_7 } = footer
  return { bytes, footer: { ...footer, field_2, field_4, field_7 } }
}

/** Writes the columns of both files, those of the first one first. Throws if their row groups have other rows. */
export async function spliceColumns(paths: readonly [string, string], into: string): Promise<void> {
  const files = [await readParquetFile(paths[0]), await readParquetFile(paths[1])] as const
  const [first, second] = files
  const groups = first.footer.field_4.length
  if (groups !== second.footer.field_4.length) throw new Error(`${paths[1]} has another number of row groups`)
  const pieces: Buffer[] = [MAGIC]
  let at = MAGIC.length
  const move = ({ bytes }: ParquetFile, chunk: ColumnChunk): ColumnChunk => {
    const { field_7: length, field_9: data, field_10: index, field_11: dictionary } = chunk.field_3
    const from = Math.min(...[data, index, dictionary].flatMap((each) => (each === undefined ? [] : [Number(each)])))
    pieces.push(bytes.subarray(from, from + Number(length)))
    const by = BigInt(at - from)
    at += Number(length)
    const moved = {
      ...chunk.field_3,
      field_9: data + by,
      ...(index === undefined ? {} : { field_10: index + by }),
      ...(dictionary === undefined ? {} : { field_11: dictionary + by }),
    }
    return { ...chunk, field_3: moved }
  }
  const joined = first.footer.field_4.map((group, index): RowGroup => {
    const other = itemAt(second.footer.field_4, index)
    if (other.field_3 !== group.field_3) throw new Error(`${paths[1]} has other rows in the row group ${index}`)
    const start = at
    const columns = files.flatMap((file) =>
      itemAt(file.footer.field_4, index).field_1.map((chunk) => move(file, chunk)),
    )
    const [offset, bytes] = [BigInt(start), BigInt(at - start)]
    return { ...group, field_1: columns, field_2: group.field_2 + other.field_2, field_5: offset, field_6: bytes }
  })
  const [root = {}, ...columns] = files.flatMap(({ footer }, index) => footer.field_2.slice(index))
  const footer = new ByteWriter()
  serializeTCompactProtocol(footer, {
    ...first.footer,
    field_2: [{ ...root, field_5: columns.length }, ...columns],
    field_4: joined,
    field_7: files.flatMap((file) => file.footer.field_7),
  })
  const length = Buffer.alloc(4)
  length.writeUInt32LE(footer.offset)
  await writeFile(into, Buffer.concat([...pieces, footer.getBytes(), length, MAGIC]))
}
