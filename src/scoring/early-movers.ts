// The largest holders in short: how many of them were among the first buyers, what these do now, how reputable the top ten are.
import type { NetActivity } from '../base/vocabulary.ts'
import type { HolderFacts, TokenFacts } from '../ledger/facts/facts.ts'
import { toNetActivity } from './activity.ts'
import { round, sum } from './ramp.ts'
import { CLASSES, WALLET } from './weights.ts'

export interface HolderSummary {
  earlyMoverCount: number
  earlyMoverNetActivity: NetActivity
  /** Mean reputation of the ten largest owners; who is not scored counts as the prior. */
  avgReputationTop10: number
}

/** Facts of the holders -> their summary; without known holders nobody moved and the prior stands. */
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
