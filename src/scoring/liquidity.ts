// How easily a token's liquidity can leave. Input: pools with providers and days. Output: measures, how firmly the
// liquidity stays, and whether it was pulled. More withdrawable liquidity is never less risky.
import { DAY_SECONDS, NEVER } from '../base/time.ts'
import type { LockFacts, PoolDayFacts, PoolFacts, TokenFacts } from '../ledger/facts/facts.ts'
import { LEAST_USD } from '../verdict/bounds.ts'
import { counts, isLock, knownProviders, nextUnlockStep, unknownPart } from './locks.ts'
import { sum } from './ramp.ts'
import { FALL, LIQUIDITY, PULLED } from './weights.ts'
import { findWithdrawer, type Withdrawal } from './withdrawer.ts'

export interface LiquidityMeasures extends Withdrawal {
  liquidityUsd: number
  /** Share of the liquidity in locks with a known end, 0-1, and the first of these ends in seconds since 1970. */
  datedShare: number | null
  lockedUntil: number | null
  /** The quote reserve divided by its peak of the last month, 0-1. */
  reserveToPeak: number | null
  /**
   * The same of V2 pools alone, where it is about the root of the price over its peak: a range empties sooner. Null:
   * there is none.
   */
  fullRangeToPeak: number | null
  /** The share of the month's peak that a deep fall left, 0-1. Null: it did not fall so far that no risk is low. */
  leftAfterFall: number | null
  providerCount: number | null
  /** Largest share of a pool that was removed within one day and is less than half replaced, 0-1. */
  pulledShare: number
  /** Share of the reserve that left since the start of yesterday, 0-1. */
  reserveFall: number
}

/** Measures the pools at the block, weighted by their liquidity. */
export function measureLiquidity(facts: TokenFacts): LiquidityMeasures {
  const { pools, block } = facts
  const toPeak = average(pools, reserveToPeak)
  const v2 = pools.filter(({ kind }) => kind === 'v2')
  const fullRangeToPeak = average(v2, reserveToPeak)
  return Object.assign(findWithdrawer(pools, block.hourTime), {
    liquidityUsd: facts.liquidityUsd,
    datedShare: average(pools, (pool) => sum(datedLocks(pool, block.hourTime).map((lock) => lock.share))),
    lockedUntil: firstEnd(pools.flatMap((pool) => datedLocks(pool, block.hourTime))),
    reserveToPeak: toPeak,
    fullRangeToPeak,
    leftAfterFall: leftAfterFall(fullRangeToPeak, toPeak),
    providerCount: countProviders(pools),
    pulledShare: Math.max(0, ...pools.map((pool) => pulledShare(pool, facts))),
    reserveFall: average(pools, (pool) => reserveFall(pool, block.hourTime)) ?? 0,
  })
}

function leftAfterFall(fullRange: number | null, all: number | null): number | null {
  if (fullRange !== null && fullRange <= FALL.monthLeft) return fullRange
  return all !== null && all <= FALL.anyPoolLeft ? all : null
}

/** The hour at which a lock or a pulled flag changes by time alone, in seconds since 1970; null: nothing does. */
export function nextLiquidityChange(facts: TokenFacts): number | null {
  const now = facts.block.hourTime
  const ends = facts.pools.flatMap((pool) =>
    (pool.providers ?? [])
      .filter(isLock)
      .flatMap((provider) => [
        ...provider.locks.flatMap(({ endsAt }) => [endsAt - LIQUIDITY.lockMarginSeconds, endsAt]),
        ...(unknownPart(provider) > 0 ? [nextUnlockStep(provider.since, now)] : []),
      ]),
  )
  const pulled = facts.pools.some((pool) => pulledShare(pool, facts) >= PULLED.removed) ? [now + DAY_SECONDS] : []
  const later = [...ends, ...pulled]
    .filter((time) => time > now && time < NEVER - LIQUIDITY.lockMarginSeconds)
    .map((time) => Math.ceil(time / 3_600) * 3_600)
  return later.length ? Math.min(...later) : null
}

