// A level that falls by a few points: it stays for some minutes, so that it does not flap with each trade. A score that
// falls far has a cause, and its level falls with it. A level that rises does so at once, and so does one that a newer check of the contract lowers: new knowledge is no trade. The only input beside
// the facts is the token's score before, which is stored, restored by a rollback, and read anew after a restart.

import { RISK_CUTS, toRiskLevel } from '../base/risk-level.ts'
import type { Floor } from '../ledger/explanation.ts'
import type { ContractFacts, TokenFacts } from '../ledger/facts/facts.ts'
import type { MeasuredRisk } from './measured-risk.ts'
import { HOLD } from './weights.ts'

type Held = Pick<MeasuredRisk, 'previous' | 'time'> & {
  measures: { contract: Pick<ContractFacts, 'checkedAt'> | null }
}

/** The floor that keeps the level of the score before. `risk`: the score without it. Null: nothing is held. */
export function holdLevel(risk: number, { previous, time, measures: { contract } }: Held): Floor | null {
  if (previous === null || time - previous.time > HOLD.freshSeconds) return null
  const atLeast = startOfLevel(previous.riskScore)
  if (risk >= atLeast || atLeast - risk > HOLD.points || (previous.heldUntil !== null && time >= previous.heldUntil))
    return null
  const isCheckNewer = contract !== null && contract.checkedAt >= previous.time
  if (isCheckNewer && previous.heldUntil === null) return null
  return { reason: 'recently_higher', atLeast }
}

/** Until when the level of a score with these floors is held, in seconds since 1970; null: it is not. */
export function heldUntil(
  floors: readonly Floor[],
  { previous, block }: Pick<TokenFacts, 'previous' | 'block'>,
): number | null {
  if (!floors.some(({ reason }) => reason === 'recently_higher')) return null
  return previous?.heldUntil ?? block.time + HOLD.seconds
}

function startOfLevel(risk: number): number {
  const level = toRiskLevel(risk)
  return level === 'low' ? 0 : RISK_CUTS[level === 'medium' ? 'low' : level === 'high' ? 'medium' : 'high']
}
