// The share that a provider of liquidity with its locks can withdraw within 30 days.
import { DAY_SECONDS } from '../base/time.ts'
import type { LockFacts, PoolFacts, ProviderFacts } from '../ledger/facts/facts.ts'
import { LEAST_USD } from '../verdict/bounds.ts'
import { ramp, sum } from './ramp.ts'
import { LIQUIDITY } from './weights.ts'

/** A pool's providers. Null: unknown; an empty list also means that while the pool has reserves. */
export const knownProviders = ({ providers, liquidityUsd }: PoolFacts): ProviderFacts[] | null =>
  providers?.length === 0 && liquidityUsd >= LEAST_USD ? null : providers

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
export const ROUNDING = 1e-9

/** The part of a locker's share in locks without a known end. */
export function unknownPart({ share, locks }: ProviderFacts): number {
  const rest = share - sum(locks.map((lock) => lock.share))
  return rest > ROUNDING ? rest : 0
}

/**
 * Whether a provider is a lock. A lock is a known locker, or a launch venue's contract that is proven to keep its
 * liquidity. A contract that received its share and never added liquidity is one too, like vesting and lock contracts.
 */
export const isLock = ({ kind, hasAdded, locks }: ProviderFacts): boolean =>
  kind === 'locker' || locks.length > 0 || (kind === 'contract' && hasAdded === false)

/** What a provider can withdraw now, as a share of the pool, 0-1. */
export const withdrawableShare = (provider: ProviderFacts, now: number): number =>
  provider.share * (1 - lockStrength(provider, now))

/** The next time at which a lock without a known end counts less; 0 for never. */
export function nextUnlockStep(since: number, now: number): number {
  const [from, to] = LIQUIDITY.unknownLockSeconds
  if (now < since + from) return since + from
  return now < since + to ? now + DAY_SECONDS : 0
}
