// The tokens of a ledger as columns in memory, at exactly one block: any filter, order and page without a statement. A
// block is applied as a whole. Its replaced rows are kept for a while, so that the board can return to an earlier
// block. Pure.

import { float64At, int32At } from '../base/item-at.ts'
import { toFlagBits } from '../base/vocabulary.ts'
import { isOpen, SORT_ORDERS, type TokenOrder, type TokenScreen } from '../fields/screen.ts'
import type { TokenMeasure } from '../fields/token.ts'
import type { BoardBlock, BoardRows } from '../ledger/read/board.ts'
import type { TokenRow } from '../ledger/read/token.ts'
import { type BoardChange, findChanges, type IsPassed } from './changes.ts'
import { addressAt, compareAddresses } from './columns.ts'
import { type BoardHistory, changedRows, createHistory } from './history.ts'
import { createKeptRows, type KeptRows } from './kept-rows.ts'
import { capOf, comparatorOf, followsUnits, type Moment, measureOf } from './measure-of.ts'
import { createOrders, type Orders } from './orders.ts'
import { type Ranked, type Ranking, rankBy, rerank, rowsFrom } from './ranking.ts'
import { countRows, hasRow, listRows, type RowSet } from './row-set.ts'
import { createRows, type Part, type Rows } from './rows.ts'
import { scanRows } from './scan.ts'
import { searchTokens } from './search.ts'
import { skeletonOf } from './skeleton.ts'
import { createTexts, type Texts } from './texts.ts'
import { movedPlaces, NO_UNIT_USD, rowsOfMoved, usdByPlace } from './units.ts'

/** A page of a list: identifiers of tokens in order, and how many there are on all pages. */
export interface BoardPage {
  ids: number[]
  total: number
}

export interface BoardQuestion {
  screen: TokenScreen
  order: readonly TokenOrder[]
  offset: number
  limit: number
}

/** The values that change with every block: the age of a token, and its price and market cap in USD. */
export interface MovingValues {
  ageHours: number
  priceUsd: number
  marketCapUsd: number
}

/** The numbers that both the board and a token's row have. */
type BoardSays = 'liquidityUsd' | 'marketCapUsd' | 'riskScore' | 'trendingScore' | 'riskFlags'

/** The rows that pass a filter. */
interface Passing {
  rows: RowSet
  total: number
}

/** Filters whose rows are kept, at most. */
const MOST_SETS = 16
/** The most rows that are sorted for a list. */
const FEW_ROWS = 1_000

export type Board = ReturnType<typeof createBoard>

const NO_MOMENT: Moment = { timeMs: 0, unitUsd: NO_UNIT_USD }

interface BoardState {
  rows: Rows
  history: BoardHistory
  /** The moment of the last block that was asked about. */
  asOf: { block: BoardBlock; moment: Moment } | null
  orders: Orders
  texts: Texts
  keptRows: KeptRows
  /** The rows of the last filters, by filter; the one used last is at the end. */
  sets: Map<string, Passing>
  /** Rows that lost their tokens when the board went back. */
  emptied: ReadonlySet<number>
}

function moment(board: BoardState): Moment {
  const block = board.history.block()
  if (!block) return NO_MOMENT
  if (board.asOf?.block !== block || board.asOf.moment.unitUsd.length < board.rows.units.length)
    board.asOf = { block, moment: { timeMs: block.timeMs, unitUsd: usdByPlace(board.rows.units, block.units) } }
  return board.asOf.moment
}

function take(board: BoardState, read: BoardRows): Part {
  const part = board.rows.take(read)
  for (const [at, row] of part.rows.entries()) board.texts.set(row, read.symbol[at] ?? '', read.name[at] ?? '')
  return part
}

/** `before`: the state of the columns before these changes. */
function note(board: BoardState, parts: readonly Part[], before: Moment): void {
  board.sets.clear()
  const { id } = board.rows.columns()
  for (const part of parts) {
    const changed = [...part.replaced.id, ...part.rows.map((row) => int32At(id, row))]
    board.keptRows.letGo(changed)
  }
  board.orders.note(parts, movedPlaces(before.unitUsd, moment(board).unitUsd))
}

const startingWith = (board: BoardState, prefix: string) =>
  rowsFrom(board.rows.columns(), board.orders.bringUp([]), prefix)

function movingAt(board: BoardState, row: number): MovingValues {
  const columns = board.rows.columns()
  return {
    ageHours: measureOf(columns, 'ageHours', moment(board))(row),
    priceUsd: measureOf(columns, 'priceUsd', moment(board))(row),
    marketCapUsd: capOf(columns, row, moment(board).unitUsd),
  }
}

