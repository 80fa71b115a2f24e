// Mixes the fit of all markets with that of one: the mean of their log-odds, which is that of their points.
import type { InputPoints, RiskModel } from '../../src/scoring/risk-model.ts'

/** The weight of all markets together beside the market's own fit. Chosen on the emulated exam. */
const POOLED_WEIGHT = 0.7

/** Both have the same inputs and knots. */
export function mixModels(pooled: RiskModel, own: RiskModel): RiskModel {
  const mix = (a: number, b = 0) => Number((POOLED_WEIGHT * a + (1 - POOLED_WEIGHT) * b).toFixed(4))
  const mixTable = (a: InputPoints['byAge'], b: InputPoints['byAge'] = []) =>
    a.map((row, at) => row.map((points, knot) => mix(points, b[at]?.[knot])))
  const mixed = Object.entries(pooled.points).map(([name, { byAge, byOpening }]) => {
    const other = own.points[name]
    return [name, { byAge: mixTable(byAge, other?.byAge), byOpening: mixTable(byOpening, other?.byOpening) }]
  })
  return { intercept: mix(pooled.intercept, own.intercept), points: Object.fromEntries(mixed) }
}
