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
  /** The names of the launchpads, at their places. */
  launchpads: readonly string[]
  /** Calls for each row whose symbol or name contains the text. */
  find(text: string, found: (row: number) => void): void
  /** The rows whose address begins so. */
  startingWith(prefix: string): Int32Array
}

/** The rows that pass. */
export function scanRows(scanned: Scanned, screen: TokenScreen): RowSet {
  const { id } = scanned.columns
  const all = new Uint32Array(Math.ceil(scanned.end / 32)).fill(0xffffffff)
  keep(all, scanned.end, (row) => id[row] !== 0)
  return narrow(scanned, screen, all)
}

/** The rows of `within` that pass; `within` is used up. */
function narrow(scanned: Scanned, screen: TokenScreen, within: RowSet): RowSet {
  const { columns, end, launchpads } = scanned
  for (const field of BOUND_FIELDS) {
    const bound = screen[field]
    if (bound === undefined) continue
    const { measure, least } = TOKEN_BOUNDS[field]
    keepBounded(scanned, within, measure, least, bound)
  }
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
    const before = within[word] as number
    if (before === 0) continue
    const last = Math.min(32, end - row)
    let bits = 0
    for (let bit = 0; bit < last; bit += 1) {
      const value = (nowMs - (createdAt[row + bit] as number)) / 3_600_000
      if (value >= low && value <= high) bits |= 1 << bit
    }
    within[word] = before & bits
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
    const before = within[word] as number
    if (before === 0) continue
    const last = Math.min(32, end - row)
    let bits = 0
    for (let bit = 0; bit < last; bit += 1) {
      const value = capOf(columns, row + bit, nativeUsd)
      if (value >= low && value <= high) bits |= 1 << bit
    }
    within[word] = before & bits
  }
}

/** `holderGrowthPct`, written out for the same reason. */
function keepGrowth(within: RowSet, end: number, columns: BoardColumns, least: boolean, bound: number): void {
  const { holderCount, holderCount1hAgo } = columns
  const [low, high] = least ? [bound, Number.POSITIVE_INFINITY] : [Number.NEGATIVE_INFINITY, bound]
  for (let word = 0, row = 0; row < end; word += 1, row += 32) {
    const before = within[word] as number
    if (before === 0) continue
    const last = Math.min(32, end - row)
    let bits = 0
    for (let bit = 0; bit < last; bit += 1) {
      const ago = holderCount1hAgo[row + bit] as number
      const value = (100 * ((holderCount[row + bit] as number) - ago)) / (ago > 1 ? ago : 1)
      if (value >= low && value <= high) bits |= 1 << bit
    }
    within[word] = before & bits
  }
}

function keepDoubles(within: RowSet, end: number, column: Float64Array, least: boolean, bound: number): void {
  const [low, high] = least ? [bound, Number.POSITIVE_INFINITY] : [Number.NEGATIVE_INFINITY, bound]
  for (let word = 0, row = 0; row < end; word += 1, row += 32) {
    const before = within[word] as number
    if (before === 0) continue
    const last = Math.min(32, end - row)
    let bits = 0
    for (let bit = 0; bit < last; bit += 1) {
      const value = column[row + bit] as number
      if (value >= low && value <= high) bits |= 1 << bit
    }
    within[word] = before & bits
  }
}

function keep(within: RowSet, end: number, passes: (row: number) => boolean): void {
  for (let word = 0, row = 0; row < end; word += 1, row += 32) {
    const before = within[word] as number
    if (before === 0) continue
    const last = Math.min(32, end - row)
    let bits = 0
    for (let bit = 0; bit < last; bit += 1) if (passes(row + bit)) bits |= 1 << bit
    within[word] = before & bits
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

const addRow = (set: RowSet, row: number): void => {
  set[row >>> 5] = (set[row >>> 5] as number) | (1 << (row & 31))
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
