// Fits the risk model to snapshots. Every ramp of an input is a column; an input that depends on the opening has another
// column for each size of the opening. Columns are centred, so an unknown value gives no points, like an average one.
import { OPENING_SIZES, RISK_INPUTS, type RiskInput, type RiskValues } from '../risk-inputs.ts'
import { placeOpening, placeValue, type RiskModel } from '../risk-model.ts'
import { fitRidge, type RidgeColumn } from './fit-ridge.ts'

export interface RiskExample {
  values: RiskValues
  positive: boolean
  weight: number
}

/** Chosen by tokens left out of the fit. Half and twice this value do equally well. */
const L2 = 25
/** Scale of the columns per size of the opening, by which the penalty on them compares with that on the shared columns. */
const BY_OPENING_SCALE = 1.4
/** The sum of all examples' weights. */
const TOTAL_WEIGHT = 3_000
const UNBOUNDED = 9

interface Plan extends RidgeColumn {
  input: RiskInput
  ramp: number
  /** Null: the column of all sizes of the opening. */
  size: number | null
  mean: number
}

/** Fits the model. The same examples give the same model. */
export function fitRisk(examples: readonly RiskExample[]): RiskModel {
  const openings = examples.map(({ values }) => placeOpening(values.openingUsd))
  const columns = RISK_INPUTS.flatMap((input) => planColumns(input, examples, openings))
  const total = examples.reduce((sum, { weight }) => sum + weight, 0)
  const weights = Float64Array.from(examples, ({ weight }) => (weight * TOTAL_WEIGHT) / total)
  const { intercept, coefficients } = fitRidge(
    columns,
    { positive: examples.map(({ positive }) => positive), weights },
    L2,
  )
  const points: Record<string, number[][]> = {}
  for (const input of RISK_INPUTS) points[input.name] = tabulate(input, columns, coefficients)
  return { intercept: shorten(intercept), points }
}

function planColumns(input: RiskInput, examples: readonly RiskExample[], openings: readonly number[]): Plan[] {
  const places = examples.map(({ values }) => placeValue(input, values[input.name]))
  const ramps = input.knots.length - 1
  const sizes = input.byOpening ? [null, ...OPENING_SIZES.keys()] : [null]
  const share = (place: number, ramp: number) => Math.min(1, Math.max(0, place - ramp))
  return Array.from({ length: ramps }, (_, ramp) => {
    const known = places.filter((place) => place !== null)
    const mean = known.reduce((sum, place) => sum + share(place, ramp), 0) / Math.max(1, known.length)
    return sizes.map((size): Plan => {
      const values = Float64Array.from(places, (place, at) => {
        const near = size === null ? 1 : BY_OPENING_SCALE * Math.max(0, 1 - Math.abs((openings[at] ?? 0) - size))
        return place === null ? 0 : (share(place, ramp) - mean) * near
      })
      return { input, ramp, size, mean, values, ...boundsOf(input, size === null, ramps) }
    })
  }).flat()
}

function boundsOf({ direction, least = 0, leaning = 0 }: RiskInput, isShared: boolean, ramps: number) {
  const [from, to] = isShared ? [least / ramps, leaning / ramps] : [0, 0]
  if (direction > 0) return { low: from, high: UNBOUNDED, leaning: to }
  if (direction < 0) return { low: -UNBOUNDED, high: -from, leaning: -to }
  return { low: -UNBOUNDED, high: UNBOUNDED, leaning: 0 }
}

/** Points at the knots: a row per size of the opening, or one row for all sizes. */
function tabulate(input: RiskInput, columns: readonly Plan[], coefficients: readonly number[]): number[][] {
  const rows = input.byOpening ? [...OPENING_SIZES.keys()] : [null]
  const own = columns.flatMap((column, at) =>
    column.input === input ? [{ ...column, slope: coefficients[at] ?? 0 }] : [],
  )
  return rows.map((row) =>
    input.knots.map((_, knot) =>
      shorten(
        own
          .filter(({ size }) => size === null || size === row)
          .reduce((sum, { ramp, mean, slope, size }) => {
            return sum + slope * (size === null ? 1 : BY_OPENING_SCALE) * ((knot > ramp ? 1 : 0) - mean)
          }, 0),
      ),
    ),
  )
}

const shorten = (points: number): number => Number(points.toFixed(4))
