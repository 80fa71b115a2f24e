// Summarises the largest holders: how many were among the first buyers, their current activity, and the mean reputation
// of the top ten.
import type { NetActivity } from '../base/vocabulary.ts'
import type { HolderFacts, TokenFacts } from '../ledger/facts/facts.ts'
import { toNetActivity } from './activity.ts'
import { round, sum } from './ramp.ts'
import { CLASSES, WALLET } from './weights.ts'

export interface HolderSummary {
  earlyMoverCount: number
  earlyMoverNetActivity: NetActivity
  /** Mean reputation of the ten largest owners; an unscored wallet counts with the prior. */
  avgReputationTop10: number
}

/** Summarises the holders. Without known holders there are no early movers, and the reputation is the prior. */
export function summariseHolders(facts: TokenFacts): HolderSummary {
  const owners = (facts.holders ?? []).filter((holder) => holder.kind === 'account' || holder.kind === 'contract')
  const early = owners.filter((holder) => isEarly(holder, facts.firstLiquidityAt))
  const top = owners.slice(0, 10).map((holder) => holder.reputation ?? WALLET.prior)
  return {
    earlyMoverCount: early.length,
    earlyMoverNetActivity: early.length
      ? toNetActivity(
          sum(early.map((holder) => holder.balance)),
          sum(early.map((holder) => holder.weekAgo ?? holder.balance)),
        )
      : 'inactive',
    avgReputationTop10: top.length ? round(sum(top) / top.length) : WALLET.prior,
  }
}

const isEarly = (holder: HolderFacts, firstLiquidityAt: number | null): boolean =>
  holder.buyRank !== null &&
  holder.buyRank <= CLASSES.earlyMover.rank &&
  holder.firstBuyAt !== null &&
  firstLiquidityAt !== null &&
  holder.firstBuyAt - firstLiquidityAt <= CLASSES.earlyMover.withinSeconds
