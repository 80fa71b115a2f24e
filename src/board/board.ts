// The tokens of a ledger as columns in memory, at exactly one block: any filter, order and page without a statement. A
// block is applied as a whole. Its replaced rows are kept for a while, so that the board can return to an earlier
// block. Pure.

import { toFlagBits } from '../base/vocabulary.ts'
import { isOpen, SORT_ORDERS, type TokenOrder, type TokenScreen } from '../fields/screen.ts'
import type { TokenMeasure } from '../fields/token.ts'
import type { BoardBlock, BoardRows } from '../ledger/read/board.ts'
import type { TokenRow } from '../ledger/read/token.ts'
import { type BoardChange, findChanges, type IsPassed } from './changes.ts'
import { compareAddresses } from './columns.ts'
import { changedRows, createHistory } from './history.ts'
import { createKeptRows } from './kept-rows.ts'
import { capOf, comparatorOf, followsUnits, type Moment, measureOf } from './measure-of.ts'
import { createOrders } from './orders.ts'
import { type Ranked, type Ranking, rankBy, rerank, rowsFrom } from './ranking.ts'
import { countRows, hasRow, listRows, type RowSet } from './row-set.ts'
import { createRows, type Part } from './rows.ts'
import { scanRows } from './scan.ts'
import { searchTokens } from './search.ts'
import { skeletonOf } from './skeleton.ts'
import { createTexts } from './texts.ts'
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

