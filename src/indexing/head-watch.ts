// Stores the source's newest block whenever it is read, also while a batch waits for its provider or its disk.
// Readiness, metrics and alert rules thus know the lag of the index. Input: a source. Output: the same source, and a
// watch that reads the head if nobody else has for a while.
import type { Clock } from '../base/clock.ts'
import type { HeadReads } from '../base/head-reads.ts'
import type { Source } from '../chain/source/source.ts'
import type { Metrics } from '../telemetry/metrics.ts'

export interface SourceWatchDeps {
  source: Source
  /** Writes the head; while that fails, the age of the last one grows. */
  note(head: number): Promise<void>
  /** Undefined: each block as soon as it is there. */
  headReads?: HeadReads | undefined
  clock: Clock
  metrics: Pick<Metrics, 'sourceBlock' | 'sourceSeen'>
}

export interface SourceWatch {
  /** The source, whose heads are noted. */
  source: Source
  /** Reads the head if nobody else did for a while. Call it at a regular interval. */
  look(): Promise<void>
}

/** The interval of looks at the age of the last head. */
export const LOOK_MS = 5_000
/** The head is read when nobody else did for this long: longer than the time between two blocks. */
const READ_AFTER_MS = 15_000
/** With `HEAD_READS` of some seconds, after twice that time. */
const AFTER_INTERVALS = 2
/** The interval of writes of the same head. */
const REPEAT_MS = 5_000
/** On a fast chain not every head is written down. */
const LEAST_MS = 1_000

export function watchHead({ source, note, headReads, clock, metrics }: SourceWatchDeps): SourceWatch {
  const intervalMs = headReads?.kind === 'interval' ? headReads.ms : 0
  const readAfterMs = Math.max(READ_AFTER_MS, AFTER_INTERVALS * intervalMs)
  let toldMs = Number.NEGATIVE_INFINITY
  let noted = { head: -1, atMs: Number.NEGATIVE_INFINITY }
  let isNoting = false

  function tell(head: number): void {
    const nowMs = clock.monotonicMs()
    toldMs = nowMs
    metrics.sourceBlock.set(head)
    metrics.sourceSeen.set(clock.now().getTime() / 1_000)
    const agoMs = nowMs - noted.atMs
    if (isNoting || agoMs < LEAST_MS || (head === noted.head && agoMs < REPEAT_MS)) return
    noted = { head, atMs: nowMs }
    isNoting = true
    void note(head)
      .catch(() => {})
      .finally(() => {
        isNoting = false
      })
  }

  const readHead = async () => {
    const link = await source.readHead()
    tell(link.number)
    return link
  }

  const readTip = async (next: number, count?: number) => {
    const tip = await source.readTip(next, count)
    tell(tip.head.number)
    return tip
  }

  return {
    source: { ...source, readHead, readTip },
    async look() {
      if (clock.monotonicMs() - toldMs >= readAfterMs) await readHead().catch(() => {})
    },
  }
}
