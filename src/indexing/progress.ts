// How far the index is, how fast it goes, and how long it still takes.
import type { Clock } from '../base/clock.ts'

/** Where the indexer stands. */
export interface Progress {
  /** First block of the index, newest indexed block, block to reach. */
  startBlock: number
  block: number
  target: number
  /** Logs written since the process started. */
  logs: number
}

export interface Rate {
  logsPerSecond: number
  /** Null: not known yet. */
  secondsLeft: number | null
}

/** Rate and time left as of each progress, from the first one on. */
export function createRate(clock: Pick<Clock, 'monotonicMs'>): (progress: Progress) => Rate {
  let first: Progress | null = null
  let startedMs = 0
  return (progress) => {
    if (!first) startedMs = clock.monotonicMs()
    first ??= progress
    return measure(first, progress, (clock.monotonicMs() - startedMs) / 1000)
  }
}

/** Rate and time left after so many seconds. */
export function measure(first: Progress, now: Progress, seconds: number): Rate {
  const blocks = now.block - first.block
  const left = Math.max(now.target - now.block, 0)
  const known = left === 0 || (seconds > 0 && blocks > 0)
  return {
    logsPerSecond: seconds > 0 ? Math.round((now.logs - first.logs) / seconds) : 0,
    secondsLeft: known ? Math.ceil((left * seconds) / Math.max(blocks, 1)) : null,
  }
}