/** A board without a block. */
export function createBoard() {
  const rows = createRows()
  const history = createHistory(rows.swap)
  let asOf: { block: BoardBlock; moment: Moment } | null = null
  const moment = (): Moment => {
    const block = history.block()
    if (!block) return NO_MOMENT
    if (asOf?.block !== block || asOf.moment.unitUsd.length < rows.units.length)
      asOf = { block, moment: { timeMs: block.timeMs, unitUsd: usdByPlace(rows.units, block.units) } }
    return asOf.moment
  }
  const orders = createOrders(rows, moment)
  const texts = createTexts()
  const keptRows = createKeptRows()
  const sets = new Map<string, Passing>()
  /** Rows that lost their tokens when the board went back. */
  let emptied: ReadonlySet<number> = new Set()

  const take = (read: BoardRows): Part => {
    const part = rows.take(read)
    for (const [at, row] of part.rows.entries()) texts.set(row, read.symbol[at] ?? '', read.name[at] ?? '')
    return part
  }

  /** `before`: the state of the columns before these changes. */
  const note = (parts: readonly Part[], before: Moment): void => {
    sets.clear()
    const { id } = rows.columns()
    for (const part of parts) {
      const changed = [...part.replaced.id, ...part.rows.map((row) => id[row] as number)]
      keptRows.letGo(changed)
    }
    orders.note(parts, movedPlaces(before.unitUsd, moment().unitUsd))
  }

  const startingWith = (prefix: string) => rowsFrom(rows.columns(), orders.bringUp([]), prefix)

  const movingAt = (row: number): MovingValues => {
    const columns = rows.columns()
    return {
      ageHours: measureOf(columns, 'ageHours', moment())(row),
      priceUsd: measureOf(columns, 'priceUsd', moment())(row),
      marketCapUsd: capOf(columns, row, moment().unitUsd),
    }
  }

  const rankedBy = (measure: TokenMeasure): Ranked | null => {
    const order = Object.values(SORT_ORDERS).find(([first]) => first?.measure === measure)
    const ranking = order && orders.atHand(order)
    return ranking ? { ...ranking, descending: order[0]?.descending === true } : null
  }
  /** `isNow`: the columns are those of the newest block, and so are the orders. */
  const scan = (screen: TokenScreen, isNow: boolean): Passing => {
    const passing = scanRows(
      {
        columns: rows.columns(),
        end: rows.end(),
        moment: moment(),
        present: rows.present(),
        launchpads: rows.launchpads,
        find: texts.find,
        startingWith,
        rankedBy: isNow ? rankedBy : () => null,
      },
      screen,
    )
    return { rows: passing, total: countRows(passing) }
  }
  const keptScan = (screen: TokenScreen): Passing => {
    const key = JSON.stringify(screen)
    const known = sets.get(key) ?? scan(screen, true)
    sets.delete(key)
    sets.set(key, known)
    for (const oldest of sets.keys()) if (sets.size > MOST_SETS) sets.delete(oldest)
    return known
  }

  const read = (ranking: Ranking, passing: Passing | null, { order, offset, limit }: BoardQuestion): BoardPage => {
    const columns = rows.columns()
    const total = passing?.total ?? rows.size()
    const ids: number[] = []
    if (offset >= total) return { ids, total }
    if (!passing) {
      for (const row of ranking.rows.subarray(offset, Math.min(offset + limit, ranking.length)))
        ids.push(columns.id[row] as number)
      return { ids, total }
    }
    // A few rows are sorted faster than they are found in an order of all.
    if (total <= FEW_ROWS) {
      const compare = comparatorOf(columns, order, moment())
      const sorted = listRows(passing.rows, total).sort(compare)
      return { ids: [...sorted.subarray(offset, offset + limit)].map((row) => columns.id[row] as number), total }
    }
    let before = 0
    for (let at = 0; at < ranking.length && ids.length < limit; at += 1) {
      const row = ranking.rows[at] as number
      if (hasRow(passing.rows, row) && ++before > offset) ids.push(columns.id[row] as number)
    }
    return { ids, total }
  }

  return {
    /** Its block; null while it is empty. */
    block: history.block,
    /** Indexed tokens. */
    size: rows.size,
    past: history.past,
    /** Adds tokens without keeping the replaced rows: while the board is being filled. */
    fill(read: BoardRows): void {
      take(read)
    },
    /** The added rows are of this block. */
    open: history.open,
    isReady: orders.isReady,
    makeReady: orders.makeReady,
    /** Makes an order before a list needs it. */
    prepare(order: readonly TokenOrder[]): void {
      orders.bringUp(order)
    },
    /** Changed tokens, in slices, move the board to a block; none if only the block changed. Returns the exchanged rows. */
    apply(slices: readonly BoardRows[], to: BoardBlock): Part[] {
      const parts = slices.map(take)
      const before = moment()
      history.push(parts, to)
      note(parts, before)
      rows.setFree(emptied)
      emptied = new Set()
      return parts
    },
    /** Returns to an earlier block: those after it are no longer on the chain. The next `apply` frees rows without tokens. */
    rewind(to: BoardBlock): Part[] {
      const before = moment()
      const parts = history.rewind(to)
      note(parts, before)
      keptRows.clear()
      // A token may have been created and changed in several of these blocks, but its row is freed once.
      emptied = changedRows(parts)
      return parts
    },
    moment,
    /** The changes by these exchanged rows since a moment, for followers of filters. */
    changes: (parts: readonly Part[], before: Moment, isPassed: IsPassed): BoardChange[] =>
      findChanges({ rows, texts, parts, before, now: moment(), isPassed }),
    list(question: BoardQuestion): BoardPage {
      return read(orders.bringUp(question.order), isOpen(question.screen) ? null : keptScan(question.screen), question)
    },
    /** The list at an earlier block. */
    listAt(to: BoardBlock, question: BoardQuestion): BoardPage {
      const newest = history.block()
      if (to === newest) return this.list(question)
      // Makes both orders now: inside `at`, the columns are those of an older block.
      const byAddress = orders.bringUp([])
      const now = orders.bringUp(question.order)
      const { unitUsd } = moment()
      return history.visit(to, (changed) => {
        const columns = rows.columns()
        // The units moved other rows too. A few are put in their places; otherwise all are ranked anew.
        const moved = followsUnits(question.order) ? movedPlaces(moment().unitUsd, unitUsd) : null
        const follow = moved ? rowsOfMoved(columns, rows.end(), moved, rows.end() >>> 3) : []
        const ranking =
          follow === null
            ? rankBy(columns, rerank(columns, byAddress, [], changed, moment()), question.order, moment())
            : rerank(columns, now, question.order, new Set([...changed, ...follow]), moment())
        return read(ranking, isOpen(question.screen) ? null : scan(question.screen, false), question)
      })
    },
    /** Tokens that the text may mean, the best first: by how it matches, then the most liquid, then the least risky. */
    search(text: string, most: number): number[] {
      return searchTokens(
        {
          columns: rows.columns(),
          texts,
          startingWith,
          byLiquidity: () => {
            const { rows: ranked, length } = orders.bringUp(SORT_ORDERS.liquidity)
            return ranked.subarray(0, length)
          },
        },
        text,
        most,
      )
    },
    /** For each of the tokens the most liquid one with a lookalike symbol, if that has more liquidity. */
    lookalikes(tokens: readonly { symbol: string; liquidityUsd: number }[]): (number | null)[] {
      const best = new Map<string, number>()
      const { id, liquidityUsd: liquidity, address } = rows.columns()
      const skeletons = tokens.map(({ symbol }) => skeletonOf(symbol))
      texts.lookalikes(new Set(skeletons.filter((skeleton) => skeleton !== '')), (row, skeleton) => {
        const known = best.get(skeleton)
        if (id[row] === 0) return
        const more = known === undefined ? 1 : (liquidity[row] as number) - (liquidity[known] as number)
        if (more > 0 || (more === 0 && compareAddresses(address, row, known as number) < 0)) best.set(skeleton, row)
      })
      return tokens.map(({ liquidityUsd }, at) => {
        const row = best.get(skeletons[at] ?? '')
        return row !== undefined && (liquidity[row] as number) > liquidityUsd ? (id[row] as number) : null
      })
    },
    /**
     * Rows of tokens for lists. Their age, price and market cap may be of an older block: `moving` has the current
     * ones.
     */
    rows: keptRows,
    moving: (id: number): MovingValues => movingAt(rows.rowOf(id)),
    /** Whether the board has these numbers for a token; undefined: there is no such token. */
    agrees(id: number, token: Pick<TokenRow, BoardSays> | undefined): boolean {
      const row = rows.rowOf(id)
      if (row < 0 || !token) return row < 0 && !token
      const columns = rows.columns()
      return (
        columns.liquidityUsd[row] === token.liquidityUsd &&
        capOf(columns, row, moment().unitUsd) === token.marketCapUsd &&
        measureOf(columns, 'riskScore', moment())(row) === token.riskScore &&
        measureOf(columns, 'trendingScore', moment())(row) === token.trendingScore &&
        columns.flagBits[row] === toFlagBits(token.riskFlags)
      )
    },
    /** The board's bytes. */
    bytes: () =>
      rows.bytes() +
      texts.bytes() +
      keptRows.bytes() +
      history.bytes() +
      orders.bytes() +
      [...sets.values()].reduce((sum, passing) => sum + passing.rows.byteLength, 0),
  }
}
