// The only place that reads the current time, so that tests can pass another clock.
import { DAY_SECONDS } from './time.ts'

export interface Clock {
  /** Wall-clock time. */
  now(): Date
  /** Milliseconds on a clock that never goes back. Use it for durations only. */
  monotonicMs(): number
  /** Resolves after `ms`, or as soon as the signal is aborted. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve()
      const done = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', done)
        resolve()
      }
      const timer = setTimeout(done, ms)
      signal?.addEventListener('abort', done)
    }),
}

/** Whole days from 1970-01-01 UTC to a time in seconds. */
export const dayOf = (seconds: number): number => Math.floor(seconds / DAY_SECONDS)
/** Whole hours from 1970-01-01 UTC to a time in seconds. */
export const hourOf = (seconds: number): number => Math.floor(seconds / 3_600)
/** Whole minutes from 1970-01-01 UTC to a time in seconds. */
export const minuteOf = (seconds: number): number => Math.floor(seconds / 60)
/** Whole five minutes from 1970-01-01 UTC to a time in seconds. */
export const fiveMinutesOf = (seconds: number): number => Math.floor(seconds / 300)
/** Whole weeks from 1970-01-01 UTC to a time in seconds. */
export const weekOf = (seconds: number): number => Math.floor(seconds / 604_800)
