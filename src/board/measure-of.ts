// The numbers of orders and filters, read from the board's columns. Pure. The tests' oracle has the same arithmetic in SQL.
import { float64At, uint16At, uint32At } from '../base/item-at.ts'
import { capIn } from '../base/present.ts'
import { sellTaxOf } from '../fields/contract-marks.ts'
import { ageHours, holderGrowthPct } from '../fields/formulas.ts'
import type { TokenOrder } from '../fields/screen.ts'
import { type BoundMeasure, isNullable, isScored, type TokenMeasure } from '../fields/token.ts'
import { type BoardColumns, CREATED_MS, compareAddresses, countReader, isCount, NOT_KNOWN, SCALES } from './columns.ts'
import type { UnitUsd } from './units.ts'

/** The time of the block, from which ages count, and the prices of the units at it. */
export interface Moment {
  timeMs: number
  unitUsd: UnitUsd
}

/** Whether the order changes when the price of a unit does. */
export const followsUnits = (order: readonly TokenOrder[]): boolean =>
  order.some(({ measure }) => measure === 'marketCapUsd' || measure === 'priceUsd')

/** Returns the reader of a measure. An unknown one is NaN, which no bounds contain. */
export function measureOf(
  columns: BoardColumns,
  measure: TokenMeasure | BoundMeasure,
  { timeMs, unitUsd }: Moment,
): (row: number) => number {
  if (measure === 'ageHours') {
    const { createdAt } = columns
    return (row) => ageHours(CREATED_MS * uint32At(createdAt, row), timeMs)
  }
  if (measure === 'sellTaxPct') {
    const { contractMarks } = columns
    return (row) => sellTaxOf(uint32At(contractMarks, row)) ?? Number.NaN
  }
  if (measure === 'marketCapUsd') return (row) => capOf(columns, row, unitUsd)
  if (measure === 'priceUsd') {
    const { price, unit } = columns
    return (row) => float64At(price, row) * float64At(unitUsd, uint16At(unit, row))
  }
  if (measure === 'holderGrowth1hPct') {
    const [now, ago] = [countReader(columns, 'fundedHolderCount'), countReader(columns, 'fundedHolderCount1hAgo')]
    return (row) => holderGrowthPct(now(row), ago(row))
  }
  if (measure === 'createdAt') {
    const { createdAt } = columns
    return (row) => CREATED_MS * uint32At(createdAt, row)
  }
  const { riskScore, trendingScore } = columns
  if (measure === 'riskScore') return (row) => uint16At(riskScore, row) / SCALES.riskScore
  if (measure === 'trendingScore') return (row) => uint32At(trendingScore, row) / SCALES.trendingScore
  if (isCount(measure)) return countReader(columns, measure)
  if (isScored(measure)) {
    const column = columns[measure]
    return (row) => {
      const stored = uint16At(column, row)
      return stored === NOT_KNOWN ? Number.NaN : stored / SCALES.scored
    }
  }
  const column = columns[measure]
  return (row) => float64At(column, row)
}

/** The market cap of a row in USD. */
export const capOf = (columns: BoardColumns, row: number, unitUsd: UnitUsd): number =>
  capAt(float64At(columns.marketCap, row), uint16At(columns.unit, row), unitUsd)

/** As above, for a cap in the unit at this index. */
export const capAt = (kept: number, place: number, unitUsd: UnitUsd): number =>
  place === 0 ? kept : capIn(kept, float64At(unitUsd, place))

/** Returns the number of a row in an order: an unknown one comes last in both directions. */
export function sortKeyOf(
  columns: BoardColumns,
  { measure, descending }: TokenOrder,
  moment: Moment,
): (row: number) => number {
  const of = measureOf(columns, measure, moment)
  if (!isNullable(measure)) return of
  const last = descending ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  return (row) => {
    const value = of(row)
    return Number.isNaN(value) ? last : value
  }
}

/** Compares rows by an order, and then by address. */
export function comparatorOf(
  columns: BoardColumns,
  order: readonly TokenOrder[],
  moment: Moment,
): (a: number, b: number) => number {
  const keys = order.map((key) => ({ of: sortKeyOf(columns, key, moment), turn: key.descending ? -1 : 1 }))
  return (a, b) => {
    for (const { of, turn } of keys) {
      const [first, second] = [of(a), of(b)]
      if (first !== second) return first < second ? -turn : turn
    }
    return compareAddresses(columns.address, a, b)
  }
}
