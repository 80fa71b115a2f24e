// A page of the list of tokens: its members and order come from the board, its rows from one statement by identifier.
// If the rows have scores that the board does not know yet, the page is taken again. An order and a filter thus agree
// with the numbers that the page shows.
import { setImmediate } from 'node:timers/promises'
import { invalid } from '../base/errors.ts'
import type { TrailingWindow } from '../base/interval.ts'
import { SORT_ORDERS, type TokenOrder, type TokenScreen } from '../fields/screen.ts'
import type { Head } from '../ledger/head.ts'
import type { Reading } from '../ledger/read/consistent-read.ts'
import { readTokensById, type TokenRow } from '../ledger/read/token.ts'
import { readMovers } from '../ledger/read/token-window.ts'
import type { Board, BoardPage } from './board.ts'
import { type BoardFeed, notThere } from './feed.ts'

export interface TokenPage {
  items: TokenRow[]
  total: number
}

/** The most attempts at a page before an answer fails: each time scores of other tokens came in between. */
const MOST_LOOKS = 8

/** A page of the list of tokens. `asOf`: the block of the list; null is the answer's. */
export interface TokenListQuestion {
  screen: TokenScreen
  order: readonly TokenOrder[]
  offset: number
  limit: number
  asOf: number | null
}

/** Reads the page. Throws INVALID_PARAMS for a block that is not kept. */
export const readTokenPage = (
  feed: BoardFeed,
  reading: Reading,
  { asOf, ...question }: TokenListQuestion,
): Promise<TokenPage> =>
  readPage(feed, reading, question.order, (board) => {
    if (asOf === null || asOf === reading.head.number) return board.list(question)
    const then = board.past().find(({ number }) => number === asOf)
    if (!then) throw notKept(asOf)
    return board.listAt(then, question)
  })

/** The most tokens that are ordered by the change of their price. */
export const MOST_MOVERS = 5_000
/** Every token that was traded within the window of the volume. */
const TRADED = { minVolume24hUsd: 1e-6 }

/** A page of the list of tokens by how their price changed over a window. */
export interface MoverListQuestion {
  screen: TokenScreen
  order: { window: TrailingWindow; descending: boolean }
  offset: number
  limit: number
}

/**
 * Reads the page: the matching tokens traded in the past 24 hours, those with the most volume. No column can keep such
 * an order, because it changes with time alone.
 */
export function readMoverPage(
  feed: BoardFeed,
  reading: Reading,
  { screen, order, offset, limit }: MoverListQuestion,
): Promise<TokenPage> {
  const { volume } = SORT_ORDERS
  return readPage(feed, reading, volume, async (board) => {
    const traded = board.list({ screen: { and: [screen, TRADED] }, order: volume, offset: 0, limit: MOST_MOVERS })
    const movers = traded.ids.length === 0 ? [] : await readMovers(reading, traded.ids, order)
    return { ids: movers.slice(offset, offset + limit), total: movers.length }
  })
}

/** The page that `pick` takes from the board at the answer's block. */
async function readPage(
  feed: BoardFeed,
  reading: Reading,
  order: readonly TokenOrder[],
  pick: (board: Board) => BoardPage | Promise<BoardPage>,
): Promise<TokenPage> {
  for (let look = 0; look < MOST_LOOKS; look += 1) {
    const board = await findBoard(feed, reading.head, order)
    if (!board) break
    const { ids, total } = await pick(board)
    const { rows, doubted } = await readRows(board, reading, ids)
    if (doubted.length === 0) return { total, items: ids.flatMap((id) => rows.get(id) ?? []) }
    await feed.reread(doubted)
  }
  reading.outdate()
  throw notThere()
}

/**
 * The rows of these tokens: cached ones, and the others from one statement. `doubted`: the database has other numbers
 * than the board.
 */
async function readRows(
  board: Board,
  reading: Reading,
  ids: readonly number[],
): Promise<{ rows: ReadonlyMap<number, TokenRow>; doubted: readonly number[] }> {
  const { rows: kept } = board
  const revision = kept.revision()
  const rows = new Map<number, TokenRow>()
  for (const id of ids) {
    const known = kept.get(id)
    // A copy, because resolvers add columns to the rows of their answer.
    if (known) rows.set(id, { ...known, ...board.moving(id) })
  }
  const missing = ids.filter((id) => !rows.has(id))
  if (missing.length === 0) return { rows, doubted: [] }
  for (const row of await readTokensById(reading, missing)) rows.set(row.id, row)
  const doubted = missing.filter((id) => !board.agrees(id, rows.get(id)))
  if (doubted.length === 0) {
    for (const id of missing) {
      const row = rows.get(id)
      if (row) kept.set(id, { ...row }, revision)
    }
  }
  return { rows, doubted }
}

/** The board at this block with the order ready; the first list in an order may have to wait for it. */
async function findBoard(
  feed: BoardFeed,
  head: Pick<Head, 'number' | 'hash'>,
  order: readonly TokenOrder[],
): Promise<Board | null> {
  const board = await feed.at(head)
  if (!board || board.isReady(order)) return board
  await board.makeReady(order, setImmediate)
  return feed.at(head)
}

function notKept(block: number) {
  const message = `asOf.block ${block} is not kept: name a block of the last minutes that an answer named, or start again`
  return invalid([{ location: 'argument', field: 'asOf.block', message }])
}
