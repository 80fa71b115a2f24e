// Writes the follower's steps into the ledger, and scores the changes. One run holds the writer lock. When the database
// or the provider becomes unavailable, the next run continues after the last complete batch.
import type { Clock } from '../base/clock.ts'
import { AssayError } from '../base/errors.ts'
import type { HeadReads } from '../base/head-reads.ts'
import { WAIT_SENTENCES } from '../base/wait.ts'
import type { Step } from '../chain/event.ts'
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
import { LOOK_MS, type SourceWatch, watchHead } from './head-watch.ts'
import { createPace } from './pace.ts'
import type { Progress } from './progress.ts'
import { createWaits, isWaitedFor, type Waits } from './provider-waits.ts'
import type { Rescore } from './rescore.ts'
import { createStartGuard, type StartGuard } from './start-guard.ts'
import { lastOf, logsOf, noteStep, setIndexed } from './step.ts'
import { createTroubles, type Troubles } from './troubles.ts'
import { takeTurn } from './turn.ts'

export interface IndexerDeps {
  database: Database
  source: Source
  createWriter(lock: WriterLock): Writer
  /** Called after a day was scored, while the rows are as at its end. */
  keepDay?: (() => Promise<void>) | undefined
  rescore: Pick<Rescore, 'run' | 'forget'>
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

interface IndexerState {
  deps: IndexerDeps
  troubles: Troubles
  watch: SourceWatch
  guard: StartGuard
  waits: Waits
  /** Resolves `caughtUp`. */
  arrive: () => void
  /** Indexed logs since the start. */
  logs: number
  /** The first block of a reindex that is not begun yet. */
  undoFrom: number | undefined
}

function goOn(indexer: IndexerState): void {
  indexer.guard.pass()
  indexer.waits.end()
  indexer.troubles.end()
}

function onTrouble(indexer: IndexerState, error: RpcError): void {
  indexer.troubles.tell(indexer.waits.after(error), error)
  const end = indexer.guard.judge(error)
  if (end) throw end
}

type WrittenStep = Exclude<Step, { kind: 'rest' }>

/** The place of a run in the chain. */
interface RunPlace {
  at: number
  time: number | null
}

/** Writes a step, and tells the parts that follow the chain. */
async function takeStep(
  indexer: IndexerState,
  { writer, lock }: { writer: Writer; lock: WriterLock },
  step: WrittenStep,
  place: RunPlace,
): Promise<void> {
  const { clock, metrics, contractChecks, rescore, log } = indexer.deps
  const startedMs = clock.monotonicMs()
  await apply(writer, step)
  lock.lost.throwIfAborted()
  indexer.logs += logsOf(step)
  noteStep(metrics, step, place.at, { now: clock.now(), tookMs: clock.monotonicMs() - startedMs })
  place.at = lastOf(step) ?? place.at
  place.time = timeOf(step) ?? place.time
  if (step.kind === 'append') contractChecks?.note(step.blocks)
  if (step.kind !== 'rollback') return
  contractChecks?.forget()
  rescore.forget()
  log.warn({ to: step.to.number }, 'the chain was reorganised; rolled back to the common ancestor')
}

async function runOnce(indexer: IndexerState, lock: WriterLock, onStep: () => void): Promise<void> {
  const { deps } = indexer
  deps.rescore.forget()
  if (indexer.undoFrom !== undefined) await undo(deps, lock, indexer.undoFrom)
  else if (await deps.needsRestart?.()) await emptyIndex(lock)
  indexer.undoFrom = undefined
  const opened = await openRun(deps, lock, indexer.arrive)
  const { writer, deferral, pace, target, startBlock, cursor } = opened
  const show = (block: number, goal: number) => deps.onProgress({ startBlock, block, target: goal, logs: indexer.logs })
  show(cursor?.number ?? startBlock, target)
  if (cursor && cursor.number >= target) {
    await deferral.end()
    await pace.settle()
  }
  /** From here on the days of a long backfill are scored too. */
  const late = target - (target - startBlock) * SCORED_PART
  const place: RunPlace = { at: cursor?.number ?? startBlock - 1, time: cursor?.time ?? null }
  for await (const step of byDay(followFrom(indexer, opened))) {
    if (step.kind === 'rest') {
      goOn(indexer)
      await pace.rest()
      continue
    }
    if (beginsDay(step, place.time) && (!deferral.delaysScores() || place.at >= late)) {
      await deferral.buildForScores()
      await pace.closeDay()
      lock.lost.throwIfAborted()
    }
    await takeStep(indexer, { writer, lock }, step, place)
    // An append without a commit may still fail: a full disk would seem to end at each try.
    if (step.kind !== 'append' || writer.hasWritten()) onStep()
    const block = lastOf(step)
    if (step.kind === 'append' && block !== null) show(block, typeof deps.until === 'number' ? deps.until : step.head)
    await deferral.foresee(indexer.logs, place.at, target)
    if (block === null) continue
    if (!isWithin(step, block, target)) await deferral.end()
    else if (deferral.delaysScores()) continue
    await pace.see(block, step.kind === 'append' ? Math.min(step.head, target) : block, place.time)
  }
  await writer.settle()
  if (!deps.signal.aborted) onStep()
  if (deps.until === undefined || deps.signal.aborted) return
  await deferral.end()
  await pace.finish()
}

/** The steps of the chain after the rows of the database. */
function followFrom(indexer: IndexerState, { writer, window, startBlock }: OpenedRun): AsyncGenerator<Step> {
  return follow({
    ...followOptions({ ...indexer.deps, source: indexer.watch.source }, indexer.troubles),
    onTrouble: (error) => onTrouble(indexer, error),
    window,
    startBlock,
    onAhead: (blocks) => {
      for (const day of splitDays(blocks)) writer.prefetch(day)
    },
  })
}

async function run(indexer: IndexerState): Promise<void> {
  for (let failures = 0; !indexer.deps.signal.aborted; ) {
    let lock: WriterLock | null = null
    let looking: NodeJS.Timeout | undefined
    try {
      lock = await takeTurn(indexer.deps, indexer.undoFrom === undefined)
      if (lock === null) return indexer.arrive()
      looking = setInterval(() => void indexer.watch.look(), LOOK_MS).unref()
      await runOnce(indexer, lock, () => {
        failures = 0
        goOn(indexer)
      })
      return
    } catch (error) {
      if (indexer.deps.signal.aborted) return
      const isProviders = isWaitedFor(error)
      const isOfHistory = error instanceof AssayError
      if (!lock?.lost.aborted && !isAway(error) && !isProviders && !isOfHistory) throw error
      const pauseMs = PAUSES_MS[Math.min(failures, PAUSES_MS.length - 1)] ?? 0
      failures += 1
      if (!isProviders && isBrokenOff(error)) indexer.deps.log.warn({ err: error }, WAIT_SENTENCES.database)
      else if (isProviders) onTrouble(indexer, error)
      else if (isOfHistory) indexer.troubles.tell('history', error)
      else indexer.troubles.tell(isDiskFull(error) ? 'disk_full' : 'database', error)
      await indexer.deps.clock.sleep(pauseMs, indexer.deps.signal)
    } finally {
      clearInterval(looking)
      await lock?.release().catch(() => {})
    }
  }
}

/** Creates an indexer; call `run` once. */
export function createIndexer(deps: IndexerDeps): Indexer {
  const { clock, log } = deps
  let arrive = () => {}
  const caughtUp = new Promise<void>((resolve) => {
    arrive = resolve
  })
  const indexer: IndexerState = {
    deps,
    troubles: createTroubles({ log, clock, note: (wait) => noteWait(deps.database.writePool, wait) }),
    watch: watchHead({ ...deps, note: (head) => noteHead(deps.database.writePool, head) }),
    guard: createStartGuard(clock),
    waits: createWaits(clock),
    arrive,
    logs: 0,
    undoFrom: deps.reindexFrom,
  }
  return {
    caughtUp,
    run: () => run(indexer),
  }
}

type OpenedRun = Awaited<ReturnType<typeof openRun>>

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

async function apply(writer: Writer, step: WrittenStep): Promise<void> {
  if (step.kind === 'append') await writer.append(step)
  else if (step.kind === 'rollback') await writer.rollback(step.to)
  else await writer.finalise(step.number, step.head)
}
