// Lines of events as rows of the table `staged` in the format RowBinary, and the sum of their hashes as ClickHouse computes
// it. Numbers of 64 bits are exact on this way; the text of a fraction is not in every version.
import { createHash } from 'node:crypto'
import { HISTORY_COLUMNS, type HistoryColumn } from '../lines.ts'
import { HistoryFault } from './connection.ts'
import { HISTORY_TABLES } from './tables.ts'

const COLUMNS = Object.entries(HISTORY_TABLES.staged.columns).map(([name, type]) => ({
  name,
  type,
  at: HISTORY_COLUMNS.indexOf(name as HistoryColumn),
}))
/** The bytes of a row with its segment. */
const ROW_BYTES = 8 + COLUMNS.reduce((sum, { type }) => sum + sizeOf(type), 0)

function sizeOf(type: string): number {
  return type === 'FixedString(32)' ? 32 : Number(/\d+$/.exec(type)?.[0]) / 8
}

/** Ends lines of chunks that may be cut anywhere. */
async function* eachLine(chunks: AsyncIterable<string>): AsyncGenerator<string[]> {
  let rest = ''
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    yield lines
  }
  if (rest !== '') yield [rest]
}

/** Rows of a segment. */
export async function* toRowBinary(segment: string, chunks: AsyncIterable<string>): AsyncGenerator<Buffer> {
  const number = BigInt(segment)
  for await (const lines of eachLine(chunks)) {
    const rows = Buffer.alloc(ROW_BYTES * lines.length)
    lines.forEach((line, at) => {
      rows.writeBigUInt64LE(number, at * ROW_BYTES)
      writeRow(rows, at * ROW_BYTES + 8, line.split(','))
    })
    yield rows
  }
}

function writeRow(rows: Buffer, start: number, cells: readonly string[]): void {
  let offset = start
  for (const { name, type, at } of COLUMNS) {
    const cell = cells[at] ?? ''
    const value = name === 'part' && cell !== '' ? Number(cell) + 1 : Number(cell)
    if (type === 'UInt8') rows.writeUInt8(value, offset)
    else if (type === 'UInt16') rows.writeUInt16LE(value, offset)
    else if (type === 'UInt32') rows.writeUInt32LE(value, offset)
    else if (type === 'UInt64') rows.writeBigUInt64LE(BigInt(cell), offset)
    else if (type === 'Float64') rows.writeDoubleLE(value, offset)
    else if (cell.length !== 64 || rows.write(cell, offset, 'hex') !== 32)
      throw new HistoryFault('the hash of a transaction does not have 32 bytes')
    offset += sizeOf(type)
  }
}

/** The text of a staged row in SQL, as `textOf` writes it. */
export const ROW_TEXT = `concat(${COLUMNS.map(({ name, type }) =>
  type === 'Float64'
    ? `toString(reinterpretAsUInt64(reinterpretAsString(${name})))`
    : type === 'FixedString(32)'
      ? `lower(hex(${name}))`
      : `toString(${name})`,
).join(`, ',', `)})`

const double = new DataView(new ArrayBuffer(8))

function textOf(cells: readonly string[]): string {
  return COLUMNS.map(({ name, type, at }) => {
    const cell = cells[at] ?? ''
    if (type === 'Float64') {
      double.setFloat64(0, Number(cell))
      return String(double.getBigUint64(0))
    }
    if (name === 'part') return cell === '' ? '0' : String(Number(cell) + 1)
    return cell === '' ? '0' : cell
  }).join(',')
}

/** The number of lines, and the sum of the first eight bytes of their hashes. */
export async function sumLines(chunks: AsyncIterable<string>): Promise<{ rows: number; sum: string }> {
  let [rows, sum] = [0, 0n]
  for await (const lines of eachLine(chunks)) {
    for (const line of lines) {
      const hash = createHash('md5')
        .update(textOf(line.split(',')))
        .digest()
      sum += hash.readBigUInt64BE(0)
    }
    rows += lines.length
  }
  return { rows, sum: String(BigInt.asUintN(64, sum)) }
}
