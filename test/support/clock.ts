// A clock that moves only when a test moves it.
import type { Clock } from '../../src/base/clock.ts'

export interface TestClock extends Clock {
  advance(ms: number): void
}

/** `sleep` returns at once and moves the clock by the requested time. */
export function createTestClock(start = '2026-01-01T00:00:00Z'): TestClock {
  let nowMs = Date.parse(start)
  return {
    now: () => new Date(nowMs),
    monotonicMs: () => nowMs,
    sleep: async (ms) => {
      nowMs += ms
    },
    advance: (ms) => {
      nowMs += ms
    },
  }
}
