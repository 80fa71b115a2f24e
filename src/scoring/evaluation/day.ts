// What each day did to a pool's quote side, as the ledger keeps it: opening, close, and what removals took.
import type { PoolDayFacts } from '../../ledger/facts/facts.ts'

/** Collects days in the order of time. */
export function createDays() {
  const days = new Map<number, PoolDayFacts>()
  const dayAt = (time: number, quote: number): PoolDayFacts => {
    const day = Math.floor(time / 86_400)
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
    /** A removal of a fraction of the reserve, before it is settled. */
    remove(time: number, before: number, fraction: number): void {
      const day = dayAt(time, before)
      day.keptFraction *= 1 - fraction
      day.removalCount++
      if (day.beforeRemovalQuote === 0) day.beforeRemovalQuote = before
    },
    /** The reserve before and after a change. */
    settle(time: number, before: number, after: number): void {
      dayAt(time, before).closeQuote = after
    },
    /** The days of the last `count`, oldest first. */
    recent(now: number, count: number): PoolDayFacts[] {
      const since = Math.floor(now / 86_400) - count
      return [...days.values()].filter((day) => day.day > since)
    },
  }
}
