// Facts of a token's pools -> how easily its liquidity can leave. In: pools with providers and days. Out: measures, the
// dimension (100 = gone or free to go), and whether it was pulled. More withdrawable is never less risky.
import { NEVER } from '../base/time.ts'
import type { LockFacts, PoolDayFacts, PoolFacts, ProviderFacts, TokenFacts } from '../ledger/facts/facts.ts'
import { ramp, sum } from './ramp.ts'
import { LEAST_USD, LIQUIDITY, PULLED } from './weights.ts'

export interface LiquidityMeasures {
  liquidityUsd: number
  /** Largest share of the liquidity that one wallet can withdraw now, 0-1. */
  exitShare: number | null
  /** Who can withdraw that of the deepest pool; null: nobody, or not known. */
  exitHolder: string | null
  /** Share that all wallets together can withdraw within 30 days, 0-1. */
  withdrawableShare: number | null
  /** Share of the liquidity in locks whose end is known, 0-1, and the first of these ends in seconds since 1970. */
  datedShare: number | null
  lockedUntil: number | null
  /** The quote reserve divided by its peak of the last month, 0-1. */
  reserveToPeak: number | null
  /** The same of V2 pools alone, where it is about the root of the price over its peak: a range empties sooner. Null: there is none. */
  fullRangeToPeak: number | null
  providerCount: number | null
  /** Largest share of a pool that was removed within one day and is less than half replaced, 0-1. */
  pulledShare: number
  /** Share of the reserve that left since the start of yesterday, 0-1. */
  reserveFall: number
}

/** Measures the pools at the block, weighted by their liquidity. */
export function measureLiquidity(facts: TokenFacts): LiquidityMeasures {
  const { pools, block } = facts
  return {
    liquidityUsd: facts.liquidityUsd,
    exitShare: average(pools, (pool) => exitShare(pool, block.hourTime)),
    exitHolder: findExitHolder(pools, block.hourTime),
    withdrawableShare: average(pools, (pool) => withdrawable(pool, block.hourTime)),
    datedShare: average(pools, (pool) => sum(datedLocks(pool, block.hourTime).map((lock) => lock.share))),
    lockedUntil: firstEnd(pools.flatMap((pool) => datedLocks(pool, block.hourTime))),
    reserveToPeak: average(pools, reserveToPeak),
    fullRangeToPeak: average(
      pools.filter(({ kind }) => kind === 'v2'),
      reserveToPeak,
    ),
    providerCount: countProviders(pools),
    pulledShare: Math.max(0, ...pools.map((pool) => pulledShare(pool, facts))),
    reserveFall: average(pools, (pool) => reserveFall(pool, block.hourTime)) ?? 0,
  }
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
  const pulled = facts.pools.some((pool) => pulledShare(pool, facts) >= PULLED.removed) ? [now + 86_400] : []
  const later = [...ends, ...pulled]
    .filter((time) => time > now && time < NEVER - LIQUIDITY.lockMarginSeconds)
    .map((time) => Math.ceil(time / 3_600) * 3_600)
  return later.length ? Math.min(...later) : null
}

/** The fraction of a provider's share that cannot be withdrawn, 0-1. */
export function lockStrength(provider: ProviderFacts, now: number): number {
  if (provider.kind === 'burned' || provider.kind === 'pool') return 1
  if (!isLock(provider)) return 0
  const strength = 1 - ramp(now - provider.since, LIQUIDITY.unknownLockSeconds)
  const { share, locks } = provider
  if (locks.length === 0 || share <= 0) return strength
  const counted = sum(locks.filter((lock) => counts(lock, now)).map((lock) => lock.share))
  return Math.min(1, (counted + unknownPart(provider) * strength) / share)
}

/** A lock with a known end counts until 30 days before its end. */
export const counts = ({ endsAt }: Pick<LockFacts, 'endsAt'>, now: number): boolean =>
  endsAt - now > LIQUIDITY.lockMarginSeconds

/** Shares below this are rounding errors of doubles. */
const ROUNDING = 1e-9

/** The part of a locker's share in locks without a known end. */
function unknownPart({ share, locks }: ProviderFacts): number {
  const rest = share - sum(locks.map((lock) => lock.share))
  return rest > ROUNDING ? rest : 0
}

/**
 * Whether a provider is a lock: a known locker, a launch venue's contract that is known to keep what it holds, or a contract that
 * received its share and never added liquidity, as vesting and lock contracts do.
 */
const isLock = ({ kind, hasAdded, locks }: ProviderFacts): boolean =>
  kind === 'locker' || locks.length > 0 || (kind === 'contract' && hasAdded === false)

/** What a provider can withdraw now, as a share of the pool, 0-1. */
export const withdrawableShare = (provider: ProviderFacts, now: number): number =>
  provider.share * (1 - lockStrength(provider, now))

function exitShare(pool: PoolFacts, now: number): number | null {
  if (pool.providers === null) return null
  return Math.max(0, ...pool.providers.map((provider) => withdrawableShare(provider, now)))
}

/** Of the deepest pool, if its providers are known. */
function findExitHolder(pools: readonly PoolFacts[], now: number): string | null {
  const deepest = pools.reduce<PoolFacts | null>(
    (most, pool) => (most && most.liquidityUsd >= pool.liquidityUsd ? most : pool),
    null,
  )
  let [holder, largest]: [string | null, number] = [null, ROUNDING]
  for (const provider of deepest?.providers ?? []) {
    const share = withdrawableShare(provider, now)
    if (share > largest) [holder, largest] = [provider.address ?? null, share]
  }
  return holder
}

/** Of a pool with more providers than are known one by one, nobody knows of the rest that it is locked. */
function withdrawable(pool: PoolFacts, now: number): number | null {
  if (pool.providers === null) return null
  let [known, free] = [0, 0]
  for (const provider of pool.providers) {
    known += provider.share
    free += withdrawableShare(provider, now)
  }
  const rest = pool.providers.length < (pool.providerCount ?? 0) ? Math.max(0, 1 - known) : 0
  return Math.min(1, free + (rest > ROUNDING ? rest : 0))
}

/**
 * How firmly the liquidity stays, 0-100: 100 only where nobody can withdraw anything within 30 days and nothing was pulled; 0 where it is
 * gone. Null: nobody knows who can withdraw it.
 */
export function measureStability(measures: LiquidityMeasures): number | null {
  const { withdrawableShare: free, liquidityUsd, pulledShare: pulled } = measures
  if (free === null) return null
  return liquidityUsd < LEAST_USD ? 0 : 100 * (1 - free) * (1 - pulled)
}

/** The locks of a pool that count and whose end is known. */
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
  const yesterday = Math.floor(now / 86_400) - 1
  const before = Math.max(0, ...pool.days.filter((day) => day.day >= yesterday).map((day) => day.openQuote))
  return before > 0 ? Math.max(0, 1 - pool.quoteReserve / before) : 0
}

/**
 * Two consecutive days count as one, so that midnight does not split a removal. Ignored unless the pool was worth at
 * least as much as all other pools now.
 */
function pulledShare(pool: PoolFacts, facts: TokenFacts): number {
  const since = Math.floor(facts.block.hourTime / 86_400) - PULLED.days
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
 * null if nothing is known.
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
  const counts = pools.map((pool) => pool.providerCount).filter((count) => count !== null)
  return counts.length ? sum(counts) : null
}

/** The next time at which a lock without a known end counts less; 0 if never. */
function nextUnlockStep(since: number, now: number): number {
  const [from, to] = LIQUIDITY.unknownLockSeconds
  if (now < since + from) return since + from
  return now < since + to ? now + 86_400 : 0
}
