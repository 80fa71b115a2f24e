// Measures wash trading: volume that wallets trade with themselves or within a small group, from the swaps of seven
// days. Gives the measures, the dimension (100 = all wash) and the matched swaps. Wallets that match by chance are
// pruned.
import { itemAt } from '../base/item-at.ts'
import type { Dimension } from '../ledger/explanation.ts'
import type { SwapFacts, TokenFacts } from '../ledger/facts/facts.ts'
import { sum, toDimension, toInput } from './ramp.ts'
import { referenceTime } from './reference-time.ts'
import { prepareMatches } from './wash-match.ts'
import { WASH } from './weights.ts'

export interface WashMeasures {
  /** Matched volume divided by all volume of the week, 0-1. Null: the source does not say who swapped. */
  matchedShare: number | null
  /** Pairs of matched swaps, of wallets or of the clusters that they belong to. */
  matchCount: number
  matchedUsd: number
  traderCount: number | null
  /** Of the unmatched swaps: their traders, and the sum of the squared shares of their volumes, 0-1. */
  cleanTraderCount: number | null
  volumeHhi: number | null
}

/** The measures of the swaps, those that matched, and those that matched beyond doubt, which nothing yet to come can change much. */
export function measureWash(
  facts: TokenFacts,
  clusters: ReadonlyMap<number, number> | null,
): { measures: WashMeasures; matched: ReadonlySet<SwapFacts>; sure: ReadonlySet<SwapFacts> } {
  const swaps = facts.swaps.filter((swap) => swap.walletId !== null)
  if (swaps.length === 0) {
    // Without trades in the week there are no unknown traders.
    const none = facts.swaps.length === 0 ? 0 : null
    const measures = {
      matchedShare: none,
      matchCount: 0,
      matchedUsd: 0,
      traderCount: none,
      cleanTraderCount: none,
      volumeHhi: null,
    }
    return { measures, matched: new Set(), sure: new Set() }
  }
  const wallets = swaps.map(({ walletId }) => walletId as number)
  const owners = wallets.map((wallet) => clusters?.get(wallet) ?? wallet)
  // A cluster may hold others too, whose trades match nothing: what matches between its wallets is wash all the same.
  const isJoined = owners.some((owner, at) => owner !== wallets[at])
  const ofOwners = prepareMatches(swaps, owners)
  const ofWallets = isJoined ? prepareMatches(swaps, wallets) : null
  const strengthsAt = (time: number) => {
    const strengths = ofOwners(time)
    for (const [swap, strength] of ofWallets?.(time) ?? [])
      strengths.set(swap, Math.max(strength, strengths.get(swap) ?? 0))
    return strengths
  }
  const strengths = strengthsAt(referenceTime(facts))
  const volumes = new Map<number, number>()
  for (const [at, owner] of owners.entries()) {
    const swap = itemAt(swaps, at)
    const part = 1 - (strengths.get(swap) ?? 0)
    if (part > 0) volumes.set(owner, (volumes.get(owner) ?? 0) + part * swap.amountUsd)
  }
  const clean = sum([...volumes.values()])
  const matchedUsd = sum([...strengths].map(([swap, strength]) => strength * swap.amountUsd))
  const total = clean + matchedUsd
  const matched = from(strengths, WASH.matched)
  const measures = {
    matchedShare: total > 0 ? Math.min(1, matchedUsd / total) : 0,
    matchCount: Math.floor(matched.size / 2),
    matchedUsd,
    traderCount: new Set(owners).size,
    cleanTraderCount: volumes.size,
    volumeHhi: clean > 0 ? Math.min(1, sum([...volumes.values()].map((usd) => (usd / clean) ** 2))) : 0,
  }
  return {
    measures,
    matched,
    sure: matched.size > 0 ? from(strengthsAt(Number.POSITIVE_INFINITY), WASH.matched) : matched,
  }
}

const from = (strengths: ReadonlyMap<SwapFacts, number>, least: number): Set<SwapFacts> =>
  new Set([...strengths].filter(([, strength]) => strength >= least).map(([swap]) => swap))

/** Of matched volume alone: without a matched swap it is 0. Where nobody says who traded it says nothing, with a value of null. */
export function scoreWash({ matchedShare }: WashMeasures): Dimension {
  const input = toInput('matchedShare', matchedShare ?? 0, 1, (share) => share)
  return toDimension('wash', [Object.assign(input, { value: matchedShare })])
}
