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

/** A feed that loads at once. */
export function createBoardFeed({
  database,
  head,
  clock,
  log,
  mostApplied = MOST_APPLIED,
  waitMs = WAIT_MS,
}: {
  database: Pick<Database, 'pool'>
  head: HeadWatch
  clock: Clock
  log: Pick<Log, 'debug' | 'warn'>
  mostApplied?: number
  waitMs?: number
}): BoardFeed {
  const stopping = new AbortController()
  const { signal } = stopping
  let board = createBoard()
  let isLoaded = false
  const followers = new Set<BoardFollower>()
  /** The announced changes that are not applied yet; one round applies all. */
  let round: Promise<void> = Promise.resolve()
  let waiting = false
  /** The number of notices, and of applied ones: scores come within a block, so the block alone is not enough. */
  const notices = { heard: 0, taken: 0 }
  /** Tokens that the next round reads, with or without a notice. */
  let doubted = new Set<number>()

  const load = async (client: pg.ClientBase, block: BoardBlock): Promise<void> => {
    const started = clock.monotonicMs()
    if (isLoaded) for (const { onReload } of followers) onReload()
    isLoaded = false
    board = createBoard()
    const filling = createBoard()
    for (let above = 0; above < block.lastTokenId && !signal.aborted; above += SLICE) {
      filling.fill(await readBoardRange(client, [above, above + SLICE]))
      await setImmediate()
    }
    for (const order of [[], ...Object.values(SORT_ORDERS)]) {
      // A million tokens at once would block the event loop for half a second, and longer on a busy machine.
      await filling.makeReady(order, setImmediate)
      filling.prepare(order)
    }
    if (signal.aborted) return
    filling.open(block)
    board = filling
    log.debug({ tokens: board.size(), ms: Math.round(clock.monotonicMs() - started) }, 'board loaded')
  }

  /** One round, in a snapshot of the newest block. `isTold`: there were notices, so any token may have changed. */
  const advance = async (client: pg.ClientBase, isTold: boolean, doubtful: ReadonlySet<number>): Promise<void> => {
    const block = await readBoardBlock(client)
    if (!block) {
      board = createBoard()
      return
    }
    const base = await findBase(client, board)
    if (!base) return load(client, block)
    const isSame = base === board.block() && base.number === block.number
    const changed = isTold || !isSame ? await readChangedIds(client, base.number) : []
    const ids = [...new Set([...changed, ...doubtful])]
    if (isSame && !isTold && ids.length === 0) return
    if (ids.length > mostApplied) return load(client, block)
    const slices: BoardRows[] = []
    for (let from = 0; from < ids.length; from += SLICE)
      slices.push(await readBoardTokens(client, [ids.slice(from, from + SLICE)]))
    // Nothing below awaits, so that nobody sees the board between two blocks.
    const before = board.moment()
    const undone = base === board.block() ? [] : board.rewind(base)
    const parts = [...undone, ...board.apply(slices, block)]
    for (const { isPassed, onChanges } of followers) {
      const changes = board.changes(parts, before, isPassed)
      if (changes.length > 0) onChanges(changes)
    }
    if (board.size() === block.tokenCount) return
    log.warn({ counted: board.size(), tokens: block.tokenCount }, 'the board lost count of the tokens: loading it anew')
    await load(client, block)
  }

  const run = async (): Promise<void> => {
    waiting = false
    if (signal.aborted) return
    const { heard, taken } = notices
    const doubtful = doubted
    doubted = new Set()
    try {
      await inTransaction(
        database.pool,
        (client) => advance(client, heard !== taken, doubtful),
        'ISOLATION LEVEL REPEATABLE READ READ ONLY',
      )
      notices.taken = heard
      isLoaded = !signal.aborted
    } catch (error) {
      if (signal.aborted) return
      log.debug({ err: error }, 'the board could not be brought up')
      for (const id of doubtful) doubted.add(id)
      queue()
      // The next round begins when this one is over.
      await clock.sleep(AGAIN_MS, signal).catch(() => {})
    }
  }
  const queue = (): void => {
    if (waiting || signal.aborted) return
    waiting = true
    round = round.then(run)
  }
  const hear = (): void => {
    notices.heard += 1
    queue()
  }
  const forget = head.onChange(hear)
  hear()

  const isAt = ({ hash }: Pick<Head, 'hash'>) =>
    isLoaded && notices.taken === notices.heard && (board.block()?.hash ?? NO_HEAD.hash) === hash
  /** Waits for the rounds that are queued. */
  const wait = async (deadlineMs: number): Promise<void> => {
    const isLate = await Promise.race([
      round.then(() => false),
      setTimeout(deadlineMs - clock.monotonicMs(), true, { ref: false }),
    ])
    if (isLate || signal.aborted) throw notThere()
  }
  return {
    at: async (asked) => {
      if (isAt(asked)) return board
      const deadlineMs = clock.monotonicMs() + waitMs
      await wait(deadlineMs)
      if (isAt(asked)) return board
      // A request may name a block that this process does not know yet.
      queue()
      await wait(deadlineMs)
      return isAt(asked) ? board : null
    },
    reread: async (ids) => {
      for (const id of ids) doubted.add(id)
      queue()
      await wait(clock.monotonicMs() + waitMs)
    },
    newest: () => {
      if (!isLoaded) throw notThere()
      return board
    },
    isLoaded: () => isLoaded,
    follow: (follower) => {
      followers.add(follower)
      return () => followers.delete(follower)
    },
    settle: async () => {
      queue()
      for (let last: unknown; last !== round; ) {
        last = round
        await round
      }
    },
    stop: async () => {
      stopping.abort()
      forget()
      await round
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
