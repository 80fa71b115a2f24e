// Recomputes scores from the published `explanation` alone, by the formula in its description, without shared code.

/** The fields that a reader needs to recompute a score. */
export const EXPLANATION = `explanation { block link intercept composite base score confidenceGaps
  dimensions { name value inputs { name value points weight contribution } }
  contributions { name value weight contribution } floors { finding atLeast } }`

interface Summand {
  name: string
  value: number | null
  weight: number
  contribution: number
}

export interface PublishedExplanation {
  block: number
  link: 'identity' | 'logistic'
  intercept: number
  composite: number
  score: number
  dimensions: { name: string; value: number; inputs: (Summand & { points: number })[] }[]
  contributions: Summand[]
  floors: { atLeast: number }[]
}

const within = (value: number) => Math.min(Math.max(value, 0), 100)
export const twoDigits = (value: number) => Math.round(value * 100) / 100
/** Parts are published with twelve decimals; their sums agree in nine. */
const nineDecimals = (value: number) => Math.round(value * 1e9) / 1e9

/** Each dimension from its inputs, the composite from the contributions, and the score from the composite. */
export function recompute({ dimensions, contributions, ...parts }: PublishedExplanation) {
  const total = contributions.reduce((sum, { contribution }) => sum + contribution, parts.intercept)
  const composite = parts.link === 'logistic' ? 100 / (1 + Math.exp(-total)) : within(total)
  const lifted = parts.floors.map(({ atLeast }) => {
    const end = [30, 50, 65].find((cut) => atLeast < cut) ?? 100
    return composite < end ? atLeast + ((end - atLeast) * composite) / end : composite
  })
  return {
    dimensions: dimensions.map(({ name, inputs }) => ({
      name,
      value: nineDecimals(within(inputs.reduce((sum, { points, weight }) => sum + points * weight, 0))),
    })),
    composite: nineDecimals(composite),
    score: twoDigits(within(Math.max(composite, ...lifted))),
  }
}

/** The same three values as published. */
export const published = ({ dimensions, composite, score }: PublishedExplanation) => ({
  dimensions: dimensions.map(({ name, value }) => ({ name, value: nineDecimals(value) })),
  composite: nineDecimals(composite),
  score,
})
