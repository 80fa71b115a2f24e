// Writes the follower's steps into the ledger, and scores the changes. One run holds the writer lock. When the database
// or the provider becomes unavailable, the next run continues after the last complete batch.
import type { Clock } from '../base/clock.ts'
import { AssayError } from '../base/errors.ts'
import type { HeadReads } from '../base/head-reads.ts'
import { WAIT_SENTENCES } from '../base/wait.ts'
import type { ChainBlock, Step } from '../chain/event.ts'
import type { HeadBell } from '../chain/follow/bell.ts'
import { follow } from '../chain/follow/follow.ts'
import type { RpcError } from '../chain/rpc/error.ts'
import type { Source } from '../chain/source/source.ts'
import type { Database } from '../database/client.ts'
import { isAway, isBrokenOff, isDiskFull } from '../database/transient-error.ts'
import type { WriterLock } from '../database/writer-lock.ts'
import type { CheckSetting } from '../ledger/first-check.ts'
import { saveCheckSetting } from '../ledger/safety/methods.ts'
import { renewScores } from '../ledger/scores/renew.ts'
import { noteHead, noteWait } from '../ledger/write/cursor.ts'
import { emptyIndex } from '../ledger/write/reset.ts'
import type { Writer } from '../ledger/write/writer.ts'
import { SCORE_VERSION } from '../scoring/score-version.ts'
import type { Log } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { ContractChecks } from './contract-checks.ts'
import { beginsDay, byDay, splitDays, timeOf } from './days.ts'
import { createDeferral, type Deferrals } from './deferral.ts'
import { LOOK_MS, watchHead } from './head-watch.ts'
import { createPace } from './pace.ts'
import type { Progress } from './progress.ts'
import { createWaits, isWaitedFor } from './provider-waits.ts'
import type { Rescore } from './rescore.ts'
import { createStartGuard } from './start-guard.ts'
import { lastOf, logsOf, noteStep, setIndexed } from './step.ts'
import { createTroubles, type Troubles } from './troubles.ts'
import { takeTurn } from './turn.ts'

export interface IndexerDeps {
  database: Database
  source: Source
  createWriter(lock: WriterLock): Writer
  /** Called after a day was scored, while the rows are as at its end. */
  keepDay?: (() => Promise<void>) | undefined
  rescore: Rescore
  /** Undefined: contracts are not checked. */
  contractChecks?: ContractChecks | undefined
  /** See `PaceDeps`. */
  firstChecksMs?: number | undefined
  /** Whether and which contracts are checked. */
  checkSetting?: CheckSetting | undefined
  /** Undefined: the database's first block, else the preset's. */
  startBlock: number | undefined
  until: number | 'head' | undefined
  /** Undefined: each block as soon as it is there. */
  headReads?: HeadReads | undefined
  /** Undefined: blocks are looked for by time alone. */
  bell?: HeadBell | undefined
  /** First undo the index from this block on; if the block cannot be undone, undo everything. */
  reindexFrom: number | undefined
  /** Whether the index must be rebuilt, because it is of another recording of the demo. */
  needsRestart?: (() => Promise<boolean>) | undefined
  /** Default: `DEFERRALS`. */
  deferrals?: Deferrals
  clock: Clock
  log: Log
  metrics: Metrics
  signal: AbortSignal
  onProgress(progress: Progress): void
}

export interface Indexer {
  /** Resolves when the source's head, or the last block, is reached for the first time and scored. */
  caughtUp: Promise<void>
  /** Resolves at the requested end; rejects with an error that does not pass by itself. */
  run(): Promise<void>
}

/** Pauses before the next attempt while the database or the provider is unavailable. */
const PAUSES_MS = [100, 250, 500, 1_000, 2_000, 5_000]

/** The last part of a long backfill, whose days can be scored. */
const SCORED_PART = 0.1

const SCORED_OTHERWISE = 'the scores are of a version with other formulas: all of them are computed anew'

