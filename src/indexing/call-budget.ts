// How many calls contract checks may send in a minute. Input: the setting, and the provider's refusals. A provider that
// limits calls gets half as many, then a tenth more each quiet minute, up to the setting.
import type { Clock } from '../base/clock.ts'

export interface CallBudget {
  /** Whether the minute has no room for so many calls. */
  isSpent(calls: number): boolean
  spend(calls: number): void
  /** The provider limited calls (HTTP 429). */
  refuse(): void
}

const MINUTE_MS = 60_000
const GROWTH = 1.1

/** `most`: calls per minute; infinite for a node of one's own. `least`: a check must fit into a minute. */
export function createCallBudget(clock: Pick<Clock, 'monotonicMs'>, most: number, least: number): CallBudget {
  let allowed = most
  let minute = { sinceMs: clock.monotonicMs(), calls: 0, isRefused: false }

  const turn = () => {
    const nowMs = clock.monotonicMs()
    const passed = Math.floor((nowMs - minute.sinceMs) / MINUTE_MS)
    if (passed < 1) return
    if (!minute.isRefused) allowed = Math.min(most, allowed * GROWTH ** Math.min(passed, MINUTE_MS))
    minute = { sinceMs: nowMs, calls: 0, isRefused: false }
  }

  return {
    isSpent(calls) {
      turn()
      return minute.calls + calls > allowed
    },
    spend(calls) {
      turn()
      minute.calls += calls
    },
    refuse() {
      turn()
      // Many refusals of a minute are one: they come for calls that were sent together.
      if (minute.isRefused) return
      minute.isRefused = true
      allowed = Math.max(least, Math.min(allowed, Math.max(minute.calls, 2 * least)) / 2)
    },
  }
}
