// Classifies a wallet by its facts and reputation: the first rule that matches. An address that is not an account is
// classified by its kind. A wallet that pulled liquidity gets that class first. `sybil` is missing here: it follows
// from the newest token scores and is added when the class is read.

import { itemAt } from '../base/item-at.ts'
import { DAY_SECONDS } from '../base/time.ts'
import type { Classification, Confidence } from '../base/vocabulary.ts'
import { RELAYER_ACTS } from '../book/rows/new-rows.ts'
import type { WalletFacts, WalletSwapFacts } from '../ledger/facts/facts.ts'
import { toBeats } from './beat.ts'
import { gapsOf, medianOf } from './gaps.ts'
import { CLASSES } from './weights.ts'

/**
 * All classes that apply, in order: the first is the wallet's `classification`. `reputation` and `confidence` must be
 * of the same block as the facts.
 */
export function classifyWallet(
  facts: WalletFacts,
  reputation: number,
  confidence: Confidence,
): [Classification, ...Classification[]] {
  if (facts.kind !== 'account' && !isTradingContract(facts)) return [facts.kind]
  const [first, ...others] = RULES.filter(([, holds]) => holds(facts, reputation, confidence)).map(([name]) => name)
  const own: Classification[] = facts.kind === 'contract' ? ['contract'] : []
  return first ? [first, ...others, ...own] : [facts.swapCount < CLASSES.unknown.trades ? 'unknown' : 'retail', ...own]
}

/** A contract that has traded on its own account for a while has an owner, who trades by it. */
const isTradingContract = ({ kind, closedCount, firstSeenAt, lastTradeAt }: WalletFacts): boolean =>
  kind === 'contract' &&
  closedCount >= CLASSES.contract.closed &&
  (lastTradeAt ?? firstSeenAt) - firstSeenAt >= CLASSES.contract.seconds

/** It pays for others more often than it acts itself. */
const isRelayer: Rule = ({ relayedCount, swapCount, liquidityAddCount, liquidityRemoveCount }) =>
  relayedCount >= RELAYER_ACTS && relayedCount > swapCount + liquidityAddCount + liquidityRemoveCount

type Rule = (facts: WalletFacts, reputation: number, confidence: Confidence) => boolean

const isSniper: Rule = ({ snipeCount, boughtTokenCount }) =>
  boughtTokenCount >= CLASSES.sniper.tokens && snipeCount >= CLASSES.sniper.share * boughtTokenCount

/** Transfers are left out: anybody can send anything. */
function isProvider({ liquidityAddCount, liquidityRemoveCount, swapCount }: WalletFacts): boolean {
  const provided = liquidityAddCount + liquidityRemoveCount
  return provided > 0 && provided >= CLASSES.liquidityProvider.share * (provided + swapCount)
}

const isWhale: Rule = ({ holdingsUsd, largestShare }) =>
  (holdingsUsd ?? 0) >= CLASSES.whale.holdingsUsd || (largestShare ?? 0) >= CLASSES.whale.share

const isSmartMoney: Rule = ({ realisedUsd, boughtTokenCount, pulledCount }, reputation, confidence) =>
  pulledCount === 0 &&
  reputation >= CLASSES.smartMoney.reputation &&
  confidence !== 'low' &&
  realisedUsd > 0 &&
  boughtTokenCount >= CLASSES.smartMoney.tokens

/** A bot: trades seconds apart, dozens of trades within 24 h, or buys and sells within one block or second. */
const isBot: Rule = ({ swaps }) => {
  const { medianGapSeconds, tradesPerDay, sameBlockShare, minTrades } = CLASSES.bot
  if (swaps.length < minTrades) return false
  if (sameBlockTrips(swaps) >= sameBlockShare * swaps.length) return true
  const trades = oneABlock(swaps)
  return trades.length >= minTrades && (medianGap(trades) < medianGapSeconds || mostWithinDay(trades) >= tradesPerDay)
}

/** The first trade of each block: an aggregator's route makes several of one order, which says nothing about haste. */
const oneABlock = (swaps: readonly WalletSwapFacts[]): WalletSwapFacts[] =>
  swaps.filter(({ block }, at) => block !== swaps[at - 1]?.block)

const RULES: readonly (readonly [Classification, Rule])[] = [
  ['rug_puller', ({ pulledCount }) => pulledCount > 0],
  ['relayer', isRelayer],
  ['bot', isBot],
  ['sniper', isSniper],
  ['liquidity_provider', isProvider],
  ['whale', isWhale],
  ['smart_money', isSmartMoney],
  ['early_mover', ({ earlyBuyCount }) => earlyBuyCount >= CLASSES.earlyMover.tokens],
  ['developer', ({ deployedCount }) => deployedCount > 0],
]

const medianGap = (swaps: readonly WalletSwapFacts[]): number => medianOf(gapsOf(swaps)) ?? Number.POSITIVE_INFINITY

/** The most trades within any 24 h. */
function mostWithinDay(swaps: readonly WalletSwapFacts[]): number {
  let most = 0
  let start = 0
  for (const [end, { time }] of swaps.entries()) {
    while (itemAt(swaps, start).time <= time - DAY_SECONDS) start++
    most = Math.max(most, end - start + 1)
  }
  return most
}

/** The number of trades whose token was traded in the other direction in the same block or second. */
function sameBlockTrips(swaps: readonly WalletSwapFacts[]): number {
  let count = 0
  const beats = swaps.map(toBeats(swaps))
  for (let from = 0, to = 0; from < swaps.length; from = to) {
    while (to < swaps.length && beats[to] === beats[from]) to += 1
    if (to - from === 1) continue
    const together = swaps.slice(from, to)
    const isAnswered = ({ tokenId, direction }: WalletSwapFacts) =>
      together.some((other) => other.tokenId === tokenId && other.direction !== direction)
    count += together.filter(isAnswered).length
  }
  return count
}
