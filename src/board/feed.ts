// Keeps a board at the newest block. It loads the board once in a stream, applies the changes of each block, and rolls
// back with the chain. An answer waits a while for a board that is behind.
import { setImmediate, setTimeout } from 'node:timers/promises'
import type { Clock } from '../base/clock.ts'
import { AssayError } from '../base/errors.ts'
import type { Database, pg } from '../database/client.ts'
import { inTransaction } from '../database/transaction.ts'
import { SORT_ORDERS } from '../fields/screen.ts'
import { type Head, type HeadWatch, NO_HEAD } from '../ledger/head.ts'
import {
  type BoardBlock,
  type BoardRows,
  readBoardBlock,
  readBoardRange,
  readBoardTokens,
  readChangedIds,
  readHashes,
} from '../ledger/read/board.ts'
import type { Log } from '../telemetry/log.ts'
import { type Board, createBoard } from './board.ts'
import type { BoardChange, IsPassed } from './changes.ts'

/** Tokens in one read: the event loop blocks for some milliseconds. */
const SLICE = 5_000
/**
 * The most changed tokens that are applied; with more, the board is loaded anew. All changes are applied at once, so
 * that nobody sees the board between two blocks. A million of them would block the event loop for longer than the
 * watchdog allows.
 */
const MOST_APPLIED = 20_000
/**
 * How long an answer waits for a board that is on its way to the answer's block: shorter than a request's deadline. On a
 * busy machine one round of a backfill takes seconds.
 */
const WAIT_MS = 10_000
/** Pause after a failure. */
const AGAIN_MS = 1_000

/** A follower of filters. */
export interface BoardFollower {
  isPassed: IsPassed
  onChanges(changes: readonly BoardChange[]): void
  /** The board is loaded anew, so changes are unknown. */
  onReload(): void
}

export interface BoardFeed {
  /**
   * The board at this block, with all announced scores of the block; null if the chain has moved on. A cached answer
   * from the board is thus never older than its notice. Throws SERVICE_UNAVAILABLE if the board takes too long.
   */
  at(head: Pick<Head, 'number' | 'hash'>): Promise<Board | null>
  /** Reads these tokens again: the ledger has scores a moment before their notice. */
  reread(ids: readonly number[]): Promise<void>
  /**
   * The board at its current block, for rankings that are then read at the answer's block. Throws SERVICE_UNAVAILABLE
   * while it loads.
   */
  newest(): Board
  isLoaded(): boolean
  /** Tells the follower of each change from now on, until the returned function is called. */
  follow(follower: BoardFollower): () => void
  /** Calls the listener after each move of the board, until the returned function is called. */
  onMove(listener: () => void): () => void
  /** Resolves when the board is at the newest block of the database. */
  settle(): Promise<void>
  stop(): Promise<void>
}

/** The error of queries that only the board can answer. */
export const notThere = (): AssayError =>
  new AssayError(
    'SERVICE_UNAVAILABLE',
    'The tokens in memory are not at the newest block yet: ask again in a few seconds.',
    {
      retryAfterSeconds: 5,
    },
  )

interface FeedOptions {
  database: Pick<Database, 'pool'>
  head: HeadWatch
  clock: Clock
  log: Pick<Log, 'debug' | 'warn'>
  mostApplied?: number
  waitMs?: number
}

interface FeedState extends Required<Omit<FeedOptions, 'head'>> {
  /** Aborts when the feed stops. */
  signal: AbortSignal
  board: Board
  isLoaded: boolean
  followers: Set<BoardFollower>
  listeners: Set<() => void>
  /** The announced changes that are not applied yet; one round applies all. */
  round: Promise<void>
  /** Whether the next round is queued. */
  waiting: boolean
  /** The number of notices, and of applied ones: scores come within a block, so the block alone is not enough. */
  notices: { heard: number; taken: number }
  /** Tokens that the next round reads, with or without a notice. */
  doubted: Set<number>
}

async function load(feed: FeedState, client: pg.ClientBase, block: BoardBlock): Promise<void> {
  const started = feed.clock.monotonicMs()
  if (feed.isLoaded) for (const { onReload } of feed.followers) onReload()
  feed.isLoaded = false
  feed.board = createBoard()
  const filling = createBoard()
  for (let above = 0; above < block.lastTokenId && !feed.signal.aborted; above += SLICE) {
    filling.fill(await readBoardRange(client, [above, above + SLICE]))
    await setImmediate()
  }
  for (const order of [[], ...Object.values(SORT_ORDERS)]) {
    // A million tokens at once would block the event loop for half a second, and longer on a busy machine.
    await filling.makeReady(order, setImmediate)
    filling.prepare(order)
  }
  if (feed.signal.aborted) return
  filling.open(block)
  feed.board = filling
  feed.log.debug({ tokens: feed.board.size(), ms: Math.round(feed.clock.monotonicMs() - started) }, 'board loaded')
}

