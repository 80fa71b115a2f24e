// Facts of a token's pools -> how long its liquidity has been in whose hands. In: pools with providers and days. Out: plain
// measures of the deepest pool, or of all that are as deep; null where the providers are not known.
import type { PoolFacts, TokenFacts } from '../ledger/facts/facts.ts'
import { lockStrength, withdrawableShare } from './liquidity.ts'
import { newestTime } from './newest.ts'
import { sum } from './ramp.ts'

export interface TenureMeasures {
  /** Second largest share that one wallet can withdraw now, 0-1. */
  nextExitShare: number | null
  /** Share of the liquidity that was burned, 0-1. */
  burnedLiquidityShare: number | null
  /** From the first liquidity to the newest change of a share, and since then. */
  sharesMovedHours: number | null
  sharesHeldHours: number | null
  /** From the first liquidity to the first share that is locked now, and since then; without a lock the life so far, and 0. */
  lockDelayHours: number | null
  lockHeldHours: number | null
  /** From the first liquidity to the last change of the share that could leave. */
  exitMovedHours: number | null
  /** What the heaviest day of removals of the last month left, 0-1. */
  keptShare: number
  /** Of all time, and the liquidity now over it. */
  peakLiquidityUsd: number
  liquidityToPeak: number | null
}

const HOUR = 3_600

/** Measures as of the block. */
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
