// The progress of the index, its rate, and the time left.
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
  /** Null if unknown, as in the first seconds. */
  secondsLeft: number | null
}

/** The period of the rate: the speed of a long backfill changes. */
const LOOK_BACK_MS = 60_000
/** The interval of stored progress for the rate. */
const SAMPLE_MS = 5_000
/** A shorter look back says nothing about the time left. */
const LEAST_SECONDS = 5

/** Computes rate and time left for each progress, measured over the last minute. */
export function createRate(clock: Pick<Clock, 'monotonicMs'>): (progress: Progress) => Rate {
  const samples: { atMs: number; progress: Progress }[] = []
  return (progress) => {
    const atMs = clock.monotonicMs()
    if (atMs - (samples.at(-1)?.atMs ?? Number.NEGATIVE_INFINITY) >= SAMPLE_MS) samples.push({ atMs, progress })
    while (samples.length > 2 && atMs - (samples[1]?.atMs ?? atMs) >= LOOK_BACK_MS) samples.shift()
    const first = samples[0] ?? { atMs, progress }
    return measure(first.progress, progress, (atMs - first.atMs) / 1000)
  }
}

/** The rate and the time left after `seconds`. */
export function measure(first: Progress, now: Progress, seconds: number): Rate {
  const blocks = now.block - first.block
  const left = Math.max(now.target - now.block, 0)
  const known = left === 0 || (seconds >= LEAST_SECONDS && blocks > 0)
  return {
    logsPerSecond: seconds > 0 ? Math.round((now.logs - first.logs) / seconds) : 0,
    secondsLeft: known ? Math.ceil((left * seconds) / Math.max(blocks, 1)) : null,
  }
}
