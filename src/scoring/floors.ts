// The floors of a token's score, whatever the statistics say: findings, and gaps that keep it from being called low.

import { RISK_CUTS } from '../base/risk-level.ts'
import { CONTRACT_FINDINGS, type Confidence } from '../base/vocabulary.ts'
import type { Floor } from '../ledger/explanation.ts'
import { LEAST_USD } from '../verdict/bounds.ts'
import { contractFloors } from './contract.ts'
import { findFlags, findFloors } from './flags.ts'
import type { MeasuredRisk } from './measured-risk.ts'
import { NEVER_LOW, RISK } from './weights.ts'

/** All floors; a base asset has only those of its own history. `chance`: of a pull within 30 days, 0-1. */
export function listFloors(measured: MeasuredRisk, chance: number): Floor[] {
  const { measures, isPriced, isQuote } = measured
  const floors = findFloors(measures, findFlags(measures))
  const isLeast = (reason: Floor['reason'], holds: boolean) => {
    if (holds) floors.push({ reason, atLeast: RISK_CUTS.low })
  }
  isLeast('not_priced', !isPriced)
  if (isQuote) return floors
  floors.push(...contractFloors(measures.contract))
  isLeast('fell_within_a_month', measures.leftAfterFall !== null)
  isLeast('barely_known', countEvidence(measured) < RISK.barelyKnownEvents)
  isLeast('young', measures.lifeHours < NEVER_LOW.ageHours)
  isLeast('low_confidence', measured.confidence === ('low' satisfies Confidence))
  // An empty pool has nothing to withdraw.
  const isHeld = measures.liquidityUsd >= LEAST_USD
  isLeast('one_wallet_can_withdraw', isHeld && (measures.exitShare ?? 0) > NEVER_LOW.exitShare)
  isLeast('withdrawal_unknown', measures.exitShare === null)
  isLeast('contract_not_checked', measures.contract?.sellCheck.status !== 'checked')
  isLeast('pull_likely', chance >= NEVER_LOW.pullChance)
  return floors
}

/** Whether nothing speaks for it: its liquidity is gone, or its contract keeps or takes what holders have. */
export const isHopeless = (floors: readonly Floor[]): boolean =>
  floors.some(({ reason, atLeast }) => atLeast >= RISK_CUTS.high && HOPELESS.has(reason))

const HOPELESS: ReadonlySet<string> = new Set(['liquidity_pulled', ...CONTRACT_FINDINGS])

/** Trades without wash trades, and changes of liquidity. */
export const countEvidence = ({ measures, counts }: MeasuredRisk): number =>
  measures.cleanSwapCount + counts.liquidityAddCount + counts.liquidityRemoveCount
