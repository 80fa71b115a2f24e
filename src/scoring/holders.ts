// Measures how concentrated a token's ownership is. Pools, burned tokens, lockers and exchanges are not owners, and a
// sybil cluster counts as one owner. More concentration never lowers the risk.
import type { Dimension } from '../ledger/explanation.ts'
import type { TokenFacts } from '../ledger/facts/facts.ts'
import { ramp, sum, toDimension, toInput } from './ramp.ts'
import { HOLDERS } from './weights.ts'

export interface HolderMeasures {
  /** Share of the circulating supply that the ten largest owners hold, 0-1. */
  topTenShare: number | null
  /** Herfindahl-Hirschman index: the sum of the squared shares, 0-1. */
  holderHhi: number | null
  largestHolderShare: number | null
  /** Holders that are this owner: more than one where linked wallets count as one. */
  largestOwnerWalletCount: number | null
  holderCount: number | null
}

const OWNERS: ReadonlySet<string> = new Set(['account', 'contract'])

/** Measures the hundred largest holders; all null if balances are unknown. */
export function measureHolders(facts: TokenFacts, clusters: ReadonlyMap<number, number> | null): HolderMeasures {
  if (facts.holders === null || facts.circulating === null)
    return {
      topTenShare: null,
      holderHhi: null,
      largestHolderShare: null,
      largestOwnerWalletCount: null,
      holderCount: facts.holderCount,
    }
  const owners = new Map<number, { share: number; walletCount: number }>()
  for (const holder of facts.holders) {
    if (!OWNERS.has(holder.kind)) continue
    const owner = clusters?.get(holder.id) ?? holder.id
    const { share, walletCount } = owners.get(owner) ?? { share: 0, walletCount: 0 }
    owners.set(owner, { share: share + holder.share, walletCount: walletCount + 1 })
  }
  const ordered = [...owners.values()].sort((a, b) => b.share - a.share)
  const shares = ordered.map(({ share }) => Math.min(share, 1))
  return {
    topTenShare: Math.min(1, sum(shares.slice(0, 10))),
    holderHhi: Math.min(1, sum(shares.map((share) => share * share))),
    largestHolderShare: shares[0] ?? 0,
    largestOwnerWalletCount: ordered[0]?.walletCount ?? 0,
    holderCount: facts.holderCount,
  }
}

/** The risk of concentration, 0-100; 100 means that one owner holds everything. */
export function scoreHolders(measures: HolderMeasures): Dimension {
  const { weights, topTen, hhi } = HOLDERS
  return toDimension('holders', [
    toInput('topTenShare', measures.topTenShare, weights.topTen, (share) => ramp(share, topTen)),
    toInput('holderHhi', measures.holderHhi, weights.hhi, (index) => ramp(index, hhi)),
  ])
}
