// Pools with their providers -> who can withdraw how much of a token's liquidity within 30 days. The only answer to that question:
// the score, its words, REST and GraphQL have it from here. Pure.
import type { PoolFacts } from '../ledger/facts/facts.ts'
import { knownProviders, ROUNDING, withdrawableShare } from './locks.ts'
import { sum } from './ramp.ts'
import { LIQUIDITY } from './weights.ts'

/** Shares are of the liquidity of all pools, 0-1. */
export interface Withdrawal {
  /** The largest share that one wallet can withdraw. Null: somebody unknown may be able to withdraw more than any known wallet. */
  exitShare: number | null
  /** That wallet. Null: no wallet can withdraw anything, or it is not known. */
  withdrawer: Withdrawer | null
  /** The share that all wallets together can withdraw, unknown ones included. Null together with `exitShare`. */
  withdrawableShare: number | null
}

export interface Withdrawer {
  id: number
  /** Null: the source does not say. */
  address: string | null
}

const UNKNOWN: Withdrawal = { exitShare: null, withdrawer: null, withdrawableShare: null }

type Candidate = Withdrawer & { share: number }

/** Pools weigh by their liquidity, or by its peak where all are empty. `now`: seconds since 1970. */
export function findWithdrawer(pools: readonly PoolFacts[], now: number): Withdrawal {
  const isEmpty = pools.every(({ liquidityUsd }) => liquidityUsd <= 0)
  const weightOf = (pool: PoolFacts) => (isEmpty ? pool.peakLiquidityUsd : pool.liquidityUsd)
  const total = sum(pools.map(weightOf))
  if (total <= 0) return UNKNOWN
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
  if (unknown > Math.max(most?.share ?? 0, LIQUIDITY.unknownShare)) return UNKNOWN
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

/** The share of a pool's liquidity of which nobody knows whose it is. Nothing says that it is locked. */
function restOf(pool: PoolFacts): number {
  const providers = knownProviders(pool)
  // Of an empty pool nobody has a share.
  if (providers?.length === 0) return 0
  const rest = 1 - sum((providers ?? []).map(({ share }) => share))
  return rest > ROUNDING ? rest : 0
}

/** Whether all providers are listed: one wallet may then have the whole rest. Each of those beyond the list has less than any on it. */
const isListed = ({ providers, providerCount }: PoolFacts): boolean =>
  !providers?.length || providers.length >= (providerCount ?? 0)