/**
 * How firmly the liquidity stays, 0-100. It is 100 only if no wallet can withdraw anything within 30 days and nothing
 * was pulled; 0 if the liquidity is gone. Null: the wallets that can withdraw it are unknown.
 */
export function measureStability(measures: LiquidityMeasures): number | null {
  const { withdrawableShare: free, liquidityUsd, pulledShare: pulled } = measures
  if (free === null) return null
  return liquidityUsd < LEAST_USD ? 0 : 100 * (1 - free) * (1 - pulled)
}

/** The locks of a pool that count and have a known end. */
const datedLocks = ({ providers }: PoolFacts, now: number): LockFacts[] =>
  (providers ?? []).filter(isLock).flatMap(({ locks }) => locks.filter((lock) => counts(lock, now)))

const firstEnd = (locks: readonly LockFacts[]): number | null =>
  locks.length > 0 ? Math.min(...locks.map(({ endsAt }) => endsAt)) : null

const peakReserve = (pool: PoolFacts): number =>
  Math.max(
    pool.quoteReserve,
    ...pool.days.map((day) => Math.max(day.openQuote, day.closeQuote, day.beforeRemovalQuote)),
  )

const reserveToPeak = (pool: PoolFacts): number => pool.quoteReserve / Math.max(peakReserve(pool), Number.MIN_VALUE)

function reserveFall(pool: PoolFacts, now: number): number {
  const yesterday = Math.floor(now / DAY_SECONDS) - 1
  const before = Math.max(0, ...pool.days.filter((day) => day.day >= yesterday).map((day) => day.openQuote))
  return before > 0 ? Math.max(0, 1 - pool.quoteReserve / before) : 0
}

/**
 * Two consecutive days count as one, so that midnight does not split a removal. Ignored unless the pool was worth at
 * least as much as all other pools now.
 */
function pulledShare(pool: PoolFacts, facts: TokenFacts): number {
  const since = Math.floor(facts.block.hourTime / DAY_SECONDS) - PULLED.days
  const elsewhereUsd = facts.liquidityUsd - pool.liquidityUsd
  let largest = 0
  let previous: PoolDayFacts | undefined
  for (const day of pool.days) {
    if (day.removalCount > 0 && day.day >= since) {
      const joined = previous && previous.removalCount > 0 && previous.day === day.day - 1 ? previous : undefined
      const taken = 1 - day.keptFraction * (joined?.keptFraction ?? 1)
      const before = joined?.beforeRemovalQuote || day.beforeRemovalQuote
      const gone = pool.quoteReserve < PULLED.left * before
      const beforeUsd = toUsd(pool, before)
      if (gone && beforeUsd >= Math.max(elsewhereUsd, PULLED.minUsd)) largest = Math.max(largest, taken)
    }
    previous = day
  }
  return largest
}

/** The dollars in the pool when its quote side was `quote`. A pool that is empty now counts with its peak. */
const toUsd = (pool: PoolFacts, quote: number): number =>
  pool.quoteReserve > 0 && pool.liquidityUsd > 0
    ? (pool.liquidityUsd / pool.quoteReserve) * quote
    : pool.peakLiquidityUsd

/**
 * The mean over the pools, weighted by liquidity, or by peak liquidity if all are empty. Unknown values are left out;
 * null if all are unknown.
 */
function average(pools: readonly PoolFacts[], measure: (pool: PoolFacts) => number | null): number | null {
  const total = sum(pools.map((pool) => pool.liquidityUsd))
  let [weighed, weights] = [0, 0]
  for (const pool of pools) {
    const weight = total > 0 ? pool.liquidityUsd : pool.peakLiquidityUsd
    const value = weight > 0 ? measure(pool) : null
    if (value === null) continue
    weighed += weight * value
    weights += weight
  }
  return weights > 0 ? weighed / weights : null
}

function countProviders(pools: readonly PoolFacts[]): number | null {
  const counts = pools
    .map((pool) => (knownProviders(pool) ? pool.providerCount : null))
    .filter((count) => count !== null)
  return counts.length ? sum(counts) : null
}
