// Adds contributions up to a composite and turns it into a score. Scoring and the recomputation of a published score
// share this code, so that both give the same digits.

import { RISK_CUTS } from '../base/risk-level.ts'
import type { Explanation } from '../ledger/explanation.ts'
import { clamp, round } from './ramp.ts'

type Parts = Pick<Explanation, 'link' | 'intercept' | 'contributions'>

/** The intercept plus all contributions, through the link function, 0-100. */
export function composeParts({ link, intercept, contributions }: Parts): number {
  const total = contributions.reduce((sum, part) => sum + part.contribution, intercept)
  return link === 'logistic' ? 100 / (1 + Math.exp(-total)) : clamp(total, 0, 100)
}

/** Lifts the composite by the floor that lifts it the most, and rounds to two decimals. */
export function settleScore({ composite, floors }: Pick<Explanation, 'composite' | 'floors'>): number {
  let score = composite
  for (const { atLeast } of floors) score = Math.max(score, liftScore(composite, atLeast))
  return round(clamp(score, 0, 100))
}

/**
 * Raises a score to a floor's level without changing the order of scores. Scores below the level's end are squeezed
 * between the floor and that end.
 */
export function liftScore(score: number, floor: number): number {
  const end = endOfLevel(floor)
  return score < end ? floor + ((end - floor) * score) / end : score
}

function endOfLevel(floor: number): number {
  const { low, medium, high } = RISK_CUTS
  return floor < low ? low : floor < medium ? medium : floor < high ? high : 100
}

/** Recomputes a published score exactly from its contributions. */
export const recomputeScore = (explanation: Explanation): number =>
  settleScore({ floors: explanation.floors, composite: composeParts(explanation) })
