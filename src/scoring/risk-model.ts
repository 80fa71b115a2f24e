// Values -> dimensions -> risk. In: a token's values by name and the fitted points. Out: per dimension 0-100 as the sum of
// its inputs, and weights with which the dimensions alone make the log-odds of a rug:
//   log-odds = intercept + sum of weight x dimension;  composite = 100 / (1 + e^-log-odds).
import type { Dimension, Input } from '../ledger/explanation.ts'
import { clamp, ramp, round, sum, toDimension } from './ramp.ts'
import {
  FITTED_DIMENSIONS,
  type FittedDimension,
  OPENING_SIZES,
  RISK_INPUTS,
  type RiskInput,
  type RiskValues,
} from './risk-inputs.ts'

/** Points in log-odds, from the value that says nothing: at each knot, for each size of the opening (one row: whatever it was). */
type PointTable = readonly (readonly number[])[]

/** What the fit writes. */
export interface RiskModel {
  intercept: number
  /** By input. */
  points: Readonly<Record<string, PointTable>>
}

/** An input with its points; 0 is the best of its values and 100 the worst. */
interface PreparedInput {
  input: RiskInput
  table: PointTable
  /** Log-odds at 0, and from there to 100. */
  low: number
  range: number
  /** Of the dimension. */
  weight: number
}

interface PreparedDimension {
  name: FittedDimension
  /** Log-odds of one point. */
  weight: number
  inputs: readonly PreparedInput[]
}

/** The model as tokens are scored with it. */
export interface PreparedRisk {
  /** Log-odds of a token of which nothing is known. */
  neutral: number
  /** Log-odds of a token whose dimensions are all 0. */
  intercept: number
  dimensions: readonly PreparedDimension[]
}

/** A dimension with what each of its inputs says in log-odds; below 0 it speaks for the token. */
export interface ModelledDimension extends Dimension {
  name: FittedDimension
  weight: number
  logOdds: readonly number[]
}

const SIX = 6

/** Weights and bounds of a fitted model, once for all tokens. */
export function prepareRisk(model: RiskModel): PreparedRisk {
  const dimensions = FITTED_DIMENSIONS.map((name) => prepareDimension(model, name))
  const lows = dimensions.flatMap(({ inputs }) => inputs.map(({ low }) => low))
  return { neutral: model.intercept, intercept: round(model.intercept + sum(lows), SIX), dimensions }
}

function prepareDimension({ points }: RiskModel, name: FittedDimension): PreparedDimension {
  const bounded = RISK_INPUTS.filter((input) => input.dimension === name).map((input) => {
    const table = points[input.name] ?? []
    const low = Math.min(0, ...table.flat())
    return { input, table, low, range: Math.max(0, ...table.flat()) - low }
  })
  const range = sum(bounded.map((one) => one.range))
  const inputs = bounded.map((one) => ({ ...one, weight: range > 0 ? round(one.range / range, SIX) : 0 }))
  return { name, weight: round(range / 100, SIX), inputs }
}

/** The fitted dimensions of a token. */
export function modelDimensions({ dimensions }: PreparedRisk, values: RiskValues): ModelledDimension[] {
  const opening = placeOpening(values.openingUsd)
  return dimensions.map(({ name, weight, inputs }) => {
    const measured = inputs.map((one) => toInput(one, values[one.input.name], opening))
    const { value } = toDimension(name, measured)
    const logOdds = measured.map(({ contribution }, at) => contribution * weight + (inputs[at]?.low ?? 0))
    return { name, value, weight, inputs: measured, logOdds }
  })
}

/** Points have two digits: what is published is what is added. */
function toInput({ input, table, low, range, weight }: PreparedInput, value: number | null, opening: number): Input {
  const logOdds = readPoints(table, placeValue(input, value), opening)
  const points = range > 0 ? round((100 * (logOdds - low)) / range) : 0
  return { name: input.name, value, points, weight, contribution: points * weight }
}

/** How far a value is between the knots: 0 at the first, 1 at the second, and so on; null where it is not known. */
export function placeValue({ knots, scale }: Pick<RiskInput, 'knots' | 'scale'>, value: number | null): number | null {
  if (value === null || !Number.isFinite(value)) return null
  if (scale === 'step') return Math.max(0, knots.filter((knot) => value >= knot).length - 1)
  const at = scale === 'log' ? Math.log10(Math.max(value, 0) + logShift(knots)) : value
  const places = scale === 'log' ? logOnce(knots) : knots
  let place = 0
  for (let knot = 1; knot < places.length; knot += 1) place += ramp(at, [places[knot - 1] ?? 0, places[knot] ?? 0])
  return place
}

/** Logarithms of the knots, which every token asks for. */
const logarithms = new WeakMap<readonly number[], number[]>()

function logOnce(knots: readonly number[]): number[] {
  const known = logarithms.get(knots)
  if (known) return known
  const made = knots.map((knot) => Math.log10(Math.max(knot, 0) + logShift(knots)))
  logarithms.set(knots, made)
  return made
}

/** Keeps the logarithm of nothing finite: a tenth of the first knot, and of one. */
const logShift = ([first = 1]: readonly number[]): number => 0.1 * (first > 0 ? Math.min(first, 1) : 1)

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
function readPoints(table: PointTable, place: number | null, opening: number): number {
  if (place === null || table.length === 0) return 0
  if (table.length === 1) return interpolate(table[0] ?? [], place)
  const low = clamp(Math.floor(opening), 0, table.length - 1)
  const [from = [], to = from] = [table[low], table[low + 1]]
  return interpolate([interpolate(from, place), interpolate(to, place)], opening - low)
}

/** 0-100. */
export const toRisk = (logOdds: number): number => 100 / (1 + Math.exp(-logOdds))
