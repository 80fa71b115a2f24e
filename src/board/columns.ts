// The board's columns: numbers of tokens as typed arrays, a row per token. A row without a token has the identifier 0. Pure.
import type { BoardRows } from '../ledger/read/board.ts'

/** Bytes of an address. */
export const ADDRESS_BYTES = 20

/** Columns with room for as many rows. */
export function createColumns(room: number) {
  return {
    id: new Int32Array(room),
    address: new Uint8Array(room * ADDRESS_BYTES),
    createdAt: new Float64Array(room),
    /** In native coins where that is marked, else in dollars. */
    price: new Float64Array(room),
    marketCap: new Float64Array(room),
    inNative: new Uint8Array(room),
    liquidityUsd: new Float64Array(room),
    peakLiquidityUsd: new Float64Array(room),
    volume24hUsd: new Float64Array(room),
    trendingScore: new Float64Array(room),
    riskScore: new Float64Array(room),
    holderCount: new Int32Array(room),
    fundedHolderCount: new Int32Array(room),
    fundedHolderCount1hAgo: new Int32Array(room),
    buyerCount: new Int32Array(room),
    eventCount: new Int32Array(room),
    swapCount: new Int32Array(room),
    /** Its place in the list of launchpads. */
    launchpad: new Uint16Array(room),
    flagBits: new Uint8Array(room),
    confidence: new Uint8Array(room),
  }
}

export type BoardColumns = ReturnType<typeof createColumns>
export type BoardColumn = keyof BoardColumns

const widthOf = (name: BoardColumn) => (name === 'address' ? ADDRESS_BYTES : 1)
const NAMES = Object.keys(createColumns(0)) as BoardColumn[]

/** The same columns with more room. */
export function growColumns(columns: BoardColumns, room: number): BoardColumns {
  const grown = createColumns(room)
  for (const name of NAMES) grown[name].set(columns[name])
  return grown
}

/** Exchanges row `at` of the one with row `with_` of the other. */
export function exchangeRows(columns: BoardColumns, at: number, others: BoardColumns, with_: number): void {
  for (const name of NAMES) {
    const width = widthOf(name)
    const [here, there] = [columns[name], others[name]]
    for (let byte = 0; byte < width; byte += 1) {
      const value = here[at * width + byte] as number
      here[at * width + byte] = there[with_ * width + byte] as number
      there[with_ * width + byte] = value
    }
  }
}

/** Rows as they were read become columns of their own. */
export function toColumns(rows: BoardRows, launchpadOf: (name: string) => number): BoardColumns {
  const { id, address, launchpad } = rows
  const columns = createColumns(id.length)
  const bytes = Buffer.from(columns.address.buffer)
  for (const [at, text] of address.entries()) bytes.write(text.slice(2), at * ADDRESS_BYTES, 'hex')
  for (const [at, name] of launchpad.entries()) columns.launchpad[at] = launchpadOf(name)
  for (const name of NAMES) if (name !== 'address' && name !== 'launchpad') columns[name].set(rows[name])
  return columns
}

/** Compares the row's address with these first bytes of one: below 0 where it comes before. */
export function compareAddressTo(address: Uint8Array, row: number, given: Uint8Array): number {
  for (const [byte, value] of given.entries()) {
    const difference = (address[row * ADDRESS_BYTES + byte] as number) - value
    if (difference !== 0) return difference
  }
  return 0
}

/** Below 0 where the address of the one row comes before that of the other. */
export function compareAddresses(address: Uint8Array, a: number, b: number): number {
  for (let byte = 0; byte < ADDRESS_BYTES; byte += 1) {
    const difference = (address[a * ADDRESS_BYTES + byte] as number) - (address[b * ADDRESS_BYTES + byte] as number)
    if (difference !== 0) return difference
  }
  return 0
}
