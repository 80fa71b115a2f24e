// A token's trading without made-up parts, which are no demand. These are wash trades, and a wallet's purchase and sale
// in one pool within one block or second (the legs of a sandwich, arbitrage).

import { toUsd } from '../base/amount.ts'
import { pushTo } from '../base/push-to.ts'
import { DAY_SECONDS } from '../base/time.ts'
import { MOST_SWAPS, type SwapFacts, type TokenFacts } from '../ledger/facts/facts.ts'
import { listMoments } from './beat.ts'

/** The facts without the matched swaps, and without the hours that have no other trades. */
export function withoutWash(facts: TokenFacts, matched: ReadonlySet<SwapFacts>): TokenFacts {
  if (matched.size === 0) return facts
  const swaps = facts.swaps.filter((swap) => !matched.has(swap))
  const [traded, from] = [new Set(swaps.map(toHour)), toHour(facts.swaps[0])]
  const hours = facts.hours?.filter(({ hour }) => hour < from || traded.has(hour)) ?? null
  return Object.assign({}, facts, { swaps, hours, swapCount: Math.max(0, facts.swapCount - matched.size) })
}

const toHour = (swap: SwapFacts | undefined): number => Math.floor((swap?.time ?? 0) / 3_600)

/**
 * Dollars of the last 24 hours without matched swaps and without the legs of a round trip within a block. Null for
 * money of the chain, for unknown traders, or if not all swaps of the day were read.
 */
export function organicVolume24h(facts: TokenFacts, matched: ReadonlySet<SwapFacts>): number | null {
  const since = facts.block.time - DAY_SECONDS
  const isCut = facts.swaps.length >= MOST_SWAPS && (facts.swaps[0]?.time ?? 0) > since
  const day = facts.swaps.filter(({ time }) => time > since)
  if (facts.isQuote || isCut || day.some(({ walletId }) => walletId === null)) return null
  const trips = findRoundTrips(day)
  return toUsd(day.reduce((sum, swap) => (matched.has(swap) || trips.has(swap) ? sum : sum + swap.amountUsd), 0))
}

/** Swaps of wallets that bought and sold in one pool at one time. Fast chains have several blocks of one second. */
function findRoundTrips(swaps: readonly SwapFacts[]): ReadonlySet<SwapFacts> {
  const trips = new Set<SwapFacts>()
  // Most moments have one swap, which is no trip.
  for (const moment of listMoments(swaps, ({ time }) => time)) addTrips(moment, trips)
  return trips
}

function addTrips(moment: readonly SwapFacts[], trips: Set<SwapFacts>): void {
  const groups = new Map<string, SwapFacts[]>()
  for (const swap of moment) pushTo(groups, `${swap.poolId} ${swap.walletId}`, swap)
  for (const group of groups.values())
    if (group.some(({ direction }) => direction !== group[0]?.direction)) for (const swap of group) trips.add(swap)
}
