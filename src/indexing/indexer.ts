// Writes the follower's steps into the ledger, and scores what they changed. One run holds the writer lock. When the
// database or the provider becomes unavailable, the next run continues after the last complete batch.
import type { Clock } from '../base/clock.ts'
import type { ChainBlock, Step } from '../chain/event.ts'
import { follow } from '../chain/follow/follow.ts'
import { isPassing } from '../chain/rpc/error.ts'
import type { Source } from '../chain/source/source.ts'
import type { Database } from '../database/client.ts'
import { isAway, isDiskFull } from '../database/transient-error.ts'
import { acquireWriter, type WriterLock } from '../database/writer-lock.ts'
import { untilIndexed } from '../ledger/head.ts'
import { countLogs } from '../ledger/write/batch.ts'
import { buildIndexes, checkpoint, findPostponed, postponeIndexes } from '../ledger/write/deferred-indexes.ts'
import { emptyIndex } from '../ledger/write/reset.ts'
import type { Writer } from '../ledger/write/writer.ts'
import type { Log } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { beginsDay, byDay, splitDays, timeOf } from './days.ts'
import { createPace } from './pace.ts'
import type { Progress } from './progress.ts'
import type { Rescore } from './rescore.ts'

export interface IndexerDeps {
  database: Database
  source: Source
  createWriter(lock: WriterLock): Writer
  rescore: Rescore
  /** Undefined: the database's first block, else the preset's. */
  startBlock: number | undefined
  until: number | 'head' | undefined
  /** First undo the index from this block on; if the block cannot be undone, undo everything. */
  reindexFrom: number | undefined
  /** Default: the constant in this file. */
  longBackfill?: LongBackfill
  clock: Clock
  log: Log
  metrics: Metrics
  signal: AbortSignal
  onProgress(progress: Progress): void
}

/**
 * When a first backfill postpones the indexes that only readers need: after `after` logs, if `more` are still expected.
 */
interface LongBackfill {
  after: number
  more: number
}

export interface Indexer {
  /** Resolves when the source's head, or the last block, is reached for the first time and scored. */
  caughtUp: Promise<void>
  /** Resolves at the requested end; rejects with an error that does not pass by itself. */
  run(): Promise<void>
}

/** Pauses before the next attempt while the database or the provider is unavailable. */
const PAUSES_MS = [100, 250, 500, 1_000, 2_000, 5_000]

/** With fewer logs, updating the indexes during the backfill costs less than building them at its end. */
const LONG_BACKFILL: LongBackfill = { after: 20_000, more: 500_000 }

/** The part of a long backfill, at its end, that is done with all indexes, so that each of its days can be scored. */
const SCORED_PART = 0.1

const DISK_FULL = 'no space left on the disk of the database: free some to continue; nothing is lost'
const PROVIDER_TROUBLE = 'the provider failed; retrying'

