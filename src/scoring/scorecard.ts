// The scorecard: turns measures into the log-odds of a rug with small decision trees, which are plain data. Each branch
// credits its points to the input that it tests, so the inputs' sums and the intercept add up exactly to the composite.
import type { Contribution } from '../ledger/explanation.ts'

/**
 * [input, threshold, points below, branch below, points at or above, branch at or above]. `input` is an index into
 * `inputs`; branch 0 is a leaf. An unknown value ends the walk without more points.
 */
export type Branch = readonly [number, number, number, Branch | 0, number, Branch | 0]

/** A linear term: `weight` x (dimension - `centre`). */
export interface LinearTerm {
  dimension: 'liquidity' | 'holders' | 'wash' | 'smartMoney'
  weight: number
  /** The neutral value of the dimension. */
  centre: number
}

/** Composite = 100 / (1 + e^-(intercept + all points)). */
export interface Scorecard {
  intercept: number
  inputs: readonly ScorecardInput[]
  trees: readonly Branch[]
  linear: readonly LinearTerm[]
}

export interface ScorecardInput {
  /** The name of a measure. */
  name: string
  /** Whether it counts or times trades; such inputs are left out of a score without activity. */
  activity: boolean
  /** 1: a higher value never lowers the risk, all else equal. -1: it never raises the risk. 0: no constraint. */
  direction: 1 | -1 | 0
}

/** Rounds a sum of points to six decimals, which all points have, to remove the error of floating-point addition. */
const toPoints = (sum: number): number => Math.round(sum * 1e6) / 1e6

/** The points of each input, then of each linear term. */
export function applyScorecard(
  scorecard: Scorecard,
  values: object,
  dimensions: Readonly<Record<LinearTerm['dimension'], { value: number }>>,
): Contribution[] {
  const named = values as Readonly<Record<string, unknown>>
  const known = scorecard.inputs.map(({ name }) => toNumber(named[name]))
  const numbers = new Float64Array(known.length)
  for (let at = 0; at < known.length; at += 1) numbers[at] = known[at] ?? Number.NaN
  const points = new Float64Array(known.length)
  climbAll(flattenOnce(scorecard.trees), numbers, points)
  const fitted = scorecard.inputs.map(({ name }, at) => {
    return { name, value: known[at] ?? null, weight: 1, contribution: toPoints(points[at] ?? 0) }
  })
  const linear = scorecard.linear.map(({ dimension, weight, centre }) => {
    const { value } = dimensions[dimension]
    return { name: dimension, value, weight, contribution: weight * (value - centre) }
  })
  return [...fitted, ...linear]
}

/** Walks one tree and credits the points of each branch to the input that it tests. */
export function climb(
  tree: Branch | 0,
  values: readonly (number | null)[],
  credit: (input: number, points: number) => void,
): void {
  for (let at = tree; at !== 0; ) {
    const input = at[0]
    const value = values[input] ?? null
    if (value === null) return
    const isLow = value < at[1]
    credit(input, isLow ? at[2] : at[4])
    at = isLow ? at[3] : at[5]
  }
}

/**
 * The trees as flat arrays, which are many times faster to walk. Per branch: its input and threshold. Per side, low
 * first: its points and the next branch (-1: none).
 */
interface FlatTrees {
  roots: number[]
  inputs: number[]
  thresholds: number[]
  points: number[]
  next: number[]
}

const flattened = new WeakMap<readonly Branch[], FlatTrees>()

function flattenOnce(trees: readonly Branch[]): FlatTrees {
  const known = flattened.get(trees)
  if (known) return known
  const flat: FlatTrees = { roots: [], inputs: [], thresholds: [], points: [], next: [] }
  const add = ([input, threshold, low, below, high, above]: Branch): number => {
    const at = flat.inputs.push(input) - 1
    flat.thresholds.push(threshold)
    flat.points.push(low, high)
    flat.next.push(-1, -1)
    if (below !== 0) flat.next[2 * at] = add(below)
    if (above !== 0) flat.next[2 * at + 1] = add(above)
    return at
  }
  for (const tree of trees) flat.roots.push(add(tree))
  flattened.set(trees, flat)
  return flat
}

/** Walks every tree as `climb` does; NaN means unknown. */
function climbAll(flat: FlatTrees, values: Float64Array, points: Float64Array): void {
  for (const root of flat.roots) {
    for (let at = root; at >= 0; ) {
      const input = flat.inputs[at] as number
      const value = values[input] as number
      if (Number.isNaN(value)) break
      const side = 2 * at + (value < (flat.thresholds[at] as number) ? 0 : 1)
      points[input] = (points[input] as number) + (flat.points[side] as number)
      at = flat.next[side] as number
    }
  }
}

/** The scorecard with all inputs that count or time trades treated as unknown. */
export function withoutActivity(scorecard: Scorecard): Scorecard {
  const hide = (input: ScorecardInput) => (input.activity ? { ...input, name: `${input.name} (held back)` } : input)
  return { ...scorecard, inputs: scorecard.inputs.map(hide) }
}

const toNumber = (value: unknown): number | null => (typeof value === 'number' && Number.isFinite(value) ? value : null)
