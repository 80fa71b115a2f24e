// Follows a chain from a cursor. Input: a source and the ledger's newest links. Output: steps (append, roll back,
// finalise) that, replayed in order, always give a chain that the source had. It reads on only when the consumer asks
// for the next step.

import type { Clock } from '../../base/clock.ts'
import type { HeadReads } from '../../base/head-reads.ts'
import type { PackedBlocks } from '../columns/columns.ts'
import type { BlockRef, ChainBlock, Step } from '../event.ts'
import { unpackBlocks } from '../logs/unpack.ts'
import type { Link } from '../raw.ts'
import { RpcError } from '../rpc/error.ts'
import type { Source } from '../source/source.ts'
import { leaveOutEmpty, readAhead } from './backfill.ts'
import type { HeadBell } from './bell.ts'
import { createFixedPace, createHeadPace, MOST_EXPECTED, SPARE } from './pace.ts'
import { BelowFinalityError, findFork, follows, openWindow, prune, toLinks, truncate } from './reorg.ts'

export interface FollowOptions {
  source: Source
  /** The ledger's `block` rows, oldest first; the newest is the cursor. Empty: nothing is indexed yet. */
  window: readonly Link[]
  /** The first block to read when nothing is indexed yet. */
  startBlock: number
  clock: Clock
  signal?: AbortSignal
  /** Stop after this block; `head` stops after the block that is the head at the first poll. Undefined: never stop. */
  until?: number | 'head'
  /** Undefined: each block as soon as it is there. */
  headReads?: HeadReads
  /** Undefined: blocks are looked for by time alone. */
  bell?: HeadBell | undefined
  /** Its signal ends the wait for the next block: somebody waits for what follows a look. Called once for each wait. */
  wake?: (() => AbortSignal) | undefined
  /** How long a head below the cursor counts as a lagging backend. After that it counts as the real head. */
  shorterAfterMs?: number
  /** Gets final blocks when they are read, before the step that appends them. Its errors are ignored. */
  onAhead?: (blocks: ChainBlock[]) => void
  /** Gets every fault that the follower retries. What it throws ends the steps. */
  onTrouble?: (error: RpcError) => void
  /** The head is below the newest known block for longer than a backend lags. Gets a sentence with the numbers. */
  onLower?: (reason: string) => void
}

/** Maximum number of unfinalised blocks per step. */
const WINDOW_STEP = 16
/** Blocks that are finalised together, so that not every block causes a finalise step. */
const FINALISE_EVERY = 8
const LONGEST_PAUSE_MS = 15_000
/** Backends of one provider differ for a moment only. */
const LOWER_TOLD_AFTER_MS = 3_000
/** Links per request while looking for the fork. */
const WALK_STEP = 64
/** The number of times that a reorganisation below the anchor must be seen before it counts. */
const CONFIRMATIONS = 3

/** Steps until `until` or the signal. It waits after every fault of the provider, unless `onTrouble` throws. */
export async function* follow(options: FollowOptions): AsyncGenerator<Step, void, undefined> {
  const follower = createFollower(options)
  const { clock, signal, onTrouble } = options
  for (let failures = 0; !signal?.aborted && !follower.isDone(); ) {
    try {
      for await (const step of follower.advance()) {
        failures = 0
        yield step
        if (signal?.aborted) return
      }
    } catch (error) {
      if (signal?.aborted) return
      if (!(error instanceof RpcError) || error.kind === 'aborted') throw error
      failures += 1
      onTrouble?.(error)
      await clock.sleep(Math.min(LONGEST_PAUSE_MS, 250 * 2 ** failures), signal)
    }
  }
}

