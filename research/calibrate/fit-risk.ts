// Fits the risk model to snapshots. Every ramp of an input is a column, with another column for each age of the token.
// An input that depends on the opening has one more for each size of the opening. Columns are centred, so an unknown
// value gives no points, like an average one.
import {
  AGES_HOURS,
  OPENING_SIZES,
  RISK_INPUTS,
  type RiskInput,
  type RiskValues,
} from '../../src/scoring/risk-inputs.ts'
import { type InputPoints, placeAge, placeOpening, placeValue, type RiskModel } from '../../src/scoring/risk-model.ts'
import { fitRidge, type RidgeColumn } from '../statistics/fit-ridge.ts'

export interface RiskExample {
  values: RiskValues
  positive: boolean
  weight: number
}

/** Chosen by tokens left out of the fit. Half and twice this value do equally well. */
const L2 = 50
/** Scale of the columns per age and size of the opening, by which the penalty on them compares with that on the shared columns. */
const OWN_SCALE = 1.4
/** The sum of all examples' weights. */
const TOTAL_WEIGHT = 3_000
const UNBOUNDED = 9

/** The tokens of a column: every token, those of about one age, or those of about one size of the opening. */
type Group = { kind: 'all' } | { kind: 'age' | 'opening'; at: number }

interface Plan extends RidgeColumn {
  input: RiskInput
  ramp: number
  group: Group
  mean: number
}

/** The place of a token between the ages, and between the sizes of the opening. */
interface Placed {
  age: number
  opening: number
}

/** Fits the model. The same examples give the same model. */
export function fitRisk(examples: readonly RiskExample[]): RiskModel {
  const placed = examples.map(({ values }) => ({
    age: placeAge(values.lifeHours),
    opening: placeOpening(values.openingUsd),
  }))
  const columns = RISK_INPUTS.flatMap((input) => planColumns(input, examples, placed))
  const total = examples.reduce((sum, { weight }) => sum + weight, 0)
  const weights = Float64Array.from(examples, ({ weight }) => (weight * TOTAL_WEIGHT) / total)
  const { intercept, coefficients } = fitRidge(
    columns,
    { positive: examples.map(({ positive }) => positive), weights },
    L2,
  )
  const points: Record<string, InputPoints> = {}
  for (const input of RISK_INPUTS) points[input.name] = tabulate(input, columns, coefficients)
  return { intercept: shorten(intercept), points }
}

function planColumns(input: RiskInput, examples: readonly RiskExample[], placed: readonly Placed[]): Plan[] {
  const places = examples.map(({ values }) => placeValue(input, values[input.name]))
  const ramps = input.knots.length - 1
  const share = (place: number, ramp: number) => Math.min(1, Math.max(0, place - ramp))
  return Array.from({ length: ramps }, (_, ramp) => {
    const known = places.filter((place) => place !== null)
    const mean = known.reduce((sum, place) => sum + share(place, ramp), 0) / Math.max(1, known.length)
    return listGroups(input).map((group): Plan => {
      const values = Float64Array.from(places, (place, at) =>
        place === null ? 0 : (share(place, ramp) - mean) * nearness(group, placed[at]),
      )
      return { input, ramp, group, mean, values, ...boundsOf(input) }
    })
  }).flat()
}

const listGroups = ({ byAge, byOpening }: RiskInput): Group[] => [
  { kind: 'all' },
  ...(byAge ? AGES_HOURS.map((_, at) => ({ kind: 'age' as const, at })) : []),
  ...(byOpening ? OPENING_SIZES.map((_, at) => ({ kind: 'opening' as const, at })) : []),
]

function nearness(group: Group, placed: Placed = { age: 0, opening: 0 }): number {
  return group.kind === 'all' ? 1 : OWN_SCALE * Math.max(0, 1 - Math.abs(placed[group.kind] - group.at))
}

const boundsOf = ({ direction }: RiskInput) => ({
  low: direction > 0 ? 0 : -UNBOUNDED,
  high: direction < 0 ? 0 : UNBOUNDED,
})

/** Points at the knots: the rows of the ages include the points for every token. */
function tabulate(input: RiskInput, columns: readonly Plan[], coefficients: readonly number[]): InputPoints {
  const own = columns.flatMap((column, at) =>
    column.input === input ? [{ ...column, slope: coefficients[at] ?? 0 }] : [],
  )
  const rowOf = (counts: (group: Group) => boolean) =>
    input.knots.map((_, knot) =>
      shorten(
        own
          .filter(({ group }) => counts(group))
          .reduce((sum, { ramp, mean, slope, group }) => {
            return sum + slope * (group.kind === 'all' ? 1 : OWN_SCALE) * ((knot > ramp ? 1 : 0) - mean)
          }, 0),
      ),
    )
  const rowsOf = (kind: 'age' | 'opening', list: readonly number[], withAll: boolean) =>
    list.map((_, at) => rowOf((group) => (group.kind === 'all' ? withAll : group.kind === kind && group.at === at)))
  return {
    byAge: input.byAge ? rowsOf('age', AGES_HOURS, true) : [rowOf(({ kind }) => kind === 'all')],
    byOpening: input.byOpening ? rowsOf('opening', OPENING_SIZES, false) : [],
  }
}

const shorten = (points: number): number => Number(points.toFixed(4))
