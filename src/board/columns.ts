// The board's columns: numbers of tokens as typed arrays, a row per token. A row without a token has the identifier 0. Pure.
import { uint8At, uint16At } from '../base/item-at.ts'
import { keysOf, recordOf } from '../base/keys-of.ts'
import { BOARD_COUNTS, BOARD_DOUBLES, type BoardCount, SCORED_NUMBERS } from '../fields/token.ts'
import type { BoardRows } from '../ledger/read/board.ts'

/** Bytes of an address. */
export const ADDRESS_BYTES = 20

/** Marks a count that does not fit its column: few tokens have so many holders or events. */
export const LARGE = 0xffff

/** Scores times this are whole numbers: they are rounded to as many digits when they are computed. */
export const SCALES = { riskScore: 100, trendingScore: 10_000, scored: 100 } as const

/** Stands for a number that is not known, in the columns of those that scores write. */
export const NOT_KNOWN = 0xffff

/** Milliseconds of the unit of `createdAt`: the times of blocks are whole seconds. */
export const CREATED_MS = 1_000

const arraysOf = <Name extends string, List>(names: readonly Name[], make: () => List) => recordOf(names, make)

const createArrays = (room: number) => ({
  ...arraysOf(BOARD_DOUBLES, () => new Float64Array(room)),
  ...arraysOf(BOARD_COUNTS, () => new Uint16Array(room)),
  ...arraysOf(SCORED_NUMBERS, () => new Uint16Array(room)),
  id: new Int32Array(room),
  address: new Uint8Array(room * ADDRESS_BYTES),
  createdAt: new Uint32Array(room),
  /** Whole tokens of the unit. */
  price: new Float64Array(room),
  marketCap: new Float64Array(room),
  /** Its index in the list of units; 0: dollars. */
  unit: new Uint16Array(room),
  trendingScore: new Uint32Array(room),
  riskScore: new Uint16Array(room),
  /** Its index in the list of launchpads. */
  launchpad: new Uint8Array(room),
  flagBits: new Uint8Array(room),
  confidence: new Uint8Array(room),
  contractMarks: new Uint32Array(room),
})
type Arrays = ReturnType<typeof createArrays>
type BoardColumn = keyof Arrays

/** Counts that do not fit their columns, by row. */
type LargeCounts = Readonly<Record<BoardCount, Map<number, number>>>

export interface BoardColumns extends Arrays {
  large: LargeCounts
}

/** Columns with room for as many rows. */
export const createColumns = (room: number): BoardColumns => ({
  ...createArrays(room),
  large: recordOf(BOARD_COUNTS, () => new Map()),
})

const widthOf = (name: BoardColumn) => (name === 'address' ? ADDRESS_BYTES : 1)
const NAMES = keysOf(createArrays(0))

/** The bytes of columns. A large count takes some tens in its map. */
export const bytesOf = (columns: BoardColumns): number =>
  NAMES.reduce((sum, name) => sum + columns[name].byteLength, 0) +
  BOARD_COUNTS.reduce((sum, name) => sum + 40 * columns.large[name].size, 0)

/** Gives the count of a row. */
export function countReader(columns: BoardColumns, name: BoardCount): (row: number) => number {
  const [column, large] = [columns[name], columns.large[name]]
  return (row) => {
    const count = uint16At(column, row)
    return count === LARGE ? (large.get(row) ?? LARGE) : count
  }
}

export const isCount = (name: string): name is BoardCount => (BOARD_COUNTS as readonly string[]).includes(name)

function setCount(columns: BoardColumns, name: BoardCount, row: number, count: number): void {
  const isLarge = count >= LARGE
  columns[name][row] = isLarge ? LARGE : count
  if (isLarge) columns.large[name].set(row, count)
  else columns.large[name].delete(row)
}

/** The same columns with more room. */
export function growColumns(columns: BoardColumns, room: number): BoardColumns {
  const grown = createArrays(room)
  for (const name of NAMES) grown[name].set(columns[name])
  return { ...grown, large: columns.large }
}

/** Exchanges row `at` of the one with row `with_` of the other. */
export function exchangeRows(columns: BoardColumns, at: number, others: BoardColumns, with_: number): void {
  for (const name of NAMES) {
    const width = widthOf(name)
    const [here, there] = [columns[name], others[name]]
    if (isCount(name) && (here[at] === LARGE || there[with_] === LARGE)) {
      const [ours, theirs] = [countReader(columns, name)(at), countReader(others, name)(with_)]
      setCount(columns, name, at, theirs)
      setCount(others, name, with_, ours)
      continue
    }
    for (let byte = 0; byte < width; byte += 1) {
      const value = here[at * width + byte] as number
      here[at * width + byte] = there[with_ * width + byte] as number
      there[with_ * width + byte] = value
    }
  }
}

/** Converts rows that were read to columns of their own. */
export function toColumns(
  rows: BoardRows,
  launchpadOf: (name: string) => number,
  unitOf: (id: number) => number,
): BoardColumns {
  const { id, address, launchpad } = rows
  const columns = createColumns(id.length)
  const bytes = Buffer.from(columns.address.buffer)
  for (const [at, text] of address.entries()) bytes.write(text.slice(2), at * ADDRESS_BYTES, 'hex')
  for (const [at, name] of launchpad.entries()) columns.launchpad[at] = launchpadOf(name)
  for (const [at, unit] of rows.unit.entries()) columns.unit[at] = unitOf(unit)
  for (const name of ['id', 'flagBits', 'confidence', 'contractMarks'] as const) columns[name].set(rows[name])
  for (const name of ['price', 'marketCap', ...BOARD_DOUBLES] as const) columns[name].set(rows[name])
  for (const [at, time] of rows.createdAt.entries()) columns.createdAt[at] = Math.round(time / CREATED_MS)
  for (const name of ['riskScore', 'trendingScore'] as const)
    for (const [at, score] of rows[name].entries()) columns[name][at] = Math.round(score * SCALES[name])
  for (const name of SCORED_NUMBERS)
    for (const [at, value] of rows[name].entries())
      columns[name][at] = Number.isNaN(value) ? NOT_KNOWN : Math.round(value * SCALES.scored)
  for (const name of BOARD_COUNTS) for (const [at, count] of rows[name].entries()) setCount(columns, name, at, count)
  return columns
}

/** The address of a row. */
export const addressAt = ({ address }: BoardColumns, row: number): string =>
  `0x${Buffer.from(address.subarray(row * ADDRESS_BYTES, (row + 1) * ADDRESS_BYTES)).toString('hex')}`

/** Compares the row's address with these first bytes of one: below 0 if it comes before. */
export function compareAddressTo(address: Uint8Array, row: number, given: Uint8Array): number {
  for (const [byte, value] of given.entries()) {
    const difference = uint8At(address, row * ADDRESS_BYTES + byte) - value
    if (difference !== 0) return difference
  }
  return 0
}

/** Below 0 if the address of the one row comes before that of the other. */
export function compareAddresses(address: Uint8Array, a: number, b: number): number {
  for (let byte = 0; byte < ADDRESS_BYTES; byte += 1) {
    const difference = uint8At(address, a * ADDRESS_BYTES + byte) - uint8At(address, b * ADDRESS_BYTES + byte)
    if (difference !== 0) return difference
  }
  return 0
}
