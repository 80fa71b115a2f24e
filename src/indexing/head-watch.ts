// Notes the newest block of the source whenever anybody is told of it, also while a batch waits for its provider or its disk:
// so that readiness, metrics and alert rules know how far the index is behind. Input: a source. Output: the same source, and
// a watch that asks by itself when nobody else has for a while.
import type { Clock } from '../base/clock.ts'
import type { Source } from '../chain/source/source.ts'
import type { Metrics } from '../telemetry/metrics.ts'

export interface SourceWatchDeps {
  source: Source
  /** Writes the head down; while that fails, the age of the last one tells. */
  note(head: number): Promise<void>
  clock: Clock
  metrics: Pick<Metrics, 'sourceBlock' | 'sourceSeen'>
}

export interface SourceWatch {
  /** The source, whose heads are noted. */
  source: Source
  /** Asks for the head if nobody else did for a while. Call it every so often. */
  look(): Promise<void>
}

/** How often the head is asked for and written down while nobody else asks. */
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
