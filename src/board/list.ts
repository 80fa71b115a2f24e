// A page of the list of tokens: which ones and in what order from the board, their rows by identifier in one statement.
// PostgreSQL answers alone where the board is not at the answer's block.
import { setImmediate } from 'node:timers/promises'
import { invalid } from '../base/errors.ts'
import type { TrailingWindow } from '../base/interval.ts'
import { SORT_ORDERS, type TokenOrder, type TokenScreen } from '../base/screen.ts'
import type { Head } from '../ledger/head.ts'
import type { Reading } from '../ledger/read/consistent-read.ts'
import { listTokens, readTokensById, type TokenRow } from '../ledger/read/token.ts'
import { readMovers } from '../ledger/read/token-window.ts'
import type { Board } from './board.ts'
import { type BoardFeed, stillLoading } from './feed.ts'

/** A page of the list of tokens. `asOf`: the block whose list it is; null is the answer's. */
export interface TokenListQuestion {
  screen: TokenScreen
  order: readonly TokenOrder[]
  offset: number
  limit: number
  asOf: number | null
}

/** Reads the page. Throws INVALID_PARAMS for a block that is not kept. */
export async function readTokenPage(
  feed: BoardFeed | null,
  reading: Reading,
  { asOf, ...question }: TokenListQuestion,
): Promise<{ items: TokenRow[]; total: number }> {
  const board = await findBoard(feed, reading.head, question.order)
  const isOld = asOf !== null && asOf !== reading.head.number
  if (!board) {
    if (isOld) throw notKept(asOf)
    return listTokens(reading, question.screen, question.order, question)
  }
  const { screen, order } = question
  const then = isOld ? board.past().find(({ number }) => number === asOf) : undefined
  if (isOld && !then) throw notKept(asOf)
  const { ids, total } = then ? board.listAt(then, question) : board.list(question)
  if (ids.length === 0) return { total, items: [] }
  const { rows, isBehind } = await readRows(board, reading, ids)
  const items = ids.flatMap((id) => rows.get(id) ?? [])
  return isBehind && !then ? listTokens(reading, screen, order, question) : { total, items }
}

/** Tokens that are ordered by the change of their price at most. */
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
 * Reads the page: of the tokens that pass the screen and were traded in the past 24 hours, those with the most volume. No column can keep such an
 * order, since it changes with time alone. Throws SERVICE_UNAVAILABLE where the board is not at the answer's block.
 */
export async function readMoverPage(
  feed: BoardFeed | null,
  reading: Reading,
  { screen, order, offset, limit }: MoverListQuestion,
): Promise<{ items: TokenRow[]; total: number }> {
  const { volume } = SORT_ORDERS
  const board = await findBoard(feed, reading.head, volume)
  if (!board) throw stillLoading()
  const traded = board.list({ screen: { and: [screen, TRADED] }, order: volume, offset: 0, limit: MOST_MOVERS })
  const movers = traded.ids.length === 0 ? [] : await readMovers(reading, traded.ids, order)
  const ids = movers.slice(offset, offset + limit)
  const { rows } = ids.length === 0 ? { rows: new Map() } : await readRows(board, reading, ids)
  return { total: movers.length, items: ids.flatMap((id) => rows.get(id) ?? []) }
}

/**
 * The rows of these tokens at the board's block: those that are kept, and the others read in one statement. `isBehind`: the database
 * says something else than the board, which hears of scores a moment after they have come.
 */
async function readRows(
  board: Board,
  reading: Reading,
  ids: readonly number[],
): Promise<{ rows: ReadonlyMap<number, TokenRow>; isBehind: boolean }> {
  const { rows: kept } = board
  const revision = kept.revision()
  const rows = new Map<number, TokenRow>()
  for (const id of ids) {
    const known = kept.get(id)
    // A copy: resolvers add columns to the rows of their answer.
    if (known) rows.set(id, { ...known, ...board.moving(id) })
  }
  const missing = ids.filter((id) => !rows.has(id))
  if (missing.length === 0) return { rows, isBehind: false }
  const read = await readTokensById(reading, missing)
  const isBehind = read.length < missing.length || !read.every(board.agrees)
  for (const row of read) {
    if (!isBehind) kept.set(row.id, { ...row }, revision)
    rows.set(row.id, row)
  }
  return { rows, isBehind }
}

/** The board at this block with the order at hand, which a first list in it may have to wait for. */
async function findBoard(
  feed: BoardFeed | null,
  head: Pick<Head, 'number' | 'hash'>,
  order: readonly TokenOrder[],
): Promise<Board | null> {
  const board = await feed?.at(head)
  if (!board || board.isReady(order)) return board ?? null
  await board.makeReady(order, setImmediate)
  return (await feed?.at(head)) ?? null
}

function notKept(block: number) {
  const message = `asOf.block ${block} is not kept: name a block of the last minutes that an answer named, or start again`
  return invalid([{ location: 'argument', field: 'asOf.block', message }])
}
