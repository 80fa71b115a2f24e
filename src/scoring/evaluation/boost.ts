// Rows of numbers and labels -> small decision trees whose points add up to log-odds: gradient boosting of extremely
// randomised trees (Geurts et al. 2006: a branch tries one threshold an input, drawn by lot) with L2, bins, and monotone
// inputs. Deterministic for a seed. A value that is not known ends a tree, so it adds nothing.
import { type Branch, climb, type ScorecardInput } from '../scorecard.ts'

export interface Example {
  values: readonly (number | null)[]
  positive: boolean
  weight: number
}

export interface BoostOptions {
  rounds: number
  depth: number
  rate: number
  /** Added to the second derivatives: shrinks the points of small leaves. */
  l2: number
  /** Second derivatives that each side of a split has at least. */
  minWeight: number
  bins: number
  /** Shares of the examples and of the inputs that each tree sees. */
  rowShare: number
  inputShare: number
}

interface Data {
  bins: Int16Array[]
  thresholds: number[][]
  directions: readonly number[]
  gradient: Float64Array
  hessian: Float64Array
  options: BoostOptions
  random: () => number
}

interface Split {
  input: number
  bin: number
  gain: number
  low: number
  high: number
}

/** Bounds that keep a leaf on its side of a monotone split. */
type Bounds = readonly [low: number, high: number]

/** The trees, and the log-odds that they start from. */
export function boost(
  examples: readonly Example[],
  inputs: readonly Pick<ScorecardInput, 'direction'>[],
  options: BoostOptions,
  random: () => number,
): { intercept: number; trees: Branch[] } {
  const thresholds = inputs.map((_, at) => cutIntoBins(examples, at, options.bins))
  const data: Data = {
    bins: thresholds.map((cuts, at) => Int16Array.from(examples, ({ values }) => toBin(values[at] ?? null, cuts))),
    thresholds,
    directions: inputs.map((input) => input.direction),
    gradient: new Float64Array(examples.length),
    hessian: new Float64Array(examples.length),
    options,
    random,
  }
  const positive = examples.reduce((total, { positive, weight }) => total + (positive ? weight : 0), 0)
  const all = examples.reduce((total, { weight }) => total + weight, 0)
  let intercept = Math.log(positive / (all - positive))
  const odds = new Float64Array(examples.length).fill(intercept)
  const trees: Branch[] = []
  for (let round = 0; round < options.rounds; round++) {
    differentiate(examples, odds, data)
    const rows = [...odds.keys()].filter(() => random() < options.rowShare)
    const usable = inputs.map((_, at) => at).filter(() => random() < options.inputShare)
    const start = leafValue(data, rows, [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY])
    const tree = grow(data, rows, usable, start, options.depth, [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY])
    if (tree === 0) continue
    trees.push(tree)
    const first = start * options.rate
    intercept += first
    examples.forEach(({ values }, at) => {
      odds[at] = (odds[at] ?? 0) + first + sumPath(tree, values)
    })
  }
  return { intercept, trees }
}

function differentiate(examples: readonly Example[], odds: Float64Array, { gradient, hessian }: Data): void {
  examples.forEach(({ positive, weight }, at) => {
    const chance = 1 / (1 + Math.exp(-(odds[at] ?? 0)))
    gradient[at] = weight * ((positive ? 1 : 0) - chance)
    hessian[at] = weight * chance * (1 - chance)
  })
}

/** Points are relative to the branch's own value, so that those of a path add up. */
function grow(data: Data, rows: number[], usable: number[], own: number, depth: number, bounds: Bounds): Branch | 0 {
  if (depth === 0) return 0
  const split = findSplit(data, rows, usable)
  if (!split) return 0
  const bins = data.bins[split.input] as Int16Array
  const lowRows = rows.filter((at) => (bins[at] ?? -1) >= 0 && (bins[at] ?? 0) <= split.bin)
  const highRows = rows.filter((at) => (bins[at] ?? -1) > split.bin)
  const [lowBounds, highBounds] = divideBounds(bounds, data.directions[split.input] ?? 0, (split.low + split.high) / 2)
  const low = leafValue(data, lowRows, lowBounds)
  const high = leafValue(data, highRows, highBounds)
  const { rate } = data.options
  return [
    split.input,
    data.thresholds[split.input]?.[split.bin] ?? 0,
    shorten((low - own) * rate),
    grow(data, lowRows, usable, low, depth - 1, lowBounds),
    shorten((high - own) * rate),
    grow(data, highRows, usable, high, depth - 1, highBounds),
  ]
}

