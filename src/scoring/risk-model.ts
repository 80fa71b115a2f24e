// The risk model. Input: a token's values by name and the fitted points. Output: per dimension 0-100 as the sum of its
// inputs, and weights of the dimensions. The dimensions alone give the log-odds of a rug: log-odds = intercept + sum of
// weight x dimension;  composite = 100 / (1 + e^-log-odds).
import type { Dimension, Input } from '../ledger/explanation.ts'
import { ramp, round, sum, toDimension } from './ramp.ts'
import {
  AGES_HOURS,
  FITTED_DIMENSIONS,
  type FittedDimension,
  OPENING_SIZES,
  RISK_INPUTS,
  type RiskInput,
  type RiskValues,
} from './risk-inputs.ts'

type PointTable = readonly (readonly number[])[]

/** Points in log-odds, relative to the neutral value: at each knot, the sum of both tables. */
export interface InputPoints {
  /** A row for each of `AGES_HOURS`, or one for all ages. */
  byAge: PointTable
  /** The additional points for each of `OPENING_SIZES`; no row if the opening does not matter. */
  byOpening: PointTable
}

/** The output of the fit. */
export interface RiskModel {
  intercept: number
  /** By input. */
  points: Readonly<Record<string, InputPoints>>
}

/** A model for each chain with labelled tokens, and one for all others. */
export interface RiskModels {
  chains: Readonly<Record<string, RiskModel>>
  others: RiskModel
}

/** An input with its points; 0 is the best of its values and 100 the worst. */
interface PreparedInput {
  input: RiskInput
  points: InputPoints
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

/** The model in the form for scoring. */
export interface PreparedRisk {
  /** Log-odds of a token without any known fact. */
  neutral: number
  /** Log-odds of a token whose dimensions are all 0. */
  intercept: number
  dimensions: readonly PreparedDimension[]
}

/** A dimension with the log-odds of each of its inputs; below 0 it speaks for the token. */
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
    const own = points[input.name] ?? NO_POINTS
    const all = listPoints(own)
    const low = Math.min(0, ...all)
    return { input, points: own, low, range: Math.max(0, ...all) - low }
  })
  const range = sum(bounded.map((one) => one.range))
  const inputs = bounded.map((one) => ({ ...one, weight: range > 0 ? round(one.range / range, SIX) : 0 }))
  return { name, weight: round(range / 100, SIX), inputs }
}

const NO_POINTS: InputPoints = { byAge: [], byOpening: [] }

/** The points at all knots, ages and openings, between which all others lie. */
const listPoints = ({ byAge, byOpening }: InputPoints): number[] =>
  byAge.flatMap((row) =>
    row.flatMap((points, knot) =>
      byOpening.length > 0 ? byOpening.map((more) => points + (more[knot] ?? 0)) : points,
    ),
  )

/** The fitted dimensions of a token. */
export function modelDimensions({ dimensions }: PreparedRisk, values: RiskValues): ModelledDimension[] {
  const opening = between(placeOpening(values.openingUsd))
  const age = between(placeAge(values.lifeHours))
  return dimensions.map(({ name, weight, inputs }) => {
    const measured = inputs.map((one) => toInput(one, values[one.input.name], age, opening))
    const { value } = toDimension(name, measured)
    const logOdds = measured.map(({ contribution }, at) => contribution * weight + (inputs[at]?.low ?? 0))
    return { name, value, weight, inputs: measured, logOdds }
  })
}

/** Points have two digits, so that the published points are the added ones. */
function toInput(
  { input, points, low, range, weight }: PreparedInput,
  value: number | null,
  age: Between,
  opening: Between,
): Input {
  const logOdds = readPoints(points, placeValue(input, value), age, opening)
  const published = range > 0 ? round((100 * (logOdds - low)) / range) : 0
  return { name: input.name, value, points: published, weight, contribution: published * weight }
}

/** How far a value is between the knots: 0 at the first, 1 at the second, and so on; null if unknown. */
export function placeValue({ knots, scale }: Pick<RiskInput, 'knots' | 'scale'>, value: number | null): number | null {
  if (value === null || !Number.isFinite(value)) return null
  if (scale === 'step') return Math.max(0, knots.filter((knot) => value >= knot).length - 1)
  const at = scale === 'log' ? Math.log10(Math.max(value, 0) + logShift(knots)) : value
  const places = scale === 'log' ? logOnce(knots) : knots
  let place = 0
  for (let knot = 1; knot < places.length; knot += 1) place += ramp(at, [places[knot - 1] ?? 0, places[knot] ?? 0])
  return place
}

/** Logarithms of the knots, which every token uses. */
const logarithms = new WeakMap<readonly number[], number[]>()

function logOnce(knots: readonly number[]): number[] {
  const known = logarithms.get(knots)
  if (known) return known
  const made = knots.map((knot) => Math.log10(Math.max(knot, 0) + logShift(knots)))
  logarithms.set(knots, made)
  return made
}

/** Keeps the logarithm of zero finite: a tenth of the first knot, and of one. */
const logShift = ([first = 1]: readonly number[]): number => 0.1 * (first > 0 ? Math.min(first, 1) : 1)

/** How far an opening is between `OPENING_SIZES`. */
export const placeOpening = (openingUsd: number | null): number =>
  placeValue({ knots: OPENING_SIZES, scale: 'log' }, openingUsd) ?? 0

/** How far an age is between `AGES_HOURS`. */
export const placeAge = (hours: number | null): number => placeValue({ knots: AGES_HOURS, scale: 'log' }, hours) ?? 0

/** A place between two neighbours of a list: after the first of them, by this share of the way. */
interface Between {
  low: number
  share: number
}

const between = (place: number): Between => ({ low: Math.floor(place), share: place - Math.floor(place) })

/** Log-odds of one value; 0 if unknown. */
function readPoints({ byAge, byOpening }: InputPoints, place: number | null, age: Between, opening: Between): number {
  if (place === null) return 0
  const knot = between(place)
  return readTable(byAge, knot, age) + readTable(byOpening, knot, opening)
}

/** Linear between two rows, and between two knots; a table with one row uses that row. */
function readTable(table: PointTable, knot: Between, at: Between): number {
  if (table.length === 0) return 0
  const low = Math.min(at.low, table.length - 1)
  const from = readRow(table[low] ?? [], knot)
  const next = table[low + 1]
  return next && at.share > 0 ? from + (readRow(next, knot) - from) * at.share : from
}

function readRow(row: readonly number[], { low, share }: Between): number {
  const from = row[low] ?? 0
  return share > 0 ? from + ((row[low + 1] ?? from) - from) * share : from
}

/** 0-100. */
export const toRisk = (logOdds: number): number => 100 / (1 + Math.exp(-logOdds))
