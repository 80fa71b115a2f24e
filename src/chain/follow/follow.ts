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
import { createFixedPace, createHeadPace, type HeadPace, MOST_EXPECTED, SPARE } from './pace.ts'
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
/** Milliseconds of blocks that one look reads at the head; undefined: as many as the pace finds right. */
const LOOKS = { block: 0, latency: undefined } as const
/** The number of times that a reorganisation below the anchor must be seen before it counts. */
const CONFIRMATIONS = 3

interface FollowerState extends Omit<FollowOptions, 'window'> {
  shorterAfterMs: number
  /** The known blocks that can be undone, and the one before them; the last is the cursor. */
  window: Link[]
  /** The last block to read. */
  target: number
  finalized: number | null
  /** Since when the head is below the cursor. */
  lowerSinceMs: number | null
  isDone: boolean
  pace: HeadPace
  /** The number of the last head. */
  seen: number
}

const cursor = (follower: FollowerState) => follower.window.at(-1)

const at = (follower: FollowerState) => cursor(follower)?.number ?? follower.startBlock - 1

/** Whether the last look has left no known block to read. */
const isAtHead = (follower: FollowerState) => follower.seen >= 0 && at(follower) >= follower.seen

function continues(follower: FollowerState, blocks: readonly ChainBlock[]): boolean {
  const [first] = blocks
  return (
    first !== undefined &&
    (follower.window.length === 0 ? first.number === follower.startBlock : follows(first, cursor(follower)))
  )
}

/** Reads the head once and yields the steps that follow from it. At the head it first waits for the next block. */
async function* advance(follower: FollowerState): AsyncGenerator<Step> {
  if (at(follower) >= follower.target) return yield* confirm(follower)
  if (isAtHead(follower)) await rest(follower)
  const { head, blocks } = await look(follower)
  if (follower.until === 'head' && follower.target === Number.POSITIVE_INFINITY) follower.target = head.number
  if (isLower(follower, head)) return follower.pace.missed()
  if (
    cursor(follower) &&
    (head.number < at(follower) || (head.number === at(follower) && head.hash !== cursor(follower)?.hash))
  )
    return yield* rollBack(follower, head)
  if (follower.finalized === null || head.number - at(follower) > WINDOW_STEP)
    follower.finalized = await follower.source.readFinalized(head.number)
  const limit = Math.min(head.number, follower.target)
  // Blocks that came with the head are here, final or not.
  if (at(follower) < Math.min(follower.finalized, limit) && !blocks)
    yield* backfill(follower, head, Math.min(follower.finalized, limit))
  else if (at(follower) < limit)
    yield* appendWindow(follower, head, Math.min(limit, at(follower) + WINDOW_STEP), blocks)
  else if (at(follower) >= follower.target) return yield* confirm(follower)
  else {
    follower.pace.missed()
    yield { kind: 'rest' }
  }
}

/** Ends at the last block, unless a second reading contradicts it: nothing may come after it that would. */
async function* confirm(follower: FollowerState): AsyncGenerator<Step> {
  const [link] = follower.window.length > 1 ? await follower.source.readLinks([at(follower)]).catch(() => []) : []
  if (link && link.hash !== cursor(follower)?.hash) return yield* rollBack(follower, link)
  follower.isDone = true
}

/** Waits at the head for the next block. */
function rest(follower: FollowerState): Promise<void> {
  const ends = AbortSignal.any([follower.signal, follower.wake?.()].filter((each) => each !== undefined))
  return follower.bell
    ? follower.bell.wait(cursor(follower), follower.pace.waitMs(), ends, follower.pace.gatherMs())
    : follower.clock.sleep(follower.pace.waitMs(), ends)
}

/** Whether all told blocks were asked for, and the few that came meanwhile are told soon: they are read with later ones. */
const isGathered = (follower: FollowerState, head: number, count: number): boolean =>
  follower.pace.gatherMs() > 0 &&
  typeof follower.bell?.newest() === 'number' &&
  head > at(follower) + count &&
  head <= at(follower) + count + SPARE

/** How many blocks to ask for at the head: all that were told, else those that time tells. A node may tell anything. */
function expected(follower: FollowerState): number {
  const told = follower.bell?.newest()
  if (typeof told === 'number') return Math.min(MOST_EXPECTED, Math.max(1, told - at(follower)))
  return Math.min(follower.pace.expected(), follower.bell ? 1 : Number.POSITIVE_INFINITY)
}

/**
 * Reads the head; at the head together with the block that is expected. A head far above all known blocks is read
 * twice: finality and the last block to read follow from it.
 */
async function look(follower: FollowerState): Promise<{ head: Link; blocks: PackedBlocks | null }> {
  follower.pace.look()
  const count = isAtHead(follower) ? expected(follower) : 0
  const tip =
    count > 0
      ? await follower.source.readTip(at(follower) + 1, count)
      : { head: await follower.source.readHead(), blocks: null }
  const isFar = tip.head.number - Math.max(at(follower), follower.seen) > WINDOW_STEP + 2 * count
  const head = isFar ? lower(tip.head, await follower.source.readHead()) : tip.head
  follower.seen = isGathered(follower, head.number, count) ? at(follower) + count : head.number
  return { ...tip, head }
}

