// Rows as CSV (RFC 4180), with the cells of REST's CSV: an empty cell is null, and no cell is a formula.
import { toCell } from '../base/csv-cell.ts'
import type { ExportCell, ExportColumn, Row } from './column.ts'
import type { Encoder } from './encoder.ts'

const toText = (value: ExportCell) => toCell(value instanceof Date ? value.toISOString() : value)
const toLine = (row: Row) => `${row.map(toText).join(',')}\r\n`

export function createCsvEncoder(columns: readonly ExportColumn[]): Encoder {
  let head = `${columns.map(({ name }) => name).join(',')}\r\n`
  const take = (lines: string) => {
    const chunk = Buffer.from(head + lines)
    head = ''
    return chunk
  }
  return {
    encode: async (rows) => take(rows.map(toLine).join('')),
    finish: async () => take(''),
  }
}
