// Which rows pass a screen: a bit per row, made by walking over the columns that the screen names. Pure.
import {
  BOUND_FIELDS,
  foldCase,
  TOKEN_BOUNDS,
  type TokenMeasure,
  type TokenScreen,
  toAddressPrefix,
} from '../base/screen.ts'
import { CONFIDENCES, RISK_FLAGS, type RiskFlag } from '../base/vocabulary.ts'
import type { BoardColumns } from './columns.ts'
import { capOf, type Moment, measureOf, STORED } from './measure-of.ts'

/** A bit per row; row 0 is the lowest bit of word 0. */
export type RowSet = Uint32Array

/** What is scanned: rows below `end`, as of a time. */
export interface Scanned {
  columns: BoardColumns
  end: number
  moment: Moment
  /** Rows that have a token. */
  present: RowSet
  /** The names of the launchpads, at their places. */
  launchpads: readonly string[]
  /** Calls for each row whose symbol or name contains the text. */
  find(text: string, found: (row: number) => void): void
  /** The rows whose address begins so. */
  startingWith(prefix: string): Int32Array
}

/** Rows that are looked at to tell which bound leaves the fewest. */
const SAMPLE = 512

interface Bounded {
  measure: TokenMeasure | 'ageHours'
  least: boolean
  bound: number
}

/** The bounds of a screen; the one that leaves the fewest of some rows first, since those after it look at what is left. */
function boundsOf({ columns, end, moment }: Scanned, screen: TokenScreen): Bounded[] {
  const bounds = BOUND_FIELDS.flatMap((field): Bounded[] => {
    const bound = screen[field]
    return bound === undefined ? [] : [{ ...TOKEN_BOUNDS[field], bound }]
  })
  if (bounds.length < 2) return bounds
  const step = Math.max(1, Math.floor(end / SAMPLE))
  const left = bounds.map(({ measure, least, bound }) => {
    const of = measureOf(columns, measure, moment)
    let count = 0
    for (let row = 0; row < end; row += step) if (least ? of(row) >= bound : of(row) <= bound) count += 1
    return { measure, least, bound, count }
  })
  return left.toSorted((a, b) => a.count - b.count)
}

/** The rows that pass. */
export function scanRows(scanned: Scanned, screen: TokenScreen): RowSet {
  return narrow(scanned, screen, scanned.present.slice(0, Math.ceil(scanned.end / 32)))
}

/** The rows of `within` that pass; `within` is used up. */
function narrow(scanned: Scanned, screen: TokenScreen, within: RowSet): RowSet {
  const { columns, end, launchpads } = scanned
  for (const { measure, least, bound } of boundsOf(scanned, screen)) keepBounded(scanned, within, measure, least, bound)
  const { excludeFlags, includeFlags, minConfidence } = screen
  const { flagBits, confidence, launchpad } = columns
  if (excludeFlags && excludeFlags.length > 0) {
    const mask = toMask(excludeFlags)
    keep(within, end, (row) => ((flagBits[row] as number) & mask) === 0)
  }
  if (includeFlags) {
    const mask = toMask(includeFlags)
    keep(within, end, (row) => ((flagBits[row] as number) & mask) !== 0)
  }
  if (minConfidence) {
    const least = CONFIDENCES.indexOf(minConfidence)
    keep(within, end, (row) => (confidence[row] as number) >= least)
  }
  if (screen.launchpads) {
    const wanted = Uint8Array.from(launchpads, (name) => Number(screen.launchpads?.includes(name)))
    keep(within, end, (row) => wanted[launchpad[row] as number] === 1)
  }
  if (screen.addresses)
    intersect(
      within,
      toSet(
        end,
        screen.addresses.flatMap((address) => [...scanned.startingWith(address)]),
      ),
    )
  if (screen.search !== undefined) {
    const prefix = toAddressPrefix(screen.search)
    const found = toSet(end, prefix === null ? [] : scanned.startingWith(prefix))
    scanned.find(foldCase(screen.search), (row) => addRow(found, row))
    intersect(within, found)
  }
  for (const part of screen.and ?? []) narrow(scanned, part, within)
  if (screen.or) intersect(within, unite(screen.or.map((part) => narrow(scanned, part, within.slice()))))
  if (screen.not) {
    const without = narrow(scanned, screen.not, within.slice())
    for (let word = 0; word < within.length; word += 1)
      within[word] = (within[word] as number) & ~(without[word] as number)
  }
  return within
}

const toMask = (flags: readonly RiskFlag[]) => flags.reduce((mask, flag) => mask | (1 << RISK_FLAGS.indexOf(flag)), 0)

function keepBounded(
  { columns, end, moment }: Scanned,
  within: RowSet,
  measure: TokenMeasure | 'ageHours',
  least: boolean,
  bound: number,
): void {
  const name = measure === 'ageHours' ? undefined : STORED[measure]
  const column = name ? columns[name] : undefined
  // The columns of doubles apart: a walk over one kind of array is several times as fast.
  if (column instanceof Float64Array) keepDoubles(within, end, column, least, bound)
  else if (measure === 'ageHours') keepAges(within, end, columns.createdAt, moment.timeMs, least, bound)
  else if (measure === 'marketCapUsd') keepCaps(within, end, columns, moment.nativeUsd, least, bound)
  else if (measure === 'holderGrowth1hPct') keepGrowth(within, end, columns, least, bound)
  else {
    const of = measureOf(columns, measure, moment)
    keep(within, end, least ? (row) => of(row) >= bound : (row) => of(row) <= bound)
  }
}

