// The wallets that can withdraw a token's liquidity within 30 days, and their shares, from its pools and providers. All
// readers use this one answer: the score, its words, REST and GraphQL. Pure.
import type { PoolFacts } from '../ledger/facts/facts.ts'
import { knownProviders, ROUNDING, withdrawableShare } from './locks.ts'
import { sum } from './ramp.ts'
import { LIQUIDITY } from './weights.ts'

/** Shares are of the liquidity of all pools, 0-1. */
export interface Withdrawal {
  /**
   * The largest share that one wallet can withdraw. Null: an unknown wallet may be able to withdraw more than any known
   * one.
   */
  exitShare: number | null
  /** That wallet. Null: no wallet can withdraw anything, or it is unknown. */
  withdrawer: Withdrawer | null
  /** The share that all wallets together can withdraw, unknown ones included. Null together with `exitShare`. */
  withdrawableShare: number | null
}

export interface Withdrawer {
  id: number
  /** Null: the source does not say. */
  address: string | null
}

/** A new object, since whoever measures adds to it. */
const unknownWithdrawal = (): Withdrawal => ({ exitShare: null, withdrawer: null, withdrawableShare: null })

type Candidate = Withdrawer & { share: number }

/** Pools weigh by their liquidity, or by its peak if all are empty. `now`: seconds since 1970. */
export function findWithdrawer(pools: readonly PoolFacts[], now: number): Withdrawal {
  const isEmpty = pools.every(({ liquidityUsd }) => liquidityUsd <= 0)
  const weightOf = (pool: PoolFacts) => (isEmpty ? pool.peakLiquidityUsd : pool.liquidityUsd)
  const total = sum(pools.map(weightOf))
  if (total <= 0) return unknownWithdrawal()
  const found = new Map<number, Candidate>()
  let [unknown, free] = [0, 0]
  for (const pool of pools) {
    const weight = weightOf(pool) / total
    const rest = weight * restOf(pool)
    if (isListed(pool)) unknown = Math.max(unknown, rest)
    free += rest
    for (const provider of pool.providers ?? []) {
      const share = weight * withdrawableShare(provider, now)
      free += share
      const { id, address = null } = provider
      found.set(id, { id, address, share: share + (found.get(id)?.share ?? 0) })
    }
  }
  const most = findMost([...found.values()])
  if (unknown > Math.max(most?.share ?? 0, LIQUIDITY.unknownShare)) return unknownWithdrawal()
  return {
    exitShare: Math.min(1, most?.share ?? 0),
    withdrawer: most && { id: most.id, address: most.address },
    withdrawableShare: Math.min(1, free),
  }
}

function findMost(candidates: readonly Candidate[]): Candidate | null {
  let most: Candidate | null = null
  for (const one of candidates) if (one.share > (most?.share ?? ROUNDING)) most = one
  return most
}

/** The share of a pool's liquidity with an unknown owner. It does not count as locked. */
function restOf(pool: PoolFacts): number {
  const providers = knownProviders(pool)
  // An empty pool has no shares.
  if (providers?.length === 0) return 0
  const rest = 1 - sum((providers ?? []).map(({ share }) => share))
  return rest > ROUNDING ? rest : 0
}

/**
 * Whether all providers are listed: otherwise one wallet may have the whole rest. Each one beyond the list has less
 * than any on it.
 */
const isListed = ({ providers, providerCount }: PoolFacts): boolean =>
  !providers?.length || providers.length >= (providerCount ?? 0)
