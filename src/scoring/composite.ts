// Adds contributions up to a composite and turns it into a score. Scoring and the recomputation of a published score
// share this code, so that both give the same digits.
import type { Explanation } from '../ledger/explanation.ts'
import { clamp, round } from './ramp.ts'

type Parts = Pick<Explanation, 'link' | 'intercept' | 'contributions'>

/** The intercept plus all contributions, through the link function, 0-100. */
export function composeParts({ link, intercept, contributions }: Parts): number {
  const total = contributions.reduce((sum, part) => sum + part.contribution, intercept)
  return link === 'logistic' ? 100 / (1 + Math.exp(-total)) : clamp(total, 0, 100)
}

/** Shrinks the composite toward the prior, raises it to the highest floor, and rounds to two decimals. */
export function settleScore(
  parts: Pick<Explanation, 'composite' | 'prior' | 'evidence' | 'evidenceHalf' | 'floors'>,
): number {
  const { composite, prior, evidence, evidenceHalf, floors } = parts
  const trust = evidenceHalf > 0 ? evidence / (evidence + evidenceHalf) : 1
  const shrunk = prior + (composite - prior) * trust
  return round(clamp(Math.max(shrunk, ...floors.map((floor) => floor.atLeast)), 0, 100))
}

/** Recomputes a published score exactly from its contributions. */
export const recomputeScore = (explanation: Explanation): number =>
  settleScore({ ...explanation, composite: composeParts(explanation) })