/** Creates an indexer; call `run` once. */
export function createIndexer(deps: IndexerDeps): Indexer {
  const { clock, log, signal } = deps
  let arrive = () => {}
  const caughtUp = new Promise<void>((resolve) => {
    arrive = resolve
  })
  let logs = 0
  let undoFrom = deps.reindexFrom

  async function runOnce(lock: WriterLock, onStep: () => void): Promise<void> {
    if (undoFrom !== undefined) await undo(deps, lock, undoFrom)
    undoFrom = undefined
    const writer = deps.createWriter(lock)
    const { startBlock, window, cursor } = await writer.open({ startBlock: deps.startBlock })
    const readable = await createReadable(deps, lock, writer, cursor === null ? startBlock : null)
    const settle = async () => {
      await writer.settle()
      await readable.make()
    }
    const pace = createPace({ ...deps, settle, arrive })
    const show = (block: number, target: number) => deps.onProgress({ startBlock, block, target, logs })
    let at = cursor?.number ?? startBlock - 1
    const { number: head } = await deps.source.readHead()
    const target = typeof deps.until === 'number' ? deps.until : head
    show(cursor?.number ?? startBlock, target)
    deps.metrics.sourceBlock.set(head)
    if (cursor) setIndexed(deps.metrics, cursor)
    if (cursor && cursor.number >= target) await pace.settle()
    const onAhead = (blocks: ChainBlock[]) => {
      for (const day of splitDays(blocks)) writer.prefetch(day)
    }
    /** The last part of a long backfill, in which its days are scored too. */
    const late = target - (target - startBlock) * SCORED_PART
    let time = cursor?.time ?? null
    for await (const step of byDay(follow({ ...followOptions(deps), window, startBlock, onAhead }))) {
      if (beginsDay(step, time) && (!readable.isPostponed() || at >= late)) {
        await readable.make()
        await pace.closeDay()
        lock.lost.throwIfAborted()
      }
      const startedMs = clock.monotonicMs()
      await apply(writer, step)
      lock.lost.throwIfAborted()
      logs += logsOf(step)
      note(deps.metrics, step, at, (clock.monotonicMs() - startedMs) / 1000)
      at = lastOf(step) ?? at
      time = timeOf(step) ?? time
      onStep()
      if (step.kind === 'rollback')
        log.warn({ to: step.to.number }, 'the chain was reorganised; rolled back to the common ancestor')
      const block = lastOf(step)
      if (step.kind === 'append' && block !== null) show(block, typeof deps.until === 'number' ? deps.until : step.head)
      await readable.foresee(logs, at, target)
      if (block === null || (readable.isPostponed() && isWithin(step, block, target))) continue
      await readable.make()
      await pace.see(block, step.kind === 'append' ? Math.min(step.head, target) : block)
    }
    await writer.settle()
    if (deps.until !== undefined && !signal.aborted) await pace.finish()
  }

  async function run(): Promise<void> {
    for (let failures = 0; !signal.aborted; ) {
      let lock: WriterLock | null = null
      try {
        lock = await acquire(deps, undoFrom === undefined)
        if (lock === null) return arrive()
        await runOnce(lock, () => {
          failures = 0
        })
        return
      } catch (error) {
        if (signal.aborted) return
        const isProviders = isPassing(error)
        if (!lock?.lost.aborted && !isAway(error) && !isProviders) throw error
        const pauseMs = PAUSES_MS[Math.min(failures, PAUSES_MS.length - 1)] ?? 0
        failures += 1
        log.warn(
          { pauseMs, reason: error instanceof Error ? error.message : String(error) },
          isProviders ? PROVIDER_TROUBLE : isDiskFull(error) ? DISK_FULL : 'the database is unavailable; retrying',
        )
        await clock.sleep(pauseMs, signal)
      } finally {
        await lock?.release().catch(() => {})
      }
    }
  }
  return { caughtUp, run }
}

/**
 * Whether blocks are still to come. Indexes are built only after the last, also after blocks that are not final yet.
 */
const isWithin = (step: Step, block: number, target: number): boolean =>
  step.kind === 'append' && block < Math.min(step.head, target)

/**
 * Builds the postponed indexes, which readers and scoring need, once a long backfill is over.
 * `firstBlock`: the first block of a first backfill; null: the backfill continues an earlier one.
 */
async function createReadable(
  { database, log, signal, clock, longBackfill = LONG_BACKFILL }: IndexerDeps,
  lock: WriterLock,
  writer: Writer,
  firstBlock: number | null,
) {
  let postponed = await findPostponed(lock)
  let start = firstBlock
  return {
    isPostponed: () => postponed.length > 0,
    /** Drops the indexes during a first backfill, once its logs up to `block` show that it will be long. */
    foresee: async (logs: number, block: number, target: number) => {
      if (start === null || logs < longBackfill.after) return
      const logsPerBlock = logs / (block - start + 1)
      start = null
      if (logsPerBlock * (target - block) < longBackfill.more) return
      await writer.settle()
      await postponeIndexes(lock)
      postponed = await findPostponed(lock)
    },
    make: async () => {
      if (postponed.length === 0) return
      await writer.settle()
      log.info({ indexes: postponed.length }, 'the backfill is complete; building its indexes')
      const startedMs = clock.monotonicMs()
      await buildIndexes(lock, database, postponed, signal)
      log.info({ ms: Math.round(clock.monotonicMs() - startedMs) }, 'the indexes are built')
      postponed = []
      // Runs beside scoring, which leaves the disk and some of the processors idle.
      void checkpoint(database)
    },
  }
}