function rankedBy(board: BoardState, measure: TokenMeasure): Ranked | null {
  const order = Object.values(SORT_ORDERS).find(([first]) => first?.measure === measure)
  const ranking = order && board.orders.atHand(order)
  return ranking ? { ...ranking, descending: order[0]?.descending === true } : null
}

/** `isNow`: the columns are those of the newest block, and so are the orders. */
function scan(board: BoardState, screen: TokenScreen, isNow: boolean): Passing {
  const passing = scanRows(
    {
      columns: board.rows.columns(),
      end: board.rows.end(),
      moment: moment(board),
      present: board.rows.present(),
      launchpads: board.rows.launchpads,
      find: board.texts.find,
      startingWith: (prefix: string) => startingWith(board, prefix),
      rankedBy: isNow ? (measure) => rankedBy(board, measure) : () => null,
    },
    screen,
  )
  return { rows: passing, total: countRows(passing) }
}

function keptScan(board: BoardState, screen: TokenScreen): Passing {
  const key = JSON.stringify(screen)
  const known = board.sets.get(key) ?? scan(board, screen, true)
  board.sets.delete(key)
  board.sets.set(key, known)
  for (const oldest of board.sets.keys()) if (board.sets.size > MOST_SETS) board.sets.delete(oldest)
  return known
}

function readPage(
  board: BoardState,
  ranking: Ranking,
  passing: Passing | null,
  { order, offset, limit }: BoardQuestion,
): BoardPage {
  const columns = board.rows.columns()
  const total = passing?.total ?? board.rows.size()
  const ids: number[] = []
  if (offset >= total) return { ids, total }
  if (!passing) {
    for (const row of ranking.rows.subarray(offset, Math.min(offset + limit, ranking.length)))
      ids.push(int32At(columns.id, row))
    return { ids, total }
  }
  // A few rows are sorted faster than they are found in an order of all.
  if (total <= FEW_ROWS) {
    const compare = comparatorOf(columns, order, moment(board))
    const sorted = listRows(passing.rows, total).sort(compare)
    return { ids: [...sorted.subarray(offset, offset + limit)].map((row) => int32At(columns.id, row)), total }
  }
  let before = 0
  for (let at = 0; at < ranking.length && ids.length < limit; at += 1) {
    const row = int32At(ranking.rows, at)
    if (hasRow(passing.rows, row) && ++before > offset) ids.push(int32At(columns.id, row))
  }
  return { ids, total }
}

const list = (board: BoardState, question: BoardQuestion): BoardPage =>
  readPage(
    board,
    board.orders.bringUp(question.order),
    isOpen(question.screen) ? null : keptScan(board, question.screen),
    question,
  )

function apply(board: BoardState, slices: readonly BoardRows[], to: BoardBlock): Part[] {
  const parts = slices.map((read) => take(board, read))
  const before = moment(board)
  board.history.push(parts, to)
  note(board, parts, before)
  board.rows.setFree(board.emptied)
  board.emptied = new Set()
  return parts
}

function rewind(board: BoardState, to: BoardBlock): Part[] {
  const before = moment(board)
  const parts = board.history.rewind(to)
  note(board, parts, before)
  board.keptRows.clear()
  // A token may have been created and changed in several of these blocks, but its row is freed once.
  board.emptied = changedRows(parts)
  return parts
}

function listAt(board: BoardState, to: BoardBlock, question: BoardQuestion): BoardPage {
  const newest = board.history.block()
  if (to === newest) return list(board, question)
  // Sorts both orders before the board returns to an older block, whose columns differ.
  const byAddress = board.orders.bringUp([])
  const now = board.orders.bringUp(question.order)
  const { unitUsd } = moment(board)
  return board.history.visit(to, (changed) => {
    const columns = board.rows.columns()
    // The units moved other rows too. A few are put in their places; otherwise all are ranked anew.
    const moved = followsUnits(question.order) ? movedPlaces(moment(board).unitUsd, unitUsd) : null
    const follow = moved ? rowsOfMoved(columns, board.rows.end(), moved, board.rows.end() >>> 3) : []
    const ranking =
      follow === null
        ? rankBy(columns, rerank(columns, byAddress, [], changed, moment(board)), question.order, moment(board))
        : rerank(columns, now, question.order, new Set([...changed, ...follow]), moment(board))
    return readPage(board, ranking, isOpen(question.screen) ? null : scan(board, question.screen, false), question)
  })
}

function search(board: BoardState, text: string, most: number): number[] {
  return searchTokens(
    {
      columns: board.rows.columns(),
      texts: board.texts,
      startingWith: (prefix: string) => startingWith(board, prefix),
      byLiquidity: () => {
        const { rows: ranked, length } = board.orders.bringUp(SORT_ORDERS.liquidity)
        return ranked.subarray(0, length)
      },
    },
    text,
    most,
  )
}

