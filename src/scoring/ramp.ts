// Arithmetic shared by all scores: ramps, rounding, and inputs that add up to a dimension.
import type { Dimension, Input } from '../ledger/explanation.ts'
import { type Ramp, UNKNOWN_POINTS } from './weights.ts'

/** Limits a value to the bounds; NaN becomes the lower bound. */
export const clamp = (value: number, low: number, high: number): number => (value > low ? Math.min(value, high) : low)

/** 0 at or below the start, 1 at or above the end, linear in between. */
export const ramp = (value: number, [from, to]: Ramp): number => clamp((value - from) / (to - from), 0, 1)

/** Rounds to `digits` decimals; published scores have two. */
export const round = (value: number, digits = 2): number => {
  const scale = 10 ** digits
  return Math.round(value * scale) / scale
}

/**
 * One input of a dimension. `share` maps its value to a fraction of the points; an unknown value gets the prior's
 * points.
 */
export function toInput(name: string, value: number | null, weight: number, share: (value: number) => number): Input {
  const points = value === null ? UNKNOWN_POINTS : 100 * clamp(share(value), 0, 1)
  return { name, value, points, weight, contribution: points * weight }
}

/** A dimension as the sum of its inputs, 0-100. */
export function toDimension(name: string, inputs: Input[]): Dimension {
  return { name, value: clamp(sum(inputs.map((input) => input.contribution)), 0, 100), inputs }
}

/** The sum in the given order, which decides the last digits of doubles. */
export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
