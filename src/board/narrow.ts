// Takes rows out of a set that a bound on one number does not let pass. Written out for each kind of column, since a walk over one
// kind of array is several times as fast. Where a word has many rows left, all 32 are looked at without a branch; where it has
// few, those alone. Pure.
import type { BoardColumns } from './columns.ts'
import { capOf } from './measure-of.ts'
import { countBits, type RowSet } from './row-set.ts'

/** Rows of a word from which on all of it is looked at. */
const MANY = 8

/** Caps are cut there or above. */
const MOST_USD = 1e14

/** Both bounds are inclusive. */
export interface LowHigh {
  low: number
  high: number
}

/** Rows of which the column is within the bounds. */
export function keepDoubles(within: RowSet, end: number, column: Float64Array, { low, high }: LowHigh): void {
  for (let word = 0, row = 0; row < end; word += 1, row += 32) {
    const before = within[word] as number
    if (before === 0) continue
    let bits = 0
    if (row + 32 <= end && countBits(before) >= MANY) {
      for (let bit = 0; bit < 32; bit += 1) {
        const value = column[row + bit] as number
        bits |= (Number(value >= low) & Number(value <= high)) << bit
      }
      bits &= before
    } else {
      for (let left = before; left !== 0; left &= left - 1) {
        const bit = 31 - Math.clz32(left & -left)
        const value = column[row + bit] as number
        if (value >= low && value <= high) bits |= 1 << bit
      }
    }
    within[word] = bits
  }
}

/** The same of whole numbers. */
export function keepWhole(within: RowSet, end: number, column: Int32Array, bounds: LowHigh): void {
  const low = Math.max(-0x80000000, Math.ceil(bounds.low))
  const high = Math.min(0x7fffffff, Math.floor(bounds.high))
  for (let word = 0, row = 0; row < end; word += 1, row += 32) {
    const before = within[word] as number
    if (before === 0) continue
    let bits = 0
    const last = Math.min(32, end - row)
    for (let bit = 0; bit < last; bit += 1) {
      const value = column[row + bit] as number
      bits |= (Number(value >= low) & Number(value <= high)) << bit
    }
    within[word] = before & bits
  }
}

/** Rows that have one of the bits of the mask, or none of them. */
export function keepBits(within: RowSet, end: number, column: Uint8Array, mask: number, isWanted: boolean): void {
  const turn = isWanted ? 0 : 1
  for (let word = 0, row = 0; row < end; word += 1, row += 32) {
    const before = within[word] as number
    if (before === 0) continue
    let bits = 0
    const last = Math.min(32, end - row)
    for (let bit = 0; bit < last; bit += 1) bits |= (Number(((column[row + bit] as number) & mask) !== 0) ^ turn) << bit
    within[word] = before & bits
  }
}

/** `ageHours` within the bounds. It divides only where the time of creation is that near to one of them. */
export function keepAges(within: RowSet, end: number, createdAt: Float64Array, nowMs: number, bounds: LowHigh): void {
  const { low, high } = bounds
  const [first, last] = [nowMs - high * 3_600_000, nowMs - low * 3_600_000]
  keepNear(within, end, createdAt, { low: first, high: last }, (row) => {
    const value = (nowMs - (createdAt[row] as number)) / 3_600_000
    return value >= low && value <= high
  })
}

/** Rows of which the column is within the bounds by more than 1, and those within 1 of a bound that pass the test. */
function keepNear(
  within: RowSet,
  end: number,
  column: Float64Array,
  { low, high }: LowHigh,
  passes: (row: number) => boolean,
): void {
  const [surelyFrom, surelyTo, maybeFrom, maybeTo] = [low + 1, high - 1, low - 1, high + 1]
  for (let word = 0, row = 0; row < end; word += 1, row += 32) {
    const before = within[word] as number
    if (before === 0) continue
    let [surely, maybe] = [0, 0]
    const last = Math.min(32, end - row)
    for (let bit = 0; bit < last; bit += 1) {
      const value = column[row + bit] as number
      surely |= (Number(value >= surelyFrom) & Number(value <= surelyTo)) << bit
      maybe |= (Number(value >= maybeFrom) & Number(value <= maybeTo)) << bit
    }
    let bits = before & surely
    for (let left = before & maybe & ~surely; left !== 0; left &= left - 1) {
      const bit = 31 - Math.clz32(left & -left)
      if (passes(row + bit)) bits |= 1 << bit
    }
    within[word] = bits
  }
}

/** `capOf` within the bounds. It rounds only where the cap is within a dollar of one of them, or above what any may be. */
export function keepCaps(
  within: RowSet,
  end: number,
  columns: BoardColumns,
  nativeUsd: number,
  { low, high }: LowHigh,
): void {
  const { marketCap, inNative } = columns
  const prices = Float64Array.of(1, nativeUsd)
  const [surelyFrom, surelyTo, maybeFrom] = [low + 1, high - 1, low - 1]
  for (let word = 0, row = 0; row < end; word += 1, row += 32) {
    const before = within[word] as number
    if (before === 0) continue
    let [surely, maybe] = [0, 0]
    const last = Math.min(32, end - row)
    for (let bit = 0; bit < last; bit += 1) {
      const value = (marketCap[row + bit] as number) * (prices[inNative[row + bit] as number] as number)
      surely |= (Number(value >= surelyFrom) & Number(value <= surelyTo)) << bit
      maybe |= (Number(value >= maybeFrom) & (Number(value <= high + 1) | Number(value > MOST_USD))) << bit
    }
    let bits = before & surely
    for (let left = before & maybe & ~surely; left !== 0; left &= left - 1) {
      const bit = 31 - Math.clz32(left & -left)
      const value = capOf(columns, row + bit, nativeUsd)
      if (value >= low && value <= high) bits |= 1 << bit
    }
    within[word] = bits
  }
}

/** `holderGrowthPct` within the bounds. */
export function keepGrowth(within: RowSet, end: number, columns: BoardColumns, { low, high }: LowHigh): void {
  const { fundedHolderCount, fundedHolderCount1hAgo } = columns
  for (let word = 0, row = 0; row < end; word += 1, row += 32) {
    const before = within[word] as number
    if (before === 0) continue
    const last = Math.min(32, end - row)
    let bits = 0
    for (let bit = 0; bit < last; bit += 1) {
      const ago = fundedHolderCount1hAgo[row + bit] as number
      const value = (100 * ((fundedHolderCount[row + bit] as number) - ago)) / (ago > 1 ? ago : 1)
      bits |= (Number(value >= low) & Number(value <= high)) << bit
    }
    within[word] = before & bits
  }
}
