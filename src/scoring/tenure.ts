// Pure. Measures how long a token's liquidity has been held and by whom, for its deepest pool or pools. Measures of
// providers are null if the providers are unknown.
import type { PoolFacts, TokenFacts } from '../ledger/facts/facts.ts'
import { lockStrength, withdrawableShare } from './liquidity.ts'
import { newestTime } from './newest.ts'
import { sum } from './ramp.ts'

export interface TenureMeasures {
  /** Second largest share that one wallet can withdraw now, 0-1. */
  nextExitShare: number | null
  /** Share of the liquidity that was burned, 0-1. */
  burnedLiquidityShare: number | null
  /** Hours from the first liquidity to the newest change of any share, and since then. */
  sharesMovedHours: number | null
  sharesHeldHours: number | null
  /**
   * Hours from the first liquidity to the first share that is locked now, and since then. Without a lock: the life so
   * far, and 0.
   */
  lockDelayHours: number | null
  lockHeldHours: number | null
  /** Hours from the first liquidity to the last change of the largest withdrawable share. */
  exitMovedHours: number | null
  /** What the heaviest day of removals in the last month left, 0-1. */
  keptShare: number
  /** The peak of all time, and the liquidity now divided by it. */
  peakLiquidityUsd: number
  liquidityToPeak: number | null
}

const HOUR = 3_600

/** The measures as of the block. */
export function measureTenure(facts: TokenFacts): TenureMeasures {
  const { pools, liquidityUsd, peakLiquidityUsd } = facts
  const start = facts.firstLiquidityAt ?? facts.createdAt
  return {
    ...measureProviders(listDeepest(pools), start, newestTime(facts)),
    keptShare: Math.min(1, ...pools.flatMap((pool) => pool.days.map((day) => day.keptFraction))),
    peakLiquidityUsd,
    liquidityToPeak: peakLiquidityUsd > 0 ? liquidityUsd / peakLiquidityUsd : null,
  }
}

function listDeepest(pools: readonly PoolFacts[]): PoolFacts[] {
  const most = Math.max(0, ...pools.map((pool) => pool.liquidityUsd))
  return pools.filter((pool) => pool.providers !== null && pool.liquidityUsd === most)
}

function measureProviders(pools: readonly PoolFacts[], start: number, now: number) {
  const providers = pools.flatMap((pool) => pool.providers ?? [])
  if (providers.length === 0)
    return {
      nextExitShare: null,
      burnedLiquidityShare: null,
      sharesMovedHours: null,
      sharesHeldHours: null,
      lockDelayHours: null,
      lockHeldHours: null,
      exitMovedHours: null,
    }
  const exits = providers
    .map((provider) => ({ share: withdrawableShare(provider, now), since: provider.since }))
    .sort((a, b) => b.share - a.share || b.since - a.since)
  const locked = providers.filter((provider) => lockStrength(provider, now) > 0).map((provider) => provider.since)
  const moved = Math.max(start, ...providers.map((provider) => provider.since))
  const hours = (seconds: number) => Math.max(0, seconds) / HOUR
  return {
    nextExitShare: exits[1]?.share ?? 0,
    burnedLiquidityShare:
      sum(providers.filter(({ kind }) => kind === 'burned').map(({ share }) => share)) / pools.length,
    sharesMovedHours: hours(moved - start),
    sharesHeldHours: hours(now - moved),
    lockDelayHours: hours((locked.length > 0 ? Math.min(...locked) : now) - start),
    lockHeldHours: locked.length > 0 ? hours(now - Math.min(...locked)) : 0,
    exitMovedHours: hours((exits[0]?.since ?? now) - start),
  }
}
