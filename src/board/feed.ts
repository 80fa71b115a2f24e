// Keeps a board at the newest block: loads it once in a stream, then takes on what each block changed, and goes back with the
// chain. While it is loading, and when it is not at the block that is asked for, there is no board, and PostgreSQL answers.
import { setImmediate, setTimeout } from 'node:timers/promises'
import type { Clock } from '../base/clock.ts'
import { AssayError } from '../base/errors.ts'
import { SORT_ORDERS } from '../base/screen.ts'
import type { Database, pg } from '../database/client.ts'
import { inTransaction } from '../database/transaction.ts'
import type { Head, HeadWatch } from '../ledger/head.ts'
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

/** Tokens that are read at once: the event loop stands still for some milliseconds. */
const SLICE = 5_000
/**
 * Changed tokens that are applied, at most: more are loaded anew. A change of all is applied in one go, so that nobody sees the board between two
 * blocks, and a million would hold the event loop for longer than the watchdog allows.
 */
const MOST_APPLIED = 20_000
/** How long an answer waits for a board that is on its way to the answer's block. */
const WAIT_MS = 250
/** Pause after a failure. */
const AGAIN_MS = 1_000

export interface BoardFeed {
  /**
   * The board, at this block and with all scores of it that were heard of; null where it is not, which PostgreSQL then has to answer. So what is
   * made of the board, and of rows that it keeps, is never older than the notice from which on it is kept.
   */
  at(head: Pick<Head, 'number' | 'hash'>): Promise<Board | null>
  /** The board at whatever block it is at; null while it is loading. For what is ranked, and then read at the answer's block. */
  newest(): Board | null
  /** Resolves when what was heard of so far is taken on. */
  settle(): Promise<void>
  stop(): Promise<void>
}

/** The error of what the board alone can answer, while it loads. */
export const stillLoading = (): AssayError =>
  new AssayError('SERVICE_UNAVAILABLE', 'The tokens are still being loaded into memory: ask again in a few seconds.', {
    retryAfterSeconds: 5,
  })

/** A feed that loads at once. */
export function createBoardFeed({
  database,
  head,
  clock,
  log,
  mostApplied = MOST_APPLIED,
}: {
  database: Pick<Database, 'pool'>
  head: HeadWatch
  clock: Clock
  log: Pick<Log, 'debug' | 'warn'>
  mostApplied?: number
}): BoardFeed {
  const stopping = new AbortController()
  const { signal } = stopping
  let board = createBoard()
  /** What a process has heard of and not yet taken on; one round takes on everything. */
  let round: Promise<void> = Promise.resolve()
  let waiting = false
  /** Notices that were heard, and how many of them are taken on: scores come within a block, which alone does not tell. */
  const notices = { heard: 0, taken: 0 }

  const load = async (client: pg.ClientBase, block: BoardBlock): Promise<void> => {
    const started = clock.monotonicMs()
    board = createBoard()
    const filling = createBoard()
    for (let above = 0; above < block.lastTokenId && !signal.aborted; above += SLICE) {
      filling.fill(await readBoardRange(client, [above, above + SLICE]))
      await setImmediate()
    }
    for (const order of [[], ...Object.values(SORT_ORDERS)]) {
      // One of a million tokens would hold the event loop for half a second, and for many where the machine is busy.
      await filling.makeReady(order, setImmediate)
      filling.prepare(order)
    }
    if (signal.aborted) return
    filling.open(block)
    board = filling
    log.debug({ tokens: board.size(), ms: Math.round(clock.monotonicMs() - started) }, 'board loaded')
  }

  /** One round, in a snapshot of the newest block. */
  const advance = async (client: pg.ClientBase): Promise<void> => {
    const block = await readBoardBlock(client)
    if (!block) {
      board = createBoard()
      return
    }
    const base = await findBase(client, board)
    if (!base) return load(client, block)
    const ids = await readChangedIds(client, base.number)
    if (ids.length > mostApplied) return load(client, block)
    const slices: BoardRows[] = []
    for (let from = 0; from < ids.length; from += SLICE)
      slices.push(await readBoardTokens(client, [[...ids.subarray(from, from + SLICE)]]))
    // Nothing below waits, so that nobody sees the board between two blocks.
    if (base !== board.block()) board.rewind(base)
    board.apply(slices, block)
    if (board.size() === block.tokenCount) return
    log.warn({ counted: board.size(), tokens: block.tokenCount }, 'the board lost count of the tokens: loading it anew')
    await load(client, block)
  }

  const run = async (): Promise<void> => {
    waiting = false
    if (signal.aborted) return
    const { heard } = notices
    try {
      await inTransaction(database.pool, advance, 'ISOLATION LEVEL REPEATABLE READ READ ONLY')
      notices.taken = heard
    } catch (error) {
      if (signal.aborted) return
      log.debug({ err: error }, 'the board could not be brought up')
      void clock.sleep(AGAIN_MS, signal).then(hear)
    }
  }
  const hear = (): void => {
    notices.heard += 1
    if (waiting || signal.aborted) return
    waiting = true
    round = round.then(run)
  }
  const forget = head.onChange(hear)
  hear()

  const isAt = ({ number, hash }: Pick<Head, 'number' | 'hash'>) => {
    const block = board.block()
    const isUpToDate = notices.taken === notices.heard
    return isUpToDate && block !== null && block.number === number && block.hash === hash
  }
  return {
    at: async (asked) => {
      if (isAt(asked)) return board
      if (board.block() === null) return null
      await Promise.race([round, setTimeout(WAIT_MS, undefined, { ref: false })])
      return isAt(asked) ? board : null
    },
    newest: () => (board.block() === null ? null : board),
    settle: async () => {
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

/** The newest block that the board was at and that is on the chain; null where there is none. */
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