/** Creates an indexer; call `run` once. */
export function createIndexer(deps: IndexerDeps): Indexer {
  const { clock, log, signal } = deps
  const troubles = createTroubles({ log, clock, note: (wait) => noteWait(deps.database.writePool, wait) })
  const watch = watchHead({ ...deps, note: (head) => noteHead(deps.database.writePool, head) })
  let arrive = () => {}
  const caughtUp = new Promise<void>((resolve) => {
    arrive = resolve
  })
  const guard = createStartGuard(clock)
  const waits = createWaits(clock)
  const goOn = () => {
    guard.pass()
    waits.end()
    troubles.end()
  }
  const onTrouble = (error: RpcError): void => {
    troubles.tell(waits.after(error), error)
    const end = guard.judge(error)
    if (end) throw end
  }
  let logs = 0
  let undoFrom = deps.reindexFrom

  async function runOnce(lock: WriterLock, onStep: () => void): Promise<void> {
    if (undoFrom !== undefined) await undo(deps, lock, undoFrom)
    else if (await deps.needsRestart?.()) await emptyIndex(lock)
    undoFrom = undefined
    const { writer, deferral, pace, target, startBlock, window, cursor } = await openRun(deps, lock, arrive)
    const show = (block: number, goal: number) => deps.onProgress({ startBlock, block, target: goal, logs })
    show(cursor?.number ?? startBlock, target)
    if (cursor && cursor.number >= target) {
      await deferral.end()
      await pace.settle()
    }
    /** From here on the days of a long backfill are scored too. */
    const late = target - (target - startBlock) * SCORED_PART
    let at = cursor?.number ?? startBlock - 1
    let time = cursor?.time ?? null
    const onAhead = (blocks: ChainBlock[]) => {
      for (const day of splitDays(blocks)) writer.prefetch(day)
    }
    for await (const step of byDay(
      follow({ ...followOptions({ ...deps, source: watch.source }, troubles), onTrouble, window, startBlock, onAhead }),
    )) {
      if (step.kind === 'rest') {
        goOn()
        await pace.rest()
        continue
      }
      if (beginsDay(step, time) && (!deferral.delaysScores() || at >= late)) {
        await deferral.buildForScores()
        await pace.closeDay()
        lock.lost.throwIfAborted()
      }
      const startedMs = clock.monotonicMs()
      await apply(writer, step)
      lock.lost.throwIfAborted()
      logs += logsOf(step)
      noteStep(deps.metrics, step, at, { now: clock.now(), tookMs: clock.monotonicMs() - startedMs })
      at = lastOf(step) ?? at
      time = timeOf(step) ?? time
      // An append without a commit may still fail: a full disk would seem to end at each try.
      if (step.kind !== 'append' || writer.hasWritten()) onStep()
      if (step.kind === 'rollback') deps.contractChecks?.forget()
      else if (step.kind === 'append') deps.contractChecks?.note(step.blocks)
      if (step.kind === 'rollback')
        log.warn({ to: step.to.number }, 'the chain was reorganised; rolled back to the common ancestor')
      const block = lastOf(step)
      if (step.kind === 'append' && block !== null) show(block, typeof deps.until === 'number' ? deps.until : step.head)
      await deferral.foresee(logs, at, target)
      if (block === null) continue
      if (!isWithin(step, block, target)) await deferral.end()
      else if (deferral.delaysScores()) continue
      await pace.see(block, step.kind === 'append' ? Math.min(step.head, target) : block, time)
    }
    await writer.settle()
    if (!signal.aborted) onStep()
    if (deps.until === undefined || signal.aborted) return
    await deferral.end()
    await pace.finish()
  }

  async function run(): Promise<void> {
    for (let failures = 0; !signal.aborted; ) {
      let lock: WriterLock | null = null
      let looking: NodeJS.Timeout | undefined
      try {
        lock = await takeTurn(deps, undoFrom === undefined)
        if (lock === null) return arrive()
        looking = setInterval(() => void watch.look(), LOOK_MS).unref()
        await runOnce(lock, () => {
          failures = 0
          goOn()
        })
        return
      } catch (error) {
        if (signal.aborted) return
        const isProviders = isWaitedFor(error)
        const isOfHistory = error instanceof AssayError
        if (!lock?.lost.aborted && !isAway(error) && !isProviders && !isOfHistory) throw error
        const pauseMs = PAUSES_MS[Math.min(failures, PAUSES_MS.length - 1)] ?? 0
        failures += 1
        if (!isProviders && isBrokenOff(error)) log.warn({ err: error }, WAIT_SENTENCES.database)
        else if (isProviders) onTrouble(error)
        else if (isOfHistory) troubles.tell('history', error)
        else troubles.tell(isDiskFull(error) ? 'disk_full' : 'database', error)
        await clock.sleep(pauseMs, signal)
      } finally {
        clearInterval(looking)
        await lock?.release().catch(() => {})
      }
    }
  }
  return { caughtUp, run }
}