function createFollower(options: FollowOptions) {
  const { source, startBlock, clock, signal, until, bell, wake, shorterAfterMs = 30_000 } = options
  let window = [...openWindow(options.window)]
  let target = typeof until === 'number' ? until : Number.POSITIVE_INFINITY
  let finalized: number | null = null
  let lowerSinceMs: number | null = null
  let done = false
  const { headReads = { kind: 'latency' } } = options
  const pace = headReads.kind === 'latency' ? createHeadPace(clock) : createFixedPace(headReads.ms)
  /** The number of the last head. */
  let seen = -1

  const cursor = () => window.at(-1)
  const at = () => cursor()?.number ?? startBlock - 1
  /** Whether the last look has left no known block to read. */
  const isAtHead = () => seen >= 0 && at() >= seen
  const continues = (blocks: readonly ChainBlock[]) => {
    const [first] = blocks
    return first !== undefined && (window.length === 0 ? first.number === startBlock : follows(first, cursor()))
  }

  /** Reads the head once and yields the steps that follow from it. At the head it first waits for the next block. */
  async function* advance(): AsyncGenerator<Step> {
    if (at() >= target) return yield* confirm()
    if (isAtHead()) await rest()
    const { head, blocks } = await look()
    if (until === 'head' && target === Number.POSITIVE_INFINITY) target = head.number
    if (isLower(head)) return pace.missed()
    if (cursor() && (head.number < at() || (head.number === at() && head.hash !== cursor()?.hash)))
      return yield* rollBack(head)
    if (finalized === null || head.number - at() > WINDOW_STEP) finalized = await source.readFinalized(head.number)
    const limit = Math.min(head.number, target)
    // Blocks that came with the head are here, final or not.
    if (at() < Math.min(finalized, limit) && !blocks) yield* backfill(head, Math.min(finalized, limit))
    else if (at() < limit) yield* appendWindow(head, Math.min(limit, at() + WINDOW_STEP), blocks)
    else if (at() >= target) return yield* confirm()
    else {
      pace.missed()
      yield { kind: 'rest' }
    }
  }

  /** Ends at the last block, unless a second reading contradicts it: nothing may come after it that would. */
  async function* confirm(): AsyncGenerator<Step> {
    const [link] = window.length > 1 ? await source.readLinks([at()]).catch(() => []) : []
    if (link && link.hash !== cursor()?.hash) return yield* rollBack(link)
    done = true
  }

  /** Waits at the head for the next block. */
  const rest = (): Promise<void> => {
    const ends = AbortSignal.any([signal, wake?.()].filter((each) => each !== undefined))
    return bell ? bell.wait(cursor(), pace.waitMs(), ends, pace.gatherMs()) : clock.sleep(pace.waitMs(), ends)
  }

  /** Whether all told blocks were asked for, and the few that came meanwhile are told soon: they are read with later ones. */
  const isGathered = (head: number, count: number): boolean =>
    pace.gatherMs() > 0 && typeof bell?.newest() === 'number' && head > at() + count && head <= at() + count + SPARE

  /** How many blocks to ask for at the head: all that were told, else those that time tells. A node may tell anything. */
  function expected(): number {
    const told = bell?.newest()
    if (typeof told === 'number') return Math.min(MOST_EXPECTED, Math.max(1, told - at()))
    return Math.min(pace.expected(), bell ? 1 : Number.POSITIVE_INFINITY)
  }

  /**
   * Reads the head; at the head together with the block that is expected. A head far above all known blocks is read
   * twice: finality and the last block to read follow from it.
   */
  async function look(): Promise<{ head: Link; blocks: PackedBlocks | null }> {
    pace.look()
    const count = isAtHead() ? expected() : 0
    const tip = count > 0 ? await source.readTip(at() + 1, count) : { head: await source.readHead(), blocks: null }
    const isFar = tip.head.number - Math.max(at(), seen) > WINDOW_STEP + 2 * count
    const head = isFar ? lower(tip.head, await source.readHead()) : tip.head
    seen = isGathered(head.number, count) ? at() + count : head.number
    return { ...tip, head }
  }

  /**
   * Whether the head is below the cursor, but not for long enough to rule out a lagging backend. A head below the final
   * blocks shows no fork, so it is always waited for.
   */
  function isLower(head: Link): boolean {
    if (head.number >= at()) {
      lowerSinceMs = null
      return false
    }
    const [anchor] = window
    if (!anchor) return true
    lowerSinceMs ??= clock.monotonicMs()
    const lowerMs = clock.monotonicMs() - lowerSinceMs
    const isFinal = head.number < anchor.number
    if (lowerMs >= LOWER_TOLD_AFTER_MS) options.onLower?.(sayLower(head.number, at(), isFinal ? anchor.number : null))
    return isFinal || lowerMs < shorterAfterMs
  }

  async function* backfill(head: Link, to: number): AsyncGenerator<Step> {
    const onAhead = (blocks: ChainBlock[]) => options.onAhead?.(leaveOutEmpty(blocks))
    for await (const blocks of readAhead(source, at() + 1, to, onAhead)) {
      if (!continues(blocks)) return yield* rollBack(head)
      if (window.length > 1) yield { kind: 'finalise', number: at(), head: head.number }
      // The last block of all can be undone, if it is contradicted before another one follows.
      const isLast = blocks.at(-1)?.number === to && blocks.length > 1
      window = toLinks(blocks.slice(isLast ? -2 : -1))
      const final = isLast ? to - 1 : (finalized ?? to)
      yield { kind: 'append', blocks: leaveOutEmpty(blocks, isLast ? 2 : 1), head: head.number, finalized: final }
      if (signal?.aborted) return
    }
  }

  async function* appendWindow(head: Link, to: number, tip: PackedBlocks | null): AsyncGenerator<Step> {
    const blocks = unpackBlocks(tip ?? (await source.readWindow(at() + 1, to)))
    finalized = await source.readFinalized(head.number)
    if (!continues(blocks)) return yield* rollBack(head)
    // A chain of fast blocks has thousands of links, so they are not copied for each block.
    window.push(...toLinks(blocks))
    pace.found(blocks)
    yield { kind: 'append', blocks, head: head.number, finalized }
    const pruned = prune(window, finalized)
    if (window.length - pruned.length < FINALISE_EVERY) return
    window = [...pruned]
    yield { kind: 'finalise', number: Math.min(finalized, at()), head: head.number }
  }

  /** Rolls back to the newest link that is still on the chain. */
  async function* rollBack(head: Link): AsyncGenerator<Step> {
    lowerSinceMs = null
    const to = await findAncestor(head)
    if (to.number === at()) return pace.missed()
    window = [...truncate(window, to.number)]
    yield { kind: 'rollback', to }
  }

  async function findAncestor(head: Link): Promise<BlockRef> {
    for (let look = 1; ; look++) {
      const known = truncate(window, head.number)
      for (let end = known.length; end > 0; end -= WALK_STEP) {
        const part = known.slice(Math.max(0, end - WALK_STEP), end)
        const fork = findFork(part, await source.readLinks(part.map(({ number }) => number)))
        if (fork) return { number: fork.number, hash: fork.hash }
      }
      if (look >= CONFIRMATIONS) throw new BelowFinalityError(window[0], startBlock)
      await clock.sleep(1000 * look, signal)
    }
  }

  return { advance, isDone: () => done }
}

const lower = (one: Link, other: Link): Link => (other.number < one.number ? other : one)

const sayLower = (head: number, at: number, final: number | null): string =>
  `the head is block ${head}, and the index is at block ${at}` +
  (final === null
    ? ''
    : `. Block ${final} can no longer be undone. If the chain began anew, run "assay reindex --from ${head}"`)
