// The numbers that orders and filters go by, read from the board's columns in the arithmetic of the ledger's SQL. Pure.
import { ageHours, holderGrowthPct } from '../base/filter.ts'
import type { TokenMeasure, TokenOrder } from '../base/screen.ts'
import { type BoardColumn, type BoardColumns, compareAddresses } from './columns.ts'

/** The measures that are a column as it is. */
export const STORED: { readonly [Measure in TokenMeasure]?: Exclude<BoardColumn, 'address'> } = {
  trendingScore: 'trendingScore',
  createdAt: 'createdAt',
  liquidityUsd: 'liquidityUsd',
  peakLiquidityUsd: 'peakLiquidityUsd',
  volume24hUsd: 'volume24hUsd',
  marketCapUsd: 'marketCapUsd',
  priceUsd: 'priceUsd',
  riskScore: 'riskScore',
  holderCount: 'holderCount',
  buyerCount: 'buyerCount',
  eventCount: 'eventCount',
  swapCount: 'swapCount',
}

/** Gives the measure of a row; `nowMs` is the time of the block, which ages count from. */
export function measureOf(
  columns: BoardColumns,
  measure: TokenMeasure | 'ageHours',
  nowMs: number,
): (row: number) => number {
  if (measure === 'ageHours') {
    const { createdAt } = columns
    return (row) => ageHours(createdAt[row] as number, nowMs)
  }
  if (measure === 'holderGrowth1hPct') {
    const { holderCount, holderCount1hAgo } = columns
    return (row) => holderGrowthPct(holderCount[row] as number, holderCount1hAgo[row] as number)
  }
  const column = columns[STORED[measure] ?? 'createdAt']
  return (row) => column[row] as number
}

/** Compares rows by an order, and then by address. No order goes by an age, so none needs the time. */
export function comparatorOf(columns: BoardColumns, order: readonly TokenOrder[]): (a: number, b: number) => number {
  const keys = order.map(({ measure, descending }) => ({
    of: measureOf(columns, measure, 0),
    turn: descending ? -1 : 1,
  }))
  return (a, b) => {
    for (const { of, turn } of keys) {
      const [first, second] = [of(a), of(b)]
      if (first !== second) return first < second ? -turn : turn
    }
    return compareAddresses(columns.address, a, b)
  }
}
