// An explanation as it is stored: the same numbers and names without what follows from them, a third of the size.
// Unpacking what was packed gives the same explanation to the last digit, whatever the weights have become since.
import type { Dimension, Explanation, Floor, Input } from './explanation.ts'

type PackedInput = [name: string, value: number | null, points: number, weight: number]
type PackedDimension = [name: string, value: number, inputs: PackedInput[]]
/** Without the fourth the contribution is weight x value. */
type PackedPart = [name: string, value: number | null, weight: number, contribution?: number]

/** JSON of `token_score.explanation` and `wallet_score.explanation`. */
export type PackedExplanation = [
  block: number,
  hour: number,
  logistic: 0 | 1,
  intercept: number,
  composite: number,
  prior: number,
  evidence: number,
  evidenceHalf: number,
  score: number,
  floors: [reason: string, atLeast: number][],
  confidenceReasons: string[],
  dimensions: PackedDimension[],
  contributions: PackedPart[],
]

/** What is stored of an explanation. */
export function packExplanation(explanation: Explanation): PackedExplanation {
  const { block, link, intercept, composite, prior, evidence, evidenceHalf, score } = explanation
  return [
    block,
    Date.parse(explanation.hour) / 3_600_000,
    link === 'logistic' ? 1 : 0,
    intercept,
    composite,
    prior,
    evidence,
    evidenceHalf,
    score,
    explanation.floors.map(({ reason, atLeast }) => [reason, atLeast]),
    explanation.confidenceReasons,
    explanation.dimensions.map(({ name, value, inputs }) => [
      name,
      value,
      inputs.map((input) => [input.name, input.value, input.points, input.weight]),
    ]),
    explanation.contributions.map(({ name, value, weight, contribution }) =>
      value !== null && contribution === value * weight ? [name, value, weight] : [name, value, weight, contribution],
    ),
  ]
}

/** The explanation that was packed. */
export function unpackExplanation(packed: PackedExplanation): Explanation {
  const [block, hour, logistic, intercept, composite, prior, evidence, evidenceHalf, score, floors, reasons] = packed
  return {
    block,
    hour: new Date(hour * 3_600_000).toISOString(),
    dimensions: packed[11].map(unpackDimension),
    link: logistic ? 'logistic' : 'identity',
    intercept,
    contributions: packed[12].map(([name, value, weight, contribution = (value ?? 0) * weight]) => ({
      name,
      value,
      weight,
      contribution,
    })),
    composite,
    prior,
    evidence,
    evidenceHalf,
    floors: floors.map(([reason, atLeast]): Floor => ({ reason, atLeast })),
    score,
    confidenceReasons: reasons,
  }
}

const unpackDimension = ([name, value, inputs]: PackedDimension): Dimension => ({
  name,
  value,
  inputs: inputs.map(
    ([input, measured, points, weight]): Input => ({
      name: input,
      value: measured,
      points,
      weight,
      contribution: points * weight,
    }),
  ),
})
