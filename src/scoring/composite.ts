// Contributions -> composite -> score. The same few lines run when a score is made and when a reader recomputes one from
// what is published, so both end in the same digits.
import type { Explanation } from '../ledger/explanation.ts'
import { clamp, round } from './ramp.ts'

type Parts = Pick<Explanation, 'link' | 'intercept' | 'contributions'>

/** intercept + contributions, through the link, 0-100. */
export function composeParts({ link, intercept, contributions }: Parts): number {
  const total = contributions.reduce((sum, part) => sum + part.contribution, intercept)
  return link === 'logistic' ? 100 / (1 + Math.exp(-total)) : clamp(total, 0, 100)
}

/** The composite shrunk toward the prior, then lifted to the highest floor, to two digits. */
export function settleScore(
  parts: Pick<Explanation, 'composite' | 'prior' | 'evidence' | 'evidenceHalf' | 'floors'>,
): number {
  const { composite, prior, evidence, evidenceHalf, floors } = parts
  const trust = evidenceHalf > 0 ? evidence / (evidence + evidenceHalf) : 1
  const shrunk = prior + (composite - prior) * trust
  return round(clamp(Math.max(shrunk, ...floors.map((floor) => floor.atLeast)), 0, 100))
}

/** Recomputes a published score from its contributions, exactly. */
export const recomputeScore = (explanation: Explanation): number =>
  settleScore({ ...explanation, composite: composeParts(explanation) })
