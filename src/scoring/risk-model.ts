// Values -> dimensions -> risk. In: a token's values by name and the fitted points. Out: per dimension 0-100 as the sum of
// named reasons, and a composite that is the published function of these dimensions:
//   log-odds of a rug = intercept + sum of weight x dimension;  composite = 100 / (1 + e^-log-odds).
import { clamp, ramp, sum } from './ramp.ts'
import {
  FITTED_DIMENSIONS,
  type FittedDimension,
  OPENING_SIZES,
  RISK_INPUTS,
  type RiskInput,
  type RiskValues,
} from './risk-inputs.ts'

/** Points in log-odds, from the value that says nothing: at each knot, for each size of the opening (one row: whatever it was). */
export type PointTable = readonly (readonly number[])[]

export interface RiskModel {
  intercept: number
  /** By input. */
  points: Readonly<Record<string, PointTable>>
}

/** Why a dimension is what it is. */
export interface RiskReason {
  input: RiskInput['name']
  value: number | null
  dimension: FittedDimension
  /** Log-odds; below 0 it speaks for the token. */
  logOdds: number
  /** What it adds to its dimension, beside the dimension's base. */
  points: number
}

export interface ModelledDimension {
  name: FittedDimension
  /** 0-100: the base and the points of its reasons. */
  value: number
  base: number
  /** Log-odds of one point. */
  weight: number
  reasons: RiskReason[]
}

/** How far a value is between the knots: 0 at the first, 1 at the second, and so on; null where it is not known. */
export function placeValue({ knots, scale }: Pick<RiskInput, 'knots' | 'scale'>, value: number | null): number | null {
  if (value === null || !Number.isFinite(value)) return null
  if (scale === 'step') return Math.max(0, knots.filter((knot) => value >= knot).length - 1)
  const toScale = scale === 'log' ? (number: number) => Math.log10(Math.max(number, 0) + logShift(knots)) : identity
  const at = toScale(value)
  return sum(knots.slice(1).map((knot, before) => ramp(at, [toScale(knots[before] ?? 0), toScale(knot)])))
}

/** Keeps the logarithm of nothing finite: a tenth of the first knot, and of one. */
const logShift = ([first = 1]: readonly number[]): number => 0.1 * (first > 0 ? Math.min(first, 1) : 1)
const identity = (number: number): number => number

/** How far an opening is between `OPENING_SIZES`. */
export const placeOpening = (openingUsd: number | null): number =>
  placeValue({ knots: OPENING_SIZES, scale: 'log' }, openingUsd) ?? 0

/** Straight between two neighbours of a list. */
function interpolate(list: readonly number[], at: number): number {
  const low = clamp(Math.floor(at), 0, list.length - 1)
  const [from = 0, to = from] = [list[low], list[low + 1]]
  return from + (to - from) * (at - low)
}

/** Log-odds of one value; 0 where it is not known. */
export function readPoints(table: PointTable, place: number | null, opening: number): number {
  if (place === null || table.length === 0) return 0
  const rows = table.map((row) => interpolate(row, place))
  return interpolate(rows, table.length > 1 ? opening : 0)
}

/** The fitted dimensions of a token. */
export function modelDimensions(model: RiskModel, values: RiskValues): ModelledDimension[] {
  const opening = placeOpening(values.openingUsd)
  return FITTED_DIMENSIONS.map((name) => {
    const { low, weight } = rangeOf(model, name)
    const reasons = RISK_INPUTS.filter((input) => input.dimension === name).map((input) => {
      const value = values[input.name]
      const logOdds = readPoints(model.points[input.name] ?? [], placeValue(input, value), opening)
      return { input: input.name, value, dimension: name, logOdds, points: logOdds / weight }
    })
    const base = -low / weight
    const value = clamp(base + sum(reasons.map(({ points }) => points)), 0, 100)
    return { name, value, base, weight, reasons }
  })
}

/** Log-odds at a dimension's 0, and of one of its points: 0 is the best that its reasons allow, 100 the worst. */
export function rangeOf({ points }: RiskModel, dimension: FittedDimension): { low: number; weight: number } {
  const tables = RISK_INPUTS.filter((input) => input.dimension === dimension).map(({ name }) =>
    (points[name] ?? []).flat(),
  )
  const low = sum(tables.map((table) => Math.min(0, ...table)))
  const high = sum(tables.map((table) => Math.max(0, ...table)))
  return { low, weight: Math.max(high - low, 1e-9) / 100 }
}

/** Log-odds of a rug from the dimensions alone. */
export function composeDimensions(model: RiskModel, dimensions: readonly ModelledDimension[]): number {
  const lows = sum(dimensions.map(({ name }) => rangeOf(model, name).low))
  return model.intercept + lows + sum(dimensions.map(({ weight, value }) => weight * value))
}

/** 0-100. */
export const toRisk = (logOdds: number): number => 100 / (1 + Math.exp(-logOdds))
