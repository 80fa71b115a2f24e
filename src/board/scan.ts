// Finds the rows that pass a screen: a bit per row, from a walk over the screen's columns. Pure.
import { uint8At, uint32At } from '../base/item-at.ts'
import { CONFIDENCES } from '../base/vocabulary.ts'
import { foldCase, type TokenScreen, toAddressPrefix } from '../fields/screen.ts'
import { allowsBits, bitRulesOf, boundsOf, type LowHigh } from '../fields/to-test.ts'
import { type BoundMeasure, isNullable, type TokenMeasure } from '../fields/token.ts'
import { type BoardColumns, isCount } from './columns.ts'
import { type Moment, measureOf } from './measure-of.ts'
import { keepAges, keepBits, keepCaps, keepCounts, keepDoubles, keepGrowth, keepRanked, keepRisks } from './narrow.ts'
import type { Ranked } from './ranking.ts'
import { addRow, intersect, type RowSet, toSet, unite } from './row-set.ts'

/** The scanned rows: those below `end`, at a time. */
export interface Scanned {
  columns: BoardColumns
  end: number
  moment: Moment
  /** Rows that have a token. */
  present: RowSet
  /** The names of the launchpads, at their indexes. */
  launchpads: readonly string[]
  /** Calls for each row whose symbol or name contains the text. */
  find(text: string, found: (row: number) => void): void
  /** The rows whose address begins with it. */
  startingWith(prefix: string): Int32Array
  /** All rows with a token in the order of this measure, if it is ready. */
  rankedBy(measure: TokenMeasure): Ranked | null
}

/** The number of rows that decide which bound leaves the fewest. */
const SAMPLE = 512

interface Bounded extends LowHigh {
  measure: BoundMeasure
}

/**
 * The bounds of a screen by measure. The one that leaves the fewest of some rows comes first, because later ones check
 * only the rest.
 */
function sortBounds({ columns, end, moment }: Scanned, screen: TokenScreen): Bounded[] {
  const bounds = Array.from(boundsOf(screen), ([measure, bound]): Bounded => ({ measure, ...bound }))
  if (bounds.length < 2) return bounds
  const step = Math.max(1, Math.floor(end / SAMPLE))
  const left = bounds.map((bounded) => {
    const of = measureOf(columns, bounded.measure, moment)
    let count = 0
    for (let row = 0; row < end; row += step) if (of(row) >= bounded.low && of(row) <= bounded.high) count += 1
    return { ...bounded, count }
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
  for (const bounded of sortBounds(scanned, screen)) keepBounded(scanned, within, bounded)
  const { minConfidence } = screen
  const { flagBits, confidence, launchpad, contractMarks } = columns
  const { flagBits: flags, contractMarks: marks } = bitRulesOf(screen)
  if (flags && flags.none !== 0) keepBits(within, end, flagBits, flags.none, false)
  if (flags && flags.any !== null) keepBits(within, end, flagBits, flags.any, true)
  if (marks) keep(within, end, (row) => allowsBits(marks, uint32At(contractMarks, row)))
  if (minConfidence) {
    const least = CONFIDENCES.indexOf(minConfidence)
    keep(within, end, (row) => uint8At(confidence, row) >= least)
  }
  if (screen.launchpads) {
    const wanted = Uint8Array.from(launchpads, (name) => Number(screen.launchpads?.includes(name)))
    keep(within, end, (row) => wanted[uint8At(launchpad, row)] === 1)
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
    for (let word = 0; word < within.length; word += 1) within[word] = (within[word] ?? 0) & ~(without[word] ?? 0)
  }
  return within
}

function keepBounded(scanned: Scanned, within: RowSet, { measure, ...bounds }: Bounded): void {
  const { columns, end, moment } = scanned
  const of = measureOf(columns, measure, moment)
  // The older a token is, the earlier it was created.
  const ranked = isNullable(measure)
    ? null
    : measure === 'ageHours'
      ? turn(scanned.rankedBy('createdAt'))
      : scanned.rankedBy(measure)
  if (ranked && keepRanked(within, ranked, of, bounds)) return
  if (isNullable(measure)) keep(within, end, (row) => of(row) >= bounds.low && of(row) <= bounds.high)
  else if (isCount(measure)) keepCounts(within, end, columns, measure, bounds)
  else if (measure === 'riskScore') keepRisks(within, end, columns, bounds)
  else if (measure === 'ageHours') keepAges(within, end, columns, moment.timeMs, bounds)
  else if (measure === 'marketCapUsd') keepCaps(within, end, columns, moment.unitUsd, bounds)
  else if (measure === 'holderGrowth1hPct') keepGrowth(within, end, columns, bounds)
  else keepDoubles(within, end, columns[measure], bounds)
}

const turn = (ranked: Ranked | null): Ranked | null => ranked && { ...ranked, descending: !ranked.descending }

function keep(within: RowSet, end: number, passes: (row: number) => boolean): void {
  for (let word = 0, row = 0; row < end; word += 1, row += 32) {
    let bits = 0
    for (let left = within[word] ?? 0; left !== 0; left &= left - 1) {
      const bit = 31 - Math.clz32(left & -left)
      if (passes(row + bit)) bits |= 1 << bit
    }
    within[word] = bits
  }
}
