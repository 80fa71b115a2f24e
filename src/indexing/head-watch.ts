// Stores the source's newest block whenever it is read, also while a batch waits for its provider or its disk.
// Readiness, metrics and alert rules thus know the lag of the index. Input: a source. Output: the same source, and a
// watch that reads the head if nobody else has for a while.
import type { Clock } from '../base/clock.ts'
import type { Source } from '../chain/source/source.ts'
import type { Metrics } from '../telemetry/metrics.ts'

export interface SourceWatchDeps {
  source: Source
  /** Writes the head; while that fails, the age of the last one grows. */
  note(head: number): Promise<void>
  clock: Clock
  metrics: Pick<Metrics, 'sourceBlock' | 'sourceSeen'>
}

export interface SourceWatch {
  /** The source, whose heads are noted. */
  source: Source
  /** Reads the head if nobody else did for a while. Call it at a regular interval. */
  look(): Promise<void>
}

/** The interval of reads and writes of the head while nobody else reads it. */
export const LOOK_MS = 5_000
/** On a fast chain not every head is written down. */
const LEAST_MS = 1_000

export function watchHead({ source, note, clock, metrics }: SourceWatchDeps): SourceWatch {
  let toldMs = Number.NEGATIVE_INFINITY
  let noted = { head: -1, atMs: Number.NEGATIVE_INFINITY }
  let isNoting = false

  function tell(head: number): void {
    const nowMs = clock.monotonicMs()
    toldMs = nowMs
    metrics.sourceBlock.set(head)
    metrics.sourceSeen.set(clock.now().getTime() / 1_000)
    const agoMs = nowMs - noted.atMs
    if (isNoting || agoMs < LEAST_MS || (head === noted.head && agoMs < LOOK_MS)) return
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

  return {
    source: { ...source, readHead },
    async look() {
      if (clock.monotonicMs() - toldMs >= LOOK_MS) await readHead().catch(() => {})
    },
  }
}
