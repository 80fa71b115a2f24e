// Rows as a Parquet file: a row group for each slice, compressed with Snappy, which every reader knows.
import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer'
import { readVersion } from '../base/version.ts'
import type { ExportCell, ExportColumn, ExportColumnType } from './column.ts'
import type { Encoder } from './encoder.ts'

type Shape = Omit<SchemaElement, 'name' | 'repetition_type'>

const TEXT: Shape = { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } }

const SHAPES: Readonly<Record<Exclude<ExportColumnType, 'strings'>, Shape>> = {
  string: TEXT,
  int32: { type: 'INT32' },
  double: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
  timestamp: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MILLIS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
  },
}

/** Every column may hold nulls. A list has the three levels of the format's specification. */
function elementsOf({ name, type }: ExportColumn): SchemaElement[] {
  if (type !== 'strings') return [{ name, repetition_type: 'OPTIONAL', ...SHAPES[type] }]
  return [
    { name, repetition_type: 'OPTIONAL', converted_type: 'LIST', logical_type: { type: 'LIST' }, num_children: 1 },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    { name: 'element', repetition_type: 'OPTIONAL', ...TEXT },
  ]
}

/** The end of `num_rows` 0 and the beginning of an empty list of row groups, in the compact protocol of Thrift. */
const NO_GROUPS = Uint8Array.of(0x16, 0x00, 0x19, 0x00)
/** A list of no structs. */
const NO_STRUCTS = 0x0c

/** hyparquet-writer gives an empty list the element type 0, which the readers of Rust's Arrow refuse. */
function typeNoGroups(footer: Uint8Array): Uint8Array {
  const at = Buffer.from(footer.buffer, footer.byteOffset, footer.length).lastIndexOf(NO_GROUPS)
  if (at >= 0) footer[at + NO_GROUPS.length - 1] = NO_STRUCTS
  return footer
}

export function createParquetEncoder(columns: readonly ExportColumn[]): Encoder {
  const bytes = new ByteWriter()
  const root: SchemaElement = { name: 'root', num_children: columns.length }
  const schema = [root, ...columns.flatMap(elementsOf)]
  const file = new ParquetWriter({ writer: bytes, schema, createdBy: `assay version ${readVersion()}` })
  let hasRows = false
  const take = () => {
    const chunk = bytes.getBytes().slice()
    bytes.index = 0
    return chunk
  }
  return {
    encode: async (rows) => {
      const columnData = columns.map(({ name }, at) => ({ name, data: rows.map((row): ExportCell => row[at] ?? null) }))
      hasRows = true
      await file.write({ columnData, rowGroupSize: rows.length })
      return take()
    },
    finish: async () => {
      await file.finish()
      return hasRows ? take() : typeNoGroups(take())
    },
  }
}
