// A clock with many sleepers: it jumps to the next one to wake when all others wait.
import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../../src/base/clock.ts'

export interface SharedClock extends Clock {
  /** Ends its loop. */
  end(): void
}

export function createSharedClock(): SharedClock {
  const sleepers: { atMs: number; wake(): void }[] = []
  let nowMs = 1_000
  let isOver = false
  const turn = async () => {
    while (!isOver) {
      await setImmediate()
      const next = sleepers.sort((a, b) => a.atMs - b.atMs).shift()
      nowMs = Math.max(nowMs, next?.atMs ?? nowMs)
      next?.wake()
    }
  }
  void turn()
  return {
    now: () => new Date(nowMs),
    monotonicMs: () => nowMs,
    sleep: (ms, signal) =>
      new Promise<void>((resolve) => {
        const wakeNow = () => {
          sleeper.atMs = nowMs
        }
        const wake = () => {
          signal?.removeEventListener('abort', wakeNow)
          resolve()
        }
        const sleeper = { atMs: nowMs + Math.max(0, ms), wake }
        sleepers.push(sleeper)
        signal?.addEventListener('abort', wakeNow)
      }),
    end: () => {
      isOver = true
    },
  }
}
