// When to score: with every batch at the head, seldom on the way there. Scoring all that a backfill touched takes as long
// as a good part of the backfill, and the next minute touches it again.
import type { Clock } from '../base/clock.ts'
import { isAway } from '../database/transient-error.ts'
import type { Log } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { Rescore } from './rescore.ts'

export interface PaceDeps {
  rescore: Rescore
  clock: Clock
  log: Pick<Log, 'error'>
  metrics: Pick<Metrics, 'rescoreSeconds'>
  signal: AbortSignal
  /** Makes visible what was appended. */
  settle(): Promise<void>
  /** Told each time that the scores are those of the head. */
  arrive(): void
}

export interface Pace {
  /** Scores all that is due. */
  settle(): Promise<void>
  /** The same at the end: nobody tries again later, so it throws why it failed. */
  finish(): Promise<void>
  /** To be told of each batch: the newest block, and the source's head or the last block that is wanted. */
  see(block: number, head: number): Promise<void>
}

/** Blocks behind the head from which on scores are kept fresh with each batch, once the head was reached. */
const NEAR_HEAD_BLOCKS = 50
/** Before that: so near for so long is as good as there, where blocks come faster than the head can be met. */
const NEAR_HEAD_MS = 5_000
/** Between two runs of scoring on the way, at least. */
const RESCORE_EVERY_MS = 300_000
/** And so many times what the last one took: scoring may take a tenth of a backfill. */
const RESCORE_SHARE = 10

/** The pace of one run of the indexer. */
export function createPace({ rescore, clock, log, metrics, signal, settle, arrive }: PaceDeps): Pace {
  let lastMs = clock.monotonicMs()
  let tookMs = 0
  let nearSinceMs: number | null = null
  let hasArrived = false

  /** Events go on without new scores; what is due stays due. */
  const goOn = (error: unknown) => log.error({ err: error }, 'scoring failed')
  const giveUp = (error: unknown) => {
    throw error
  }

  const score = async (onFailure = goOn) => {
    await settle()
    const startedMs = clock.monotonicMs()
    try {
      await rescore.run({ signal })
    } catch (error) {
      if (isAway(error)) throw error
      onFailure(error)
    }
    lastMs = clock.monotonicMs()
    tookMs = lastMs - startedMs
    metrics.rescoreSeconds.observe(tookMs / 1000)
  }

  const isDue = (isNear: boolean): boolean => {
    const nowMs = clock.monotonicMs()
    if (!isNear) return nowMs - lastMs >= Math.max(RESCORE_EVERY_MS, RESCORE_SHARE * tookMs)
    nearSinceMs ??= nowMs
    return hasArrived || nowMs - Math.max(lastMs, nearSinceMs) >= NEAR_HEAD_MS
  }

  const settleScores = async () => {
    await score()
    hasArrived = true
    arrive()
  }

  return {
    settle: settleScores,
    finish: () => score(giveUp),
    see: async (block, head) => {
      if (block >= head) await settleScores()
      else if (isDue(block >= head - NEAR_HEAD_BLOCKS)) await score()
    },
  }
}
