// The bounds of market caps in the readers' filters: finds the tokens that pass one when a unit's price moves. Pure.
import { isBetween } from '../base/between.ts'
import type { TokenScreen } from '../fields/screen.ts'

export function createCapBounds() {
  /** The number of readers with the bound. */
  const counts = new Map<number, number>()
  let sorted: Float64Array | null = null
  const shift = ({ minMarketCapUsd, maxMarketCapUsd, and = [], or = [], not }: TokenScreen, by: number) => {
    for (const part of [...and, ...or, ...(not ? [not] : [])]) shift(part, by)
    for (const bound of [minMarketCapUsd, maxMarketCapUsd]) {
      if (bound === undefined) continue
      sorted = null
      const count = (counts.get(bound) ?? 0) + by
      if (count > 0) counts.set(bound, count)
      else counts.delete(bound)
    }
  }
  return {
    add: (screen: TokenScreen) => shift(screen, 1),
    remove: (screen: TokenScreen) => shift(screen, -1),
    isEmpty: () => counts.size === 0,
    /** Whether a bound is between the two values. */
    areBetween(a: number, b: number): boolean {
      sorted ??= Float64Array.from(counts.keys()).sort()
      return isBetween(sorted, a, b)
    },
  }
}