/**
 * Whether the head is below the cursor, but not for long enough to rule out a lagging backend. A head below the final
 * blocks shows no fork, so it is always waited for.
 */
function isLower(follower: FollowerState, head: Link): boolean {
  if (head.number >= at(follower)) {
    follower.lowerSinceMs = null
    return false
  }
  const [anchor] = follower.window
  if (!anchor) return true
  follower.lowerSinceMs ??= follower.clock.monotonicMs()
  const lowerMs = follower.clock.monotonicMs() - follower.lowerSinceMs
  const isFinal = head.number < anchor.number
  if (lowerMs >= LOWER_TOLD_AFTER_MS)
    follower.onLower?.(sayLower(head.number, at(follower), isFinal ? anchor.number : null))
  return isFinal || lowerMs < follower.shorterAfterMs
}

async function* backfill(follower: FollowerState, head: Link, to: number): AsyncGenerator<Step> {
  const onAhead = (blocks: ChainBlock[]) => follower.onAhead?.(leaveOutEmpty(blocks))
  for await (const blocks of readAhead(follower.source, at(follower) + 1, to, onAhead)) {
    if (!continues(follower, blocks)) return yield* rollBack(follower, head)
    if (follower.window.length > 1) yield { kind: 'finalise', number: at(follower), head: head.number }
    // The last block of all can be undone, if it is contradicted before another one follows.
    const isLast = blocks.at(-1)?.number === to && blocks.length > 1
    follower.window = toLinks(blocks.slice(isLast ? -2 : -1))
    const final = isLast ? to - 1 : (follower.finalized ?? to)
    yield { kind: 'append', blocks: leaveOutEmpty(blocks, isLast ? 2 : 1), head: head.number, finalized: final }
    if (follower.signal?.aborted) return
  }
}

async function* appendWindow(
  follower: FollowerState,
  head: Link,
  to: number,
  tip: PackedBlocks | null,
): AsyncGenerator<Step> {
  const blocks = unpackBlocks(tip ?? (await follower.source.readWindow(at(follower) + 1, to)))
  follower.finalized = await follower.source.readFinalized(head.number)
  if (!continues(follower, blocks)) return yield* rollBack(follower, head)
  // A chain of fast blocks has thousands of links, so they are not copied for each block.
  follower.window.push(...toLinks(blocks))
  follower.pace.found(blocks)
  yield { kind: 'append', blocks, head: head.number, finalized: follower.finalized }
  const pruned = prune(follower.window, follower.finalized)
  if (follower.window.length - pruned.length < FINALISE_EVERY) return
  follower.window = [...pruned]
  yield { kind: 'finalise', number: Math.min(follower.finalized, at(follower)), head: head.number }
}

/** Rolls back to the newest link that is still on the chain. */
async function* rollBack(follower: FollowerState, head: Link): AsyncGenerator<Step> {
  follower.lowerSinceMs = null
  const to = await findAncestor(follower, head)
  if (to.number === at(follower)) return follower.pace.missed()
  follower.window = [...truncate(follower.window, to.number)]
  yield { kind: 'rollback', to }
}

async function findAncestor(follower: FollowerState, head: Link): Promise<BlockRef> {
  for (let look = 1; ; look++) {
    const known = truncate(follower.window, head.number)
    for (let end = known.length; end > 0; end -= WALK_STEP) {
      const part = known.slice(Math.max(0, end - WALK_STEP), end)
      const fork = findFork(part, await follower.source.readLinks(part.map(({ number }) => number)))
      if (fork) return { number: fork.number, hash: fork.hash }
    }
    if (look >= CONFIRMATIONS) throw new BelowFinalityError(follower.window[0], follower.startBlock)
    await follower.clock.sleep(1000 * look, follower.signal)
  }
}

function openFollower(options: FollowOptions): FollowerState {
  const { clock, until, headReads = { kind: 'latency' } } = options
  return {
    ...options,
    shorterAfterMs: options.shorterAfterMs ?? 30_000,
    window: [...openWindow(options.window)],
    target: typeof until === 'number' ? until : Number.POSITIVE_INFINITY,
    finalized: null,
    lowerSinceMs: null,
    isDone: false,
    pace: headReads.kind === 'interval' ? createFixedPace(headReads.ms) : createHeadPace(clock, LOOKS[headReads.kind]),
    seen: -1,
  }
}

/** Steps until `until` or the signal. It waits after every fault of the provider, unless `onTrouble` throws. */
export async function* follow(options: FollowOptions): AsyncGenerator<Step, void, undefined> {
  const follower = openFollower(options)
  const { clock, signal, onTrouble } = options
  for (let failures = 0; !signal?.aborted && !follower.isDone; ) {
    try {
      for await (const step of advance(follower)) {
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

const lower = (one: Link, other: Link): Link => (other.number < one.number ? other : one)

const sayLower = (head: number, at: number, final: number | null): string =>
  `the head is block ${head}, and the index is at block ${at}` +
  (final === null
    ? ''
    : `. Block ${final} can no longer be undone. If the chain began anew, run "assay reindex --from ${head}"`)
