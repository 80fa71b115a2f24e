// What an installation said of tokens, beside what became of them. Input: the counts of its track record. Output: shares
// with their intervals, beside those of the exam. Pure.
import { RISK_LEVELS, type RiskLevel } from '../base/vocabulary.ts'
import { countOf } from '../words/numbers.ts'
import { type Alike, findAlike, toAlike } from './alike.ts'
import { toAge, toRange } from './tell-alike.ts'

/** Ages at which a level is judged, in hours since the first liquidity: those of the exam. */
export const JUDGED_AGES = [1, 24, 72] as const
/** How many days later. */
export const HORIZONS = [7, 30] as const
/** The newest weeks that a record sums up. */
export const RECORD_WEEKS = 12

/** Tokens of one level at one age, and what became of them within the horizon. */
export interface RecordSum {
  horizonDays: number
  ageHours: number
  level: string
  tokens: number
  pulled: number
  /** Those with a price, and those of them that lost 90 % of it. */
  priced: number
  lost: number
  /** Those that a check had found sellable, and those of them that a later check found unsellable. */
  sellable: number
  unsellable: number
}

/** The horizon of the exam, with which a record is compared. */
const EXAM_DAYS = 30

/** `share`, `from`, `to` and `proven` are of those that were pulled. */
export interface RecordCell extends RecordSum, Alike {
  level: RiskLevel
  /** What became of the exam's tokens of this level and age; null: of another horizon, or there were none. */
  expected: Alike | null
  /** Whether the two intervals do not touch. */
  isMoved: boolean
}

const isLevel = (level: string): level is RiskLevel => RISK_LEVELS.some((known) => known === level)

/** By horizon and age, the lowest level first. */
export function toRecordCells(chainId: number, sums: readonly RecordSum[]): RecordCell[] {
  return sums
    .flatMap((sum): RecordCell[] => {
      const { level, horizonDays, ageHours } = sum
      if (!isLevel(level)) return []
      const alike = toAlike(sum)
      const expected = horizonDays === EXAM_DAYS ? findAlike(chainId, level, ageHours) : null
      const isMoved = expected !== null && (alike.from > expected.to || alike.to < expected.from)
      return [{ ...sum, ...alike, level, expected, isMoved }]
    })
    .sort(
      (a, b) =>
        a.horizonDays - b.horizonDays ||
        a.ageHours - b.ageHours ||
        RISK_LEVELS.indexOf(a.level) - RISK_LEVELS.indexOf(b.level),
    )
}

/** `Of 40 tokens of medium risk at an age of 1 day, 35 to 66 % were pulled within 30 days, where the exam, with falls by 90 %, had 18 to 29 %.` */
export function tellMoves(cells: readonly RecordCell[]): string[] {
  return cells.flatMap((cell) => {
    if (cell.expected === null || !cell.isMoved) return []
    return [`${tellCell(cell)}, where the exam, with falls by 90 %, had ${toRange(cell.expected)}`]
  })
}

function tellCell(cell: RecordCell): string {
  const of = `Of ${countOf(cell.tokens, 'token')} of ${cell.level} risk at an age of ${toAge(cell.ageHours)}`
  return `${of}, ${toRange(cell)} were pulled within ${cell.horizonDays} days`
}

/** What became of tokens of one level and age in this installation; without a cell, why nobody knows. */
export interface LevelRecord {
  text: string
  cell: RecordCell | null
}

/** The record of a level at a judged age, over the longest horizon that has one. */
export function findRecord(
  cells: readonly RecordCell[],
  { level, ageHours }: { level: RiskLevel; ageHours: number | null },
): LevelRecord {
  const [cell = null] = cells
    .filter((each) => each.level === level && each.ageHours === ageHours && each.tokens > 0)
    .sort((a, b) => b.horizonDays - a.horizonDays)
  if (cell) return { text: tellCell(cell), cell }
  if (ageHours === null) return { text: 'Its level has no age: it is not judged', cell }
  if (cells.length === 0) return { text: 'This installation has judged no week so far', cell }
  return { text: `It has judged no token of ${level} risk at an age of ${toAge(ageHours)} so far`, cell }
}
