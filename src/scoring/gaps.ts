// Pure. The times between trades, by which the scores recognise bots, day traders and tokens.
import { float64At } from '../base/item-at.ts'

/** Seconds from each element to the next, in the given order. */
export const gapsOf = (timed: readonly { time: number }[]): number[] =>
  timed.slice(1).map(({ time }, at) => time - (timed[at]?.time ?? time))

/**
 * The median (of two middle values the upper one), or null if empty. Uses Hoare's selection, which sorts only around
 * the middle.
 */
export function medianOf(values: readonly number[]): number | null {
  const rest = new Float64Array(values)
  const middle = rest.length >>> 1
  let [from, to] = [0, rest.length - 1]
  while (from < to) {
    const pivot = float64At(rest, (from + to) >>> 1)
    let [low, high] = [from, to]
    while (low <= high) {
      while (float64At(rest, low) < pivot) low += 1
      while (float64At(rest, high) > pivot) high -= 1
      if (low > high) break
      const value = float64At(rest, low)
      rest[low++] = float64At(rest, high)
      rest[high--] = value
    }
    if (middle <= high) to = high
    else if (middle >= low) from = low
    else break
  }
  return rest[middle] ?? null
}