function divideBounds(bounds: Bounds, direction: number, middle: number): [Bounds, Bounds] {
  const [low, high] = bounds
  const below: Bounds = [low, Math.min(high, middle)]
  const above: Bounds = [Math.max(low, middle), high]
  if (direction === 0) return [bounds, bounds]
  return direction > 0 ? [below, above] : [above, below]
}

function leafValue({ gradient, hessian, options }: Data, rows: readonly number[], [low, high]: Bounds): number {
  let slope = 0
  let curve = options.l2
  for (const at of rows) {
    slope += gradient[at] ?? 0
    curve += hessian[at] ?? 0
  }
  return Math.max(low, Math.min(high, slope / curve))
}

function findSplit(data: Data, rows: readonly number[], usable: readonly number[]): Split | null {
  let best: Split | null = null
  for (const input of usable) {
    const split = splitInput(data, rows, input)
    if (split && split.gain > (best?.gain ?? 1e-6)) best = split
  }
  return best
}

/** One threshold between the smallest and the largest value of the rows: what many trees agree on is left, and not what one threshold happened to gain. */
function splitInput(data: Data, rows: readonly number[], input: number): Split | null {
  const { gradient, hessian, options } = data
  const bins = data.bins[input] as Int16Array
  const bin = drawBin(bins, rows, data.random)
  if (bin === null) return null
  let [slopeLow, curveLow, slopeHigh, curveHigh] = [0, 0, 0, 0]
  for (const at of rows) {
    const own = bins[at] ?? -1
    if (own < 0) continue
    if (own <= bin) {
      slopeLow += gradient[at] ?? 0
      curveLow += hessian[at] ?? 0
    } else {
      slopeHigh += gradient[at] ?? 0
      curveHigh += hessian[at] ?? 0
    }
  }
  if (Math.min(curveLow, curveHigh) < options.minWeight) return null
  const low = slopeLow / (curveLow + options.l2)
  const high = slopeHigh / (curveHigh + options.l2)
  if ((high - low) * (data.directions[input] ?? 0) < 0) return null
  const gainOf = (slope: number, curve: number) => (slope * slope) / (curve + options.l2)
  const whole = gainOf(slopeLow + slopeHigh, curveLow + curveHigh)
  return { input, bin, gain: gainOf(slopeLow, curveLow) + gainOf(slopeHigh, curveHigh) - whole, low, high }
}

/** The last bin of the lower side; null: all rows that are known are in one bin. */
function drawBin(bins: Int16Array, rows: readonly number[], random: () => number): number | null {
  let [first, last] = [Number.POSITIVE_INFINITY, -1]
  for (const at of rows) {
    const bin = bins[at] ?? -1
    if (bin < 0) continue
    if (bin < first) first = bin
    if (bin > last) last = bin
  }
  return first < last ? first + Math.floor(random() * (last - first)) : null
}

/** Cut points at even ranks, rounded so that they can be read. */
function cutIntoBins(examples: readonly Example[], at: number, bins: number): number[] {
  const values = examples.flatMap(({ values }) => values[at] ?? []).sort((a, b) => a - b)
  const cuts = Array.from({ length: bins - 1 }, (_, bin) => values[Math.floor(((bin + 1) * values.length) / bins)] ?? 0)
  return [...new Set(cuts.map((cut) => Number(cut.toPrecision(4))))].filter((cut) => cut > (values[0] ?? 0))
}

function toBin(value: number | null, cuts: readonly number[]): number {
  if (value === null) return -1
  const at = cuts.findIndex((cut) => value < cut)
  return at < 0 ? cuts.length : at
}

function sumPath(tree: Branch, values: readonly (number | null)[]): number {
  let total = 0
  climb(tree, values, (_input, points) => {
    total += points
  })
  return total
}

const shorten = (points: number): number => Number(points.toFixed(4))