/** `ageHours`, written out for the same reason. */
function keepAges(
  within: RowSet,
  end: number,
  createdAt: Float64Array,
  nowMs: number,
  least: boolean,
  bound: number,
): void {
  const [low, high] = least ? [bound, Number.POSITIVE_INFINITY] : [Number.NEGATIVE_INFINITY, bound]
  for (let word = 0, row = 0; row < end; word += 1, row += 32) {
    let bits = 0
    for (let left = within[word] as number; left !== 0; left &= left - 1) {
      const bit = 31 - Math.clz32(left & -left)
      const value = (nowMs - (createdAt[row + bit] as number)) / 3_600_000
      if (value >= low && value <= high) bits |= 1 << bit
    }
    within[word] = bits
  }
}

/** `capOf`, written out for the same reason. */
function keepCaps(
  within: RowSet,
  end: number,
  columns: BoardColumns,
  nativeUsd: number,
  least: boolean,
  bound: number,
): void {
  const [low, high] = least ? [bound, Number.POSITIVE_INFINITY] : [Number.NEGATIVE_INFINITY, bound]
  for (let word = 0, row = 0; row < end; word += 1, row += 32) {
    let bits = 0
    for (let left = within[word] as number; left !== 0; left &= left - 1) {
      const bit = 31 - Math.clz32(left & -left)
      const value = capOf(columns, row + bit, nativeUsd)
      if (value >= low && value <= high) bits |= 1 << bit
    }
    within[word] = bits
  }
}

/** `holderGrowthPct`, written out for the same reason. */
function keepGrowth(within: RowSet, end: number, columns: BoardColumns, least: boolean, bound: number): void {
  const { fundedHolderCount, fundedHolderCount1hAgo } = columns
  const [low, high] = least ? [bound, Number.POSITIVE_INFINITY] : [Number.NEGATIVE_INFINITY, bound]
  for (let word = 0, row = 0; row < end; word += 1, row += 32) {
    const before = within[word] as number
    if (before === 0) continue
    const last = Math.min(32, end - row)
    let bits = 0
    for (let bit = 0; bit < last; bit += 1) {
      const ago = fundedHolderCount1hAgo[row + bit] as number
      const value = (100 * ((fundedHolderCount[row + bit] as number) - ago)) / (ago > 1 ? ago : 1)
      if (value >= low && value <= high) bits |= 1 << bit
    }
    within[word] = before & bits
  }
}

function keepDoubles(within: RowSet, end: number, column: Float64Array, least: boolean, bound: number): void {
  const [low, high] = least ? [bound, Number.POSITIVE_INFINITY] : [Number.NEGATIVE_INFINITY, bound]
  for (let word = 0, row = 0; row < end; word += 1, row += 32) {
    let bits = 0
    for (let left = within[word] as number; left !== 0; left &= left - 1) {
      const bit = 31 - Math.clz32(left & -left)
      const value = column[row + bit] as number
      if (value >= low && value <= high) bits |= 1 << bit
    }
    within[word] = bits
  }
}

function keep(within: RowSet, end: number, passes: (row: number) => boolean): void {
  for (let word = 0, row = 0; row < end; word += 1, row += 32) {
    let bits = 0
    for (let left = within[word] as number; left !== 0; left &= left - 1) {
      const bit = 31 - Math.clz32(left & -left)
      if (passes(row + bit)) bits |= 1 << bit
    }
    within[word] = bits
  }
}

function intersect(within: RowSet, other: RowSet): void {
  for (let word = 0; word < within.length; word += 1) within[word] = (within[word] as number) & (other[word] as number)
}

function unite(sets: readonly RowSet[]): RowSet {
  const union = new Uint32Array(sets[0]?.length ?? 0)
  for (const set of sets)
    for (let word = 0; word < union.length; word += 1) union[word] = (union[word] as number) | (set[word] as number)
  return union
}

/** Puts the row into the set. */
export const addRow = (set: RowSet, row: number): void => {
  set[row >>> 5] = (set[row >>> 5] as number) | (1 << (row & 31))
}

/** Takes the row out of the set. */
export const dropRow = (set: RowSet, row: number): void => {
  set[row >>> 5] = (set[row >>> 5] as number) & ~(1 << (row & 31))
}

/** The rows of the set, which are `count`. */
export function listRows(set: RowSet, count: number): Int32Array {
  const rows = new Int32Array(count)
  let at = 0
  for (let word = 0; word < set.length; word += 1)
    for (let left = set[word] as number; left !== 0; left &= left - 1)
      rows[at++] = 32 * word + 31 - Math.clz32(left & -left)
  return rows
}

function toSet(end: number, rows: Iterable<number>): RowSet {
  const set = new Uint32Array(Math.ceil(end / 32))
  for (const row of rows) addRow(set, row)
  return set
}

/** How many rows are in the set. */
export function countRows(set: RowSet): number {
  let count = 0
  for (let word = 0; word < set.length; word += 1) {
    let bits = set[word] as number
    bits -= (bits >>> 1) & 0x55555555
    bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
    count += (((bits + (bits >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24
  }
  return count
}

/** Whether the row is in the set. */
export const hasRow = (set: RowSet, row: number): boolean => (((set[row >>> 5] as number) >>> (row & 31)) & 1) === 1
