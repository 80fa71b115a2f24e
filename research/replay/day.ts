// Records the change of a pool's quote side on each day, like the ledger: opening, close, and the share of removals.
import { DAY_SECONDS } from '../../src/base/time.ts'
import type { PoolDayFacts } from '../../src/ledger/facts/facts.ts'

/** Collects days. Calls must come in the order of time. */
export function createDays() {
  const days = new Map<number, PoolDayFacts>()
  const dayAt = (time: number, quote: number): PoolDayFacts => {
    const day = Math.floor(time / DAY_SECONDS)
    const known = days.get(day)
    if (known) return known
    const made = {
      day,
      openQuote: quote,
      closeQuote: quote,
      keptFraction: 1,
      removalCount: 0,
      beforeRemovalQuote: 0,
    }
    days.set(day, made)
    return made
  }
  return {
    /** Records a removal of a fraction of the reserve. `settle` must follow. */
    remove(time: number, before: number, fraction: number): void {
      const day = dayAt(time, before)
      day.keptFraction *= 1 - fraction
      day.removalCount++
      if (day.beforeRemovalQuote === 0) day.beforeRemovalQuote = before
    },
    /** Records the reserve before and after a change. */
    settle(time: number, before: number, after: number): void {
      dayAt(time, before).closeQuote = after
    },
    /** Those of the last `count` days on which something changed, oldest first. */
    recent(now: number, count: number): PoolDayFacts[] {
      const since = Math.floor(now / DAY_SECONDS) - count
      return [...days.values()].filter((day) => day.day > since)
    },
  }
}