/** Opens the ledger to continue from its cursor, and finds its end. */
async function openRun(deps: IndexerDeps, lock: WriterLock, arrive: () => void) {
  const writer = deps.createWriter(lock)
  const opened = await writer.open({ startBlock: deps.startBlock })
  const { startBlock, cursor } = opened
  if (deps.checkSetting) await saveCheckSetting(deps.database.writePool, deps.checkSetting)
  if ((await renewScores(deps.database.writePool, SCORE_VERSION)) > 0) deps.log.info(SCORED_OTHERWISE)
  const parts = { ...deps, settle: writer.settle }
  const deferral = await createDeferral(parts, lock, cursor === null ? startBlock : null, deps.deferrals)
  const pace = createPace({ ...parts, arrive })
  const { number: head } = await deps.source.readHead()
  deps.metrics.sourceBlock.set(head)
  if (cursor) setIndexed(deps.metrics, cursor)
  return { ...opened, writer, deferral, pace, target: typeof deps.until === 'number' ? deps.until : head }
}

/**
 * Whether blocks are still to come. Indexes are built only after the last, also after blocks that are not final yet.
 */
const isWithin = (step: Step, block: number, target: number): boolean =>
  step.kind === 'append' && block < Math.min(step.head, target)

const followOptions = (
  { source, until, headReads, bell, clock, signal, contractChecks }: IndexerDeps,
  { tell }: Troubles,
) => ({
  source,
  bell,
  wake: contractChecks?.wake,
  clock,
  signal,
  ...(until === undefined ? {} : { until }),
  ...(headReads === undefined ? {} : { headReads }),
  onLower: (reason: string) => tell('lower_head', reason),
})

/** Rolls back to before the block, or empties the index: state is cumulative, so nothing in between is possible. */
async function undo({ createWriter, startBlock, log }: IndexerDeps, lock: WriterLock, from: number): Promise<void> {
  const writer = createWriter(lock)
  const opened = await writer.open({ startBlock })
  const to = opened.window.find(({ number }) => number === from - 1)
  if (to) return writer.rollback(to)
  const newest = opened.cursor?.number ?? null
  if (newest === null || from > newest)
    return log.warn(
      { from },
      newest === null ? 'nothing is indexed yet' : `nothing to undo: the newest indexed block is ${newest}`,
    )
  log.warn({ from: opened.startBlock }, `block ${from} can no longer be undone: indexing everything again`)
  await emptyIndex(lock)
}

async function apply(writer: Writer, step: Exclude<Step, { kind: 'rest' }>): Promise<void> {
  if (step.kind === 'append') await writer.append(step)
  else if (step.kind === 'rollback') await writer.rollback(step.to)
  else await writer.finalise(step.number, step.head)
}