function lookalikes(board: BoardState, tokens: readonly { symbol: string; liquidityUsd: number }[]): (number | null)[] {
  const best = new Map<string, number>()
  const { id, liquidityUsd: liquidity, address } = board.rows.columns()
  const skeletons = tokens.map(({ symbol }) => skeletonOf(symbol))
  board.texts.lookalikes(new Set(skeletons.filter((skeleton) => skeleton !== '')), (row, skeleton) => {
    const known = best.get(skeleton)
    if (id[row] === 0) return
    const more = known === undefined ? 1 : float64At(liquidity, row) - float64At(liquidity, known)
    if (more > 0 || (more === 0 && compareAddresses(address, row, known as number) < 0)) best.set(skeleton, row)
  })
  return tokens.map(({ liquidityUsd }, at) => {
    const row = best.get(skeletons[at] ?? '')
    return row !== undefined && float64At(liquidity, row) > liquidityUsd ? int32At(id, row) : null
  })
}

function agrees(board: BoardState, id: number, token: Pick<TokenRow, BoardSays> | undefined): boolean {
  const row = board.rows.rowOf(id)
  if (row < 0 || !token) return row < 0 && !token
  const columns = board.rows.columns()
  return (
    columns.liquidityUsd[row] === token.liquidityUsd &&
    capOf(columns, row, moment(board).unitUsd) === token.marketCapUsd &&
    measureOf(columns, 'riskScore', moment(board))(row) === token.riskScore &&
    measureOf(columns, 'trendingScore', moment(board))(row) === token.trendingScore &&
    columns.flagBits[row] === toFlagBits(token.riskFlags)
  )
}

/** The board's bytes. */
const bytesOfBoard = (board: BoardState): number =>
  board.rows.bytes() +
  board.texts.bytes() +
  board.keptRows.bytes() +
  board.history.bytes() +
  board.orders.bytes() +
  [...board.sets.values()].reduce((sum, passing) => sum + passing.rows.byteLength, 0)

/** A board without a block. */
export function createBoard() {
  const rows = createRows()
  const board: BoardState = {
    rows,
    history: createHistory(rows.swap),
    asOf: null,
    orders: createOrders(rows, () => moment(board)),
    texts: createTexts(),
    keptRows: createKeptRows(),
    sets: new Map<string, Passing>(),
    emptied: new Set(),
  }
  return {
    /** Its block; null while it is empty. */
    block: board.history.block,
    /** Indexed tokens. */
    size: board.rows.size,
    past: board.history.past,
    /** Adds tokens without keeping the replaced rows: while the board is being filled. */
    fill(read: BoardRows): void {
      take(board, read)
    },
    /** The added rows are of this block. */
    open: board.history.open,
    isReady: board.orders.isReady,
    makeReady: board.orders.makeReady,
    /** Makes an order before a list needs it. */
    prepare(order: readonly TokenOrder[]): void {
      board.orders.bringUp(order)
    },
    /** Changed tokens, in slices, move the board to a block; none if only the block changed. Returns the exchanged rows. */
    apply: (slices: readonly BoardRows[], to: BoardBlock): Part[] => apply(board, slices, to),
    /** Returns to an earlier block: those after it are no longer on the chain. The next `apply` frees rows without tokens. */
    rewind: (to: BoardBlock): Part[] => rewind(board, to),
    moment: () => moment(board),
    /** The changes by these exchanged rows since a moment, for followers of filters. */
    changes: (parts: readonly Part[], before: Moment, isPassed: IsPassed): BoardChange[] =>
      findChanges({ rows: board.rows, texts: board.texts, parts, before, now: moment(board), isPassed }),
    list: (question: BoardQuestion): BoardPage => list(board, question),
    /** The list at an earlier block. */
    listAt: (to: BoardBlock, question: BoardQuestion): BoardPage => listAt(board, to, question),
    /** Tokens that a searched text may mean. The best match comes first, then the most liquid, then the least risky. */
    search: (text: string, most: number): number[] => search(board, text, most),
    /** For each of the tokens the most liquid one with a lookalike symbol, if that has more liquidity. */
    lookalikes: (tokens: readonly { symbol: string; liquidityUsd: number }[]): (number | null)[] =>
      lookalikes(board, tokens),
    /**
     * Rows of tokens for lists. Their age, price and market cap may be of an older block: `moving` has the current
     * ones.
     */
    rows: board.keptRows,
    addressOf: (id: number): string => addressAt(board.rows.columns(), board.rows.rowOf(id)),
    moving: (id: number): MovingValues => movingAt(board, board.rows.rowOf(id)),
    /** Whether the board has these numbers for a token; undefined: there is no such token. */
    agrees: (id: number, token: Pick<TokenRow, BoardSays> | undefined): boolean => agrees(board, id, token),
    bytes: () => bytesOfBoard(board),
  }
}
