// Pure. Measures how long a token's liquidity has been held and by whom, for its deepest pool or pools. Measures of
// providers are null if the providers are unknown.
import type { PoolFacts, TokenFacts } from '../ledger/facts/facts.ts'

export interface TenureMeasures {
  /** From the first liquidity to the newest change of a share. */
  sharesMovedHours: number | null
  /** The share that the heaviest day of removals of the last month left, 0-1. */
  keptShare: number
  /** The liquidity over its peak of all time. */
  liquidityToPeak: number | null
}

const HOUR = 3_600

/** The measures at the block. */
export function measureTenure(facts: TokenFacts): TenureMeasures {
  const { pools, liquidityUsd, peakLiquidityUsd } = facts
  return {
    sharesMovedHours: measureMoved(listDeepest(pools), facts.firstLiquidityAt ?? facts.createdAt),
    keptShare: Math.min(1, ...pools.flatMap((pool) => pool.days.map((day) => day.keptFraction))),
    liquidityToPeak: peakLiquidityUsd > 0 ? liquidityUsd / peakLiquidityUsd : null,
  }
}

function listDeepest(pools: readonly PoolFacts[]): PoolFacts[] {
  const most = Math.max(0, ...pools.map((pool) => pool.liquidityUsd))
  return pools.filter((pool) => pool.providers !== null && pool.liquidityUsd === most)
}

function measureMoved(pools: readonly PoolFacts[], start: number): number | null {
  const times = pools.flatMap((pool) => (pool.providers ?? []).map((provider) => provider.since))
  return times.length > 0 ? Math.max(0, ...times.map((time) => time - start)) / HOUR : null
}
