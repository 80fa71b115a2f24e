// Facts of a token's holders -> how concentrated its ownership is. Pools, burned tokens, lockers and exchanges own nothing
// here, and a sybil cluster is one holder. More concentrated is never less risky.
import type { Dimension } from '../ledger/explanation.ts'
import type { TokenFacts } from '../ledger/facts/facts.ts'
import { ramp, sum, toDimension, toInput } from './ramp.ts'
import { HOLDERS } from './weights.ts'

export interface HolderMeasures {
  /** Share of the circulating supply with the ten largest owners, 0-1. */
  topTenShare: number | null
  /** Sum of the squared shares, 0-1. */
  holderHhi: number | null
  largestHolderShare: number | null
  holderCount: number | null
}

const OWNERS: ReadonlySet<string> = new Set(['account', 'contract'])

/** Measures of the hundred largest holders; all null where balances are not known. */
export function measureHolders(facts: TokenFacts, clusters: ReadonlyMap<number, number> | null): HolderMeasures {
  if (facts.holders === null || facts.circulating === null)
    return { topTenShare: null, holderHhi: null, largestHolderShare: null, holderCount: facts.holderCount }
  const owners = new Map<number, number>()
  for (const holder of facts.holders) {
    if (!OWNERS.has(holder.kind)) continue
    const owner = clusters?.get(holder.id) ?? holder.id
    owners.set(owner, (owners.get(owner) ?? 0) + holder.share)
  }
  const shares = [...owners.values()].map((share) => Math.min(share, 1)).sort((a, b) => b - a)
  return {
    topTenShare: Math.min(1, sum(shares.slice(0, 10))),
    holderHhi: Math.min(1, sum(shares.map((share) => share * share))),
    largestHolderShare: shares[0] ?? 0,
    holderCount: facts.holderCount,
  }
}

/** 100: one holder has everything. */
export function scoreHolders(measures: HolderMeasures): Dimension {
  const { weights, topTen, hhi } = HOLDERS
  return toDimension('holders', [
    toInput('topTenShare', measures.topTenShare, weights.topTen, (share) => ramp(share, topTen)),
    toInput('holderHhi', measures.holderHhi, weights.hhi, (index) => ramp(index, hhi)),
  ])
}