/** One round, in a snapshot of the newest block. `isTold`: there were notices, so any token may have changed. */
async function advance(
  feed: FeedState,
  client: pg.ClientBase,
  isTold: boolean,
  doubtful: ReadonlySet<number>,
): Promise<void> {
  const block = await readBoardBlock(client)
  if (!block) {
    feed.board = createBoard()
    return
  }
  const base = await findBase(client, feed.board)
  if (!base) return load(feed, client, block)
  const isSame = base === feed.board.block() && base.number === block.number
  const changed = isTold || !isSame ? await readChangedIds(client, base.number) : []
  const ids = [...new Set([...changed, ...doubtful])]
  if (isSame && !isTold && ids.length === 0) return
  if (ids.length > feed.mostApplied) return load(feed, client, block)
  const slices: BoardRows[] = []
  for (let from = 0; from < ids.length; from += SLICE)
    slices.push(await readBoardTokens(client, [ids.slice(from, from + SLICE)]))
  // Nothing below awaits, so that nobody sees the board between two blocks.
  const before = feed.board.moment()
  const undone = base === feed.board.block() ? [] : feed.board.rewind(base)
  const parts = [...undone, ...feed.board.apply(slices, block)]
  for (const { isPassed, onChanges } of feed.followers) {
    const changes = feed.board.changes(parts, before, isPassed)
    if (changes.length > 0) onChanges(changes)
  }
  if (feed.board.size() === block.tokenCount) return
  feed.log.warn(
    { counted: feed.board.size(), tokens: block.tokenCount },
    'the board lost count of the tokens: loading it anew',
  )
  await load(feed, client, block)
}

async function run(feed: FeedState): Promise<void> {
  feed.waiting = false
  if (feed.signal.aborted) return
  const { heard, taken } = feed.notices
  const doubtful = feed.doubted
  feed.doubted = new Set()
  try {
    await inTransaction(
      feed.database.pool,
      (client) => advance(feed, client, heard !== taken, doubtful),
      'ISOLATION LEVEL REPEATABLE READ READ ONLY',
    )
    feed.notices.taken = heard
    feed.isLoaded = !feed.signal.aborted
    for (const listener of feed.listeners) listener()
  } catch (error) {
    if (feed.signal.aborted) return
    feed.log.debug({ err: error }, 'the board could not be brought up')
    for (const id of doubtful) feed.doubted.add(id)
    queue(feed)
    // The next round begins when this one is over.
    await feed.clock.sleep(AGAIN_MS, feed.signal).catch(() => {})
  }
}

function queue(feed: FeedState): void {
  if (feed.waiting || feed.signal.aborted) return
  feed.waiting = true
  feed.round = feed.round.then(() => run(feed))
}

function hear(feed: FeedState): void {
  feed.notices.heard += 1
  queue(feed)
}

const isAt = (feed: FeedState, { hash }: Pick<Head, 'hash'>) =>
  feed.isLoaded && feed.notices.taken === feed.notices.heard && (feed.board.block()?.hash ?? NO_HEAD.hash) === hash

/** Waits for the rounds that are queued. */
async function wait(feed: FeedState, deadlineMs: number): Promise<void> {
  const isLate = await Promise.race([
    feed.round.then(() => false),
    setTimeout(deadlineMs - feed.clock.monotonicMs(), true, { ref: false }),
  ])
  if (isLate || feed.signal.aborted) throw notThere()
}

async function at(feed: FeedState, asked: Pick<Head, 'number' | 'hash'>): Promise<Board | null> {
  if (isAt(feed, asked)) return feed.board
  const deadlineMs = feed.clock.monotonicMs() + feed.waitMs
  await wait(feed, deadlineMs)
  if (isAt(feed, asked)) return feed.board
  // A request may name a block that this process does not know yet.
  queue(feed)
  await wait(feed, deadlineMs)
  return isAt(feed, asked) ? feed.board : null
}

async function settle(feed: FeedState): Promise<void> {
  queue(feed)
  for (let last: unknown; last !== feed.round; ) {
    last = feed.round
    await feed.round
  }
}

/** A feed that loads at once. */
export function createBoardFeed({
  database,
  head,
  clock,
  log,
  mostApplied = MOST_APPLIED,
  waitMs = WAIT_MS,
}: FeedOptions): BoardFeed {
  const stopping = new AbortController()
  const feed: FeedState = {
    database,
    clock,
    log,
    mostApplied,
    waitMs,
    signal: stopping.signal,
    board: createBoard(),
    isLoaded: false,
    followers: new Set<BoardFollower>(),
    listeners: new Set<() => void>(),
    round: Promise.resolve(),
    waiting: false,
    notices: { heard: 0, taken: 0 },
    doubted: new Set<number>(),
  }
  const forget = head.onChange(() => hear(feed))
  hear(feed)
  return {
    at: (asked) => at(feed, asked),
    reread: async (ids) => {
      for (const id of ids) feed.doubted.add(id)
      queue(feed)
      await wait(feed, feed.clock.monotonicMs() + feed.waitMs)
    },
    newest: () => {
      if (!feed.isLoaded) throw notThere()
      return feed.board
    },
    isLoaded: () => feed.isLoaded,
    onMove: (listener) => {
      feed.listeners.add(listener)
      return () => feed.listeners.delete(listener)
    },
    follow: (follower) => {
      feed.followers.add(follower)
      return () => feed.followers.delete(follower)
    },
    settle: () => settle(feed),
    stop: async () => {
      stopping.abort()
      forget()
      await feed.round
    },
  }
}

/** The board's newest block that is still on the chain; null if there is none. */
async function findBase(client: pg.ClientBase, board: Board): Promise<BoardBlock | null> {
  const current = board.block()
  if (!current) return null
  const points = [current, ...board.past()]
  const hashes = await readHashes(
    client,
    points.map(({ number }) => number),
  )
  return (
    points.find(({ number, hash, isFinal }) => hashes.get(number) === hash || (isFinal && !hashes.has(number))) ?? null
  )
}
