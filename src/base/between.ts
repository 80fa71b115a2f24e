// Whether a value crosses a bound when it changes. Pure.
import { float64At } from './item-at.ts'

/** Whether one of the ascending bounds is between the two values, both included. */
export function isBetween(bounds: Float64Array, a: number, b: number): boolean {
  const [least, most] = a < b ? [a, b] : [b, a]
  let [low, high] = [0, bounds.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (float64At(bounds, middle) < least) low = middle + 1
    else high = middle
  }
  return low < bounds.length && float64At(bounds, low) <= most
}
