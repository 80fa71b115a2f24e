// Decides when to score, and for how long. At the head it scores after every batch, for a bounded time. During a
// backfill it scores at the end of each day of the chain. This gives scores a history. Scoring more often would take
// long, and the next minute touches the same rows again.
import type { Clock } from '../base/clock.ts'
import { isAway } from '../database/transient-error.ts'
import type { Log } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { ownSpan } from '../telemetry/trace.ts'
import type { ContractChecks } from './contract-checks.ts'
import type { Rescore } from './rescore.ts'

export interface PaceDeps {
  rescore: Pick<Rescore, 'run'>
  /** Undefined: contracts are not checked. */
  contractChecks?: ContractChecks | undefined
  /** The longest wait of the first arrival at the head for contract checks. Default: 2 s; the others follow beside. */
  firstChecksMs?: number | undefined
  clock: Clock
  log: Pick<Log, 'error'>
  metrics: Pick<Metrics, 'rescoreSeconds' | 'noteSpan'>
  signal: AbortSignal
  /** Makes appended blocks visible to readers, and builds postponed indexes. */
  settle(): Promise<void>
  /** Called after a day was scored, while the rows are as at its end. */
  keepDay?: (() => Promise<void>) | undefined
  /** Called each time the scores match the head. */
  arrive(): void
}

export interface Pace {
  /** Scores everything that is due. */
  settle(): Promise<void>
  /** Checks due contracts, and scores. Nobody retries after that, so it throws the error of a failed run. */
  finish(): Promise<void>
  /**
   * Call it after the last block of a day, before a later one is appended: scores the due rows, unless that takes too
   * long.
   */
  closeDay(): Promise<void>
  /** Call it after each batch with the newest block, the head of the source or the last block wanted, and the block's time. */
  see(block: number, head: number, time?: number | null): Promise<void>
  /** Call it while no block comes: stores and scores what contract checks found in the meantime. */
  rest(): Promise<void>
}

/** Once the head was reached: closer to it than this, scores are updated after each batch. */
const NEAR_HEAD_BLOCKS = 50
/** Or younger than this: fifty blocks of a fast chain are a moment. */
const NEAR_HEAD_SECONDS = 60
/** Before that: score after this long near the head, because on a fast chain the index may never quite reach it. */
const NEAR_HEAD_MS = 5_000
/** The least time between two scorings while no block comes. */
const REST_MS = 2_000
const FIRST_CHECKS_MS = 2_000
/**
 * At the head, a scoring ends after this time, or that between two blocks where it is longer. The next block is then
 * written first: its events and prices do not wait for scores. The rest comes after it, the longest due first.
 */
const LEAST_SLICE_MS = 150
/** The longest such time, on a chain whose blocks are rare. */
const MOST_SLICE_MS = 10_000
/** The longest wait of an ending command for the contract checks that are due: nothing runs after it. */
const LAST_CHECKS_MS = 20_000
/**
 * A day is skipped if the previous run took longer than this and than all work between two runs. Scoring thus takes at
 * most half of a backfill. A shorter run is never skipped, so that a small chain has the same days on any machine.
 */
const SHORT_RUN_MS = 5_000

const rethrow = (error: unknown) => {
  throw error
}

interface State extends PaceDeps {
  lastMs: number
  tookMs: number
  nearSinceMs: number | null
  hasArrived: boolean
  /** Whether the last scoring ended before everything due was scored. */
  isLeft: boolean
  /** The block seen last, and when. */
  seen: { block: number; atMs: number } | null
  /** The time between the last two blocks. */
  blockMs: number
}

/** The pace of one run of the indexer. */
export function createPace(deps: PaceDeps): Pace {
  const { contractChecks, clock, signal, keepDay } = deps
  const began = { lastMs: clock.monotonicMs(), tookMs: 0, nearSinceMs: null, hasArrived: false }
  const state: State = { ...deps, ...began, isLeft: false, seen: null, blockMs: 0 }
  return {
    settle: () => settleScores(state),
    finish: async () => {
      await contractChecks?.drain(LAST_CHECKS_MS, signal)
      await score(state, { onFailure: rethrow })
    },
    closeDay: async () => {
      if (state.tookMs > SHORT_RUN_MS && clock.monotonicMs() - state.lastMs < state.tookMs) return
      await score(state)
      await keepDay?.()
    },
    see: async (block, head, time = null) => {
      noteBlock(state, block)
      const isYoung = time !== null && clock.now().getTime() / 1_000 - time <= NEAR_HEAD_SECONDS
      if (block >= head) await settleScores(state)
      else if (isDue(state, isYoung || block >= head - NEAR_HEAD_BLOCKS)) await score(state, sliceOf(state))
    },
    rest: async () => {
      if (state.isLeft) return score(state, sliceOf(state))
      if (!contractChecks?.hasFound()) return
      if (contractChecks.hasAsked() || clock.monotonicMs() - state.lastMs >= REST_MS) await score(state)
    },
  }
}

function noteBlock(state: State, block: number): void {
  const atMs = state.clock.monotonicMs()
  if (state.seen && block > state.seen.block) state.blockMs = (atMs - state.seen.atMs) / (block - state.seen.block)
  state.seen = { block, atMs }
}

/** The bound of a scoring, once the head was reached. */
const sliceOf = ({ hasArrived, blockMs }: State): ScoreOptions =>
  hasArrived ? { mostMs: Math.min(MOST_SLICE_MS, Math.max(LEAST_SLICE_MS, blockMs)) } : {}

interface ScoreOptions {
  mostMs?: number
  onFailure?: (error: unknown) => void
}

/** Unless `onFailure` throws, indexing continues without new scores; due rows stay due. */
async function score(state: State, { mostMs, onFailure }: ScoreOptions = {}): Promise<void> {
  const { rescore, contractChecks, clock, log, metrics, signal } = state
  await state.settle()
  const startedMs = clock.monotonicMs()
  state.isLeft = false
  try {
    await contractChecks?.store()
    const { isLeft } = await rescore.run(mostMs === undefined ? { signal } : { signal, mostMs })
    state.isLeft = isLeft
  } catch (error) {
    if (isAway(error)) throw error
    if (onFailure) onFailure(error)
    else log.error({ err: error }, 'scoring failed')
  }
  state.lastMs = clock.monotonicMs()
  state.tookMs = state.lastMs - startedMs
  metrics.rescoreSeconds.observe(state.tookMs / 1000)
  metrics.noteSpan(ownSpan('score', { now: clock.now(), tookMs: state.tookMs }))
}

function isDue(state: State, isNear: boolean): boolean {
  if (!isNear) return false
  const nowMs = state.clock.monotonicMs()
  state.nearSinceMs ??= nowMs
  return state.hasArrived || nowMs - Math.max(state.lastMs, state.nearSinceMs) >= NEAR_HEAD_MS
}

async function settleScores(state: State): Promise<void> {
  const { contractChecks, firstChecksMs = FIRST_CHECKS_MS, signal, arrive } = state
  await score(state, sliceOf(state))
  if (contractChecks && !state.hasArrived) {
    await contractChecks.drain(firstChecksMs, signal)
    await score(state)
  }
  state.hasArrived = true
  arrive()
}
