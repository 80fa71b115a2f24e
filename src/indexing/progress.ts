// How far the index is, how fast it advances, and how much time is left.
import type { Clock } from '../base/clock.ts'

/** The state of the indexer. */
export interface Progress {
  /** The first block of the index, the newest indexed block, and the block to reach. */
  startBlock: number
  block: number
  target: number
  /** Logs written since the process started. */
  logs: number
}

export interface Rate {
  logsPerSecond: number
  /** Null when it is not known yet. */
  secondsLeft: number | null
}

/** Computes rate and time left for each progress, measured from the first. */
export function createRate(clock: Pick<Clock, 'monotonicMs'>): (progress: Progress) => Rate {
  let first: Progress | null = null
  let startedMs = 0
  return (progress) => {
    if (!first) startedMs = clock.monotonicMs()
    first ??= progress
    return measure(first, progress, (clock.monotonicMs() - startedMs) / 1000)
  }
}

/** The rate and the time left after `seconds`. */
export function measure(first: Progress, now: Progress, seconds: number): Rate {
  const blocks = now.block - first.block
  const left = Math.max(now.target - now.block, 0)
  const known = left === 0 || (seconds > 0 && blocks > 0)
  return {
    logsPerSecond: seconds > 0 ? Math.round((now.logs - first.logs) / seconds) : 0,
    secondsLeft: known ? Math.ceil((left * seconds) / Math.max(blocks, 1)) : null,
  }
}
