// Drops indexes while a first backfill runs, and builds them when they are needed. Indexes for lists are built at its
// end, those that scores also read before its last days, which are scored.
import type { Clock } from '../base/clock.ts'
import type { Database } from '../database/client.ts'
import type { WriterLock } from '../database/writer-lock.ts'
import { buildIndexes, checkpoint, deferIndexes, findDeferred, scoresRead } from '../ledger/write/deferred-indexes.ts'
import type { Log } from '../telemetry/log.ts'

/** After `after` logs of a first backfill, the expected number of further logs decides the dropped indexes. */
export interface Deferrals {
  after: number
  /** From this number on, the indexes for lists only. */
  lists: number
  /** From this number on, those for scores too; its days are not scored meanwhile. */
  scores: number
}

/** With fewer logs, updating the indexes during the backfill costs less than building them at its end. */
const DEFERRALS: Deferrals = { after: 10_000, lists: 20_000, scores: 500_000 }

interface DeferralDeps {
  database: Database
  clock: Clock
  log: Log
  signal: AbortSignal
  /** Writes all appended blocks. */
  settle(): Promise<void>
}

/**
 * The indexes that the database lacks. `firstBlock`: the first block of a first backfill; null: the backfill continues
 * an earlier one, and drops the same indexes.
 */
export async function createDeferral(
  { database, clock, log, signal, settle }: DeferralDeps,
  lock: WriterLock,
  firstBlock: number | null,
  deferrals: Deferrals = DEFERRALS,
) {
  let missing = await findDeferred(lock)
  let start = firstBlock
  const build = async (names: string[]) => {
    if (names.length === 0) return
    await settle()
    const startedMs = clock.monotonicMs()
    await buildIndexes(lock, database, names, signal)
    log.info(
      { indexes: names.length, ms: Math.round(clock.monotonicMs() - startedMs) },
      'the indexes that the backfill left out are built',
    )
    missing = missing.filter((name) => !names.includes(name))
    // Runs beside scoring, which leaves the disk and some of the processors idle.
    if (names.some(scoresRead)) void checkpoint(database)
  }
  return {
    /** Whether scores have to wait. */
    delaysScores: () => missing.some(scoresRead),
    /** Drops indexes during a first backfill, once its logs up to `block` show how long it will be. */
    foresee: async (logs: number, block: number, target: number) => {
      if (start === null || logs < deferrals.after) return
      const expected = (logs / (block - start + 1)) * (target - block)
      start = null
      if (expected < deferrals.lists) return
      await settle()
      await deferIndexes(lock, expected < deferrals.scores ? 'lists' : 'all')
      missing = await findDeferred(lock)
    },
    /** Builds the indexes for scores. */
    buildForScores: () => build(missing.filter(scoresRead)),
    /** Builds all. */
    end: () => build(missing),
  }
}