/** The writer lock; null if `mayLeave` and another process that holds the lock has reached the requested block. */
async function acquire(deps: IndexerDeps, mayLeave: boolean): Promise<WriterLock | null> {
  const { database, until, source, clock, log, onProgress } = deps
  const reached = new AbortController()
  const over = new AbortController()
  const signal = AbortSignal.any([deps.signal, over.signal])
  const watch = async () => {
    if (until === undefined || !mayLeave) return
    const target = until === 'head' ? (await source.readHead()).number : until
    const { number: block } = await untilIndexed(database, target, clock, signal)
    if (signal.aborted) return
    onProgress({ startBlock: block, block, target, logs: 0 })
    reached.abort()
  }
  const onWait = () => {
    log.info('another process indexes this database; this one waits to take over')
    watch().catch((error: unknown) =>
      log.warn({ err: error }, 'cannot tell how far to index; waiting for the other process to end'),
    )
  }
  try {
    return await acquireWriter({ database, signal: AbortSignal.any([deps.signal, reached.signal]), onWait })
  } catch (error) {
    if (reached.signal.aborted) return null
    throw error
  } finally {
    over.abort()
  }
}

const followOptions = ({ source, until, clock, signal, log }: IndexerDeps) => ({
  source,
  clock,
  signal,
  ...(until === undefined ? {} : { until }),
  onTrouble: (error: Error) => log.warn({ reason: error.message }, PROVIDER_TROUBLE),
})

/** Rolls back to before the block, or empties the index: state is cumulative, so nothing in between is possible. */
async function undo({ createWriter, startBlock, log }: IndexerDeps, lock: WriterLock, from: number): Promise<void> {
  const writer = createWriter(lock)
  const opened = await writer.open({ startBlock })
  const to = opened.window.find(({ number }) => number === from - 1)
  if (to) return writer.rollback(to)
  if (opened.cursor === null || from > opened.cursor.number) return
  log.warn({ from: opened.startBlock }, `block ${from} can no longer be undone: indexing everything again`)
  await emptyIndex(lock)
}

async function apply(writer: Writer, step: Step): Promise<void> {
  if (step.kind === 'append') await writer.append(step)
  else if (step.kind === 'rollback') await writer.rollback(step.to)
  else await writer.finalise(step.number, step.head)
}

const logsOf = (step: Step): number => (step.kind === 'append' ? countLogs(step.blocks) : 0)

/** The newest block after the step; null when the step did not change it. */
function lastOf(step: Step): number | null {
  if (step.kind === 'rollback') return step.to.number
  return step.kind === 'append' ? (step.blocks.at(-1)?.number ?? null) : null
}

function setIndexed(metrics: Metrics, { number, time }: { number: number; time: number }): void {
  metrics.indexedBlock.set(number)
  metrics.indexedBlockTime.set(time)
}

/**
 * Records a step. Steps may omit blocks without logs, so the number of blocks is counted from the position `before`.
 */
function note(metrics: Metrics, step: Step, before: number, seconds: number): void {
  metrics.batchSeconds.observe(seconds)
  if (step.kind === 'rollback') {
    metrics.rollbacks.inc()
    metrics.indexedBlock.set(step.to.number)
  }
  if (step.kind !== 'append') return
  const last = step.blocks.at(-1)
  if (last) {
    setIndexed(metrics, last)
    metrics.blocksIndexed.inc(last.number - before)
  }
  metrics.logsIndexed.inc(logsOf(step))
  metrics.sourceBlock.set(step.head)
}
