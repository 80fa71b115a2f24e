// Removes rows from a set that do not pass a bound on one number. It is written out for each kind of column, because a
// walk over one kind of array is several times as fast. A word with many rows left checks all 32 without a branch; one
// with few checks those alone. Pure.
import { ageHours } from '../fields/formulas.ts'
import type { LowHigh } from '../fields/to-test.ts'
import type { BoardCount } from '../fields/token.ts'
import { type BoardColumns, CREATED_MS, LARGE, SCALES } from './columns.ts'
import { capAt, measureOf } from './measure-of.ts'
import type { Ranked } from './ranking.ts'
import { addRow, countBits, dropRow, hasRow, intersect, type RowSet } from './row-set.ts'
import { NO_UNIT_USD, type UnitUsd } from './units.ts'

/** From this number of rows on, all of a word is checked. */
const MANY = 8

/** Checking rows one by one is faster for less than one row in this many. */
const FEW = 4

/** Rows whose column is within the bounds. */
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

/** The same for whole numbers of 16 bits. */
function keepShorts(within: RowSet, end: number, column: Uint16Array, low: number, high: number): void {
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

/** Rows whose count is within the bounds. Large counts, which have the highest number in the column, are looked up. */
export function keepCounts(
  within: RowSet,
  end: number,
  columns: BoardColumns,
  name: BoardCount,
  { low, high }: LowHigh,
): void {
  const large = [...columns.large[name]].filter(([row, count]) => hasRow(within, row) && count >= low && count <= high)
  keepShorts(within, end, columns[name], low, Math.min(high, LARGE - 1))
  for (const [row] of large) addRow(within, row)
}

/** Rows whose risk score is within the bounds. */
export function keepRisks(within: RowSet, end: number, { riskScore }: BoardColumns, { low, high }: LowHigh): void {
  const of = (stored: number) => stored / SCALES.riskScore
  // The first whole number of the column that is at least the bound, and the last one that is at most the other.
  const first = firstFrom(0, LARGE, (stored) => of(stored) >= low)
  keepShorts(within, end, riskScore, first, firstFrom(first, LARGE, (stored) => of(stored) > high) - 1)
}

/** The first whole number from `low` on that passes the test; all later ones must pass it too. `high` if none does. */
function firstFrom(low: number, high: number, test: (number: number) => boolean): number {
  let [from, to] = [low, high]
  while (from < to) {
    const middle = Math.floor((from + to) / 2)
    if (test(middle)) to = middle
    else from = middle + 1
  }
  return from
}

/** Rows that have one of the bits of the mask, or none of them. */
export function keepBits(within: RowSet, end: number, column: Uint8Array, mask: number, isWanted: boolean): void {
  const turn = isWanted ? 0 : -1
  const fourMasks = Math.imul(mask, 0x01010101)
  const fours = new Uint32Array(column.buffer, column.byteOffset, column.length >>> 2)
  for (let word = 0, row = 0; row < end; word += 1, row += 32) {
    const before = within[word] as number
    if (before === 0) continue
    let bits = 0
    if (row + 32 <= end)
      for (let at = 0; at < 8; at += 1) bits |= pickBytes((fours[8 * word + at] as number) & fourMasks) << (4 * at)
    else
      for (let bit = 0; bit < end - row; bit += 1) bits |= Number(((column[row + bit] as number) & mask) !== 0) << bit
    within[word] = before & (bits ^ turn)
  }
}

/**
 * Four bits: which of the four bytes are not 0. A sum carries into the highest bit of each byte, and a product moves
 * these bits side by side.
 */
const pickBytes = (four: number): number =>
  Math.imul(((((four & 0x7f7f7f7f) + 0x7f7f7f7f) | four) & 0x80808080) >>> 7, 0x10204080) >>> 28

/** Rows with an age within the bounds. */
export function keepAges(
  within: RowSet,
  end: number,
  { createdAt }: BoardColumns,
  nowMs: number,
  { low, high }: LowHigh,
): void {
  const ageOf = (stored: number) => ageHours(CREATED_MS * stored, nowMs)
  // The oldest that is young enough, and the youngest that is old enough.
  const first = firstFrom(0, 2 ** 32, (stored) => ageOf(stored) <= high)
  const youngest = firstFrom(first, 2 ** 32, (stored) => ageOf(stored) < low) - 1
  for (let word = 0, row = 0; row < end; word += 1, row += 32) {
    const before = within[word] as number
    if (before === 0) continue
    let bits = 0
    const last = Math.min(32, end - row)
    for (let bit = 0; bit < last; bit += 1) {
      const value = createdAt[row + bit] as number
      bits |= (Number(value >= first) & Number(value <= youngest)) << bit
    }
    within[word] = before & bits
  }
}

/** Rows whose market cap in USD is within the bounds. In any unit, it rises with the stored number. */
export function keepCaps(
  within: RowSet,
  end: number,
  columns: BoardColumns,
  unitUsd: UnitUsd,
  { low, high }: LowHigh,
): void {
  const { marketCap, unit } = columns
  // By unit: the least stored number that passes, and the least one that is too large.
  const least = unitUsd.map((_, place) => firstNumber((kept) => capAt(kept, place, unitUsd) >= low))
  const tooMuch = unitUsd.map((_, place) => firstNumber((kept) => capAt(kept, place, unitUsd) > high))
  for (let word = 0, row = 0; row < end; word += 1, row += 32) {
    const before = within[word] as number
    if (before === 0) continue
    let bits = 0
    const last = Math.min(32, end - row)
    for (let bit = 0; bit < last; bit += 1) {
      const value = marketCap[row + bit] as number
      const place = unit[row + bit] as number
      bits |= (Number(value >= (least[place] as number)) & Number(value < (tooMuch[place] as number))) << bit
    }
    within[word] = before & bits
  }
}

/** The least number from 0 on that passes the test; all larger ones must pass it too. Infinite if none does. */
function firstNumber(test: (number: number) => boolean): number {
  // Read as whole numbers, non-negative doubles have the order of their values. The search finds one half first, then
  // the other.
  const number = new Float64Array(1)
  const halves = new Uint32Array(number.buffer)
  const passes = (high: number, low: number) => {
    halves[1] = high
    halves[0] = low
    return test(number[0] as number)
  }
  const high = firstFrom(0, INFINITE, (half) => passes(half, 0xffffffff))
  const low = high === INFINITE ? 0 : firstFrom(0, 0xffffffff, (half) => passes(high, half))
  halves[1] = high
  halves[0] = low
  return number[0] as number
}

/** The higher half of an infinite double. */
const INFINITE = 0x7ff00000

/** A growth above all possible ones of whole numbers of 16 bits, in ten-thousandths. */
const MOST_GROWTH = 6.6e10

/**
 * `holderGrowthPct` within the bounds. It is at least `bound / 1e4` if `1e6 * grown / before + 0.5 >= bound`. This
 * avoids the division: both sides of `2e6 * grown >= (2 * bound - 1) * before` are whole numbers below 2 ** 53.
 */
export function keepGrowth(within: RowSet, end: number, columns: BoardColumns, { low, high }: LowHigh): void {
  const { fundedHolderCount: now, fundedHolderCount1hAgo: ago, large } = columns
  // Rows with a large count are checked one by one.
  const growthOf = measureOf(columns, 'holderGrowth1hPct', { timeMs: 0, unitUsd: NO_UNIT_USD })
  const largeRows = new Set([...large.fundedHolderCount.keys(), ...large.fundedHolderCount1hAgo.keys()])
  const passing = [...largeRows].filter((row) => hasRow(within, row) && growthOf(row) >= low && growthOf(row) <= high)
  const first = firstFrom(-MOST_GROWTH, MOST_GROWTH, (growth) => growth / 1e4 >= low)
  const least = 2 * first - 1
  const tooMuch = 2 * firstFrom(first, MOST_GROWTH, (growth) => growth / 1e4 > high) - 1
  for (let word = 0, row = 0; row < end; word += 1, row += 32) {
    const before = within[word] as number
    if (before === 0) continue
    const last = Math.min(32, end - row)
    let bits = 0
    for (let bit = 0; bit < last; bit += 1) {
      const then = ago[row + bit] as number
      const grown = 2e6 * ((now[row + bit] as number) - then)
      const from = then === 0 ? 1 : then
      bits |= (Number(grown >= least * from) & Number(grown < tooMuch * from)) << bit
    }
    within[word] = before & bits
  }
  for (const row of largeRows) dropRow(within, row)
  for (const row of passing) addRow(within, row)
}

/**
 * Rows whose measure is within the bounds; the rows are in the order of the measure. Touches the rows that pass, or the
 * others, whichever are fewer. If both are many it does nothing and returns false, because a walk over the column is
 * faster.
 */
export function keepRanked(
  within: RowSet,
  { rows, length, descending }: Ranked,
  of: (row: number) => number,
  { low, high }: LowHigh,
): boolean {
  const valueAt = (place: number) => of(rows[place] as number)
  const from = firstFrom(0, length, (place) => (descending ? valueAt(place) <= high : valueAt(place) >= low))
  const to = firstFrom(from, length, (place) => (descending ? valueAt(place) < low : valueAt(place) > high))
  const most = length / FEW
  if (to - from <= most) {
    const passing = new Uint32Array(within.length)
    for (let place = from; place < to; place += 1) addRow(passing, rows[place] as number)
    intersect(within, passing)
    return true
  }
  if (length - (to - from) > most) return false
  for (let place = 0; place < from; place += 1) dropRow(within, rows[place] as number)
  for (let place = to; place < length; place += 1) dropRow(within, rows[place] as number)
  return true
}
