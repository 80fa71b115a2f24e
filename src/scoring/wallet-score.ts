// A wallet's score as stored: reputation, class and sector.
import { DAY_SECONDS } from '../base/time.ts'
import type { WalletScore } from '../ledger/explanation.ts'
import type { WalletFacts } from '../ledger/facts/facts.ts'
import { classifyWallet } from './classify.ts'
import { toReputationLevel } from './levels.ts'
import { preferSector } from './sector.ts'
import { asOf, scoreWallet } from './wallet-reputation.ts'
import { WALLET } from './weights.ts'

/** Everything stored about a wallet's score. */
export function toWalletScore(facts: WalletFacts): WalletScore {
  const scored = scoreWallet(facts)
  const classifications = classifyWallet(facts, scored.reputation, scored.confidence)
  return {
    walletId: facts.id,
    block: facts.changed.number,
    time: asOf(facts),
    reputationScore: scored.reputation,
    level: toReputationLevel(scored.reputation),
    confidence: scored.confidence,
    classification: classifications[0],
    classifications,
    winRate: scored.winRate,
    entryTimingScore: scored.entryTiming,
    consistencyScore: scored.consistency,
    riskDrawdownScore: scored.riskDrawdown,
    sectorPreference: preferSector(facts.swaps),
    explanation: scored.explanation,
  }
}

/**
 * When the score next changes without an event, in seconds since 1970: the day on which the outcome of the next buy is
 * known. Null: never.
 */
export function nextWalletChange(facts: WalletFacts): number | null {
  const now = facts.block.hourTime
  const ripe = facts.swaps
    .filter((swap) => swap.direction === 'buy')
    .map((swap) => Math.ceil((swap.time + WALLET.maturitySeconds) / DAY_SECONDS) * DAY_SECONDS)
    .filter((time) => time > now)
  return ripe.length > 0 ? Math.min(...ripe) : null
}
