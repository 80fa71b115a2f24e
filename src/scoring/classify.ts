// A wallet's facts and reputation -> its class: the first rule that holds. What is no account is what its kind says.
// `sybil` is not among them: it follows from the newest scores of tokens, and is added where the class is read.
import type { Classification, Confidence } from '../base/vocabulary.ts'
import type { WalletFacts, WalletSwapFacts } from '../ledger/facts.ts'
import { gapsOf, medianOf } from './gaps.ts'
import { CLASSES } from './weights.ts'

/** The class; `reputation` and `confidence` are the wallet's of the same block. */
export function classifyWallet(facts: WalletFacts, reputation: number, confidence: Confidence): Classification {
  if (facts.kind !== 'account') return facts.kind
  const rule = RULES.find(([, holds]) => holds(facts, reputation, confidence))
  return rule?.[0] ?? (facts.swapCount < CLASSES.unknown.trades ? 'unknown' : 'retail')
}

type Rule = (facts: WalletFacts, reputation: number, confidence: Confidence) => boolean

const isSniper: Rule = ({ snipeCount, boughtTokenCount }) =>
  boughtTokenCount >= CLASSES.sniper.tokens && snipeCount >= CLASSES.sniper.share * boughtTokenCount

const isProvider: Rule = ({ liquidityAddCount, liquidityRemoveCount, eventCount }) =>
  eventCount > 0 && liquidityAddCount + liquidityRemoveCount >= CLASSES.liquidityProvider.share * eventCount

const isWhale: Rule = ({ holdingsUsd, largestShare }) =>
  (holdingsUsd ?? 0) >= CLASSES.whale.holdingsUsd || (largestShare ?? 0) >= CLASSES.whale.share

const isSmartMoney: Rule = ({ realisedUsd, boughtTokenCount }, reputation, confidence) =>
  reputation >= CLASSES.smartMoney.reputation &&
  confidence !== 'low' &&
  realisedUsd > 0 &&
  boughtTokenCount >= CLASSES.smartMoney.tokens

/** Trades by the second, by the dozen, or both ways within a block: no human. */
const isBot: Rule = ({ swaps }) => {
  const { medianGapSeconds, tradesPerDay, sameBlockShare, minTrades } = CLASSES.bot
  if (swaps.length < minTrades) return false
  return (
    medianGap(swaps) < medianGapSeconds ||
    mostWithinDay(swaps) >= tradesPerDay ||
    sameBlockTrips(swaps) >= sameBlockShare * swaps.length
  )
}

const RULES: readonly (readonly [Classification, Rule])[] = [
  ['bot', isBot],
  ['sniper', isSniper],
  ['liquidity_provider', isProvider],
  ['whale', isWhale],
  ['smart_money', isSmartMoney],
  ['early_mover', ({ earlyBuyCount }) => earlyBuyCount >= CLASSES.earlyMover.tokens],
  ['developer', ({ deployedCount }) => deployedCount > 0],
]

const medianGap = (swaps: readonly WalletSwapFacts[]): number =>
  medianOf(gapsOf(swaps.toSorted((a, b) => a.time - b.time))) ?? Number.POSITIVE_INFINITY

/** The most trades in any 24 h. */
function mostWithinDay(swaps: readonly WalletSwapFacts[]): number {
  const times = swaps.map((swap) => swap.time).sort((a, b) => a - b)
  let most = 0
  let start = 0
  times.forEach((time, end) => {
    while ((times[start] ?? time) <= time - 86_400) start++
    most = Math.max(most, end - start + 1)
  })
  return most
}

/** Trades whose token was traded the other way in the same block. */
function sameBlockTrips(swaps: readonly WalletSwapFacts[]): number {
  const sides = new Map<string, number>()
  const keyOf = (swap: WalletSwapFacts) => `${swap.tokenId}:${swap.block}`
  for (const swap of swaps) sides.set(keyOf(swap), (sides.get(keyOf(swap)) ?? 0) | (swap.direction === 'buy' ? 1 : 2))
  return swaps.filter((swap) => sides.get(keyOf(swap)) === 3).length
}
