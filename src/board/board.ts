// The tokens of a ledger as columns in memory, as of exactly one block: any filter, order and page without a statement. A block
// is applied as a whole; what it replaced is kept for a while, so that the board can go back to a block that it was at. Pure.
import { ageHours } from '../base/filter.ts'
import type { TokenOrder, TokenScreen } from '../base/screen.ts'
import { isOpen, SORT_ORDERS } from '../base/screen.ts'
import type { BoardBlock, BoardRows } from '../ledger/read/board.ts'
import { type BoardColumns, compareAddresses, createColumns, exchangeRows, growColumns, toColumns } from './columns.ts'
import { capOf, comparatorOf, followsNative, type Moment } from './measure-of.ts'
import { type Ranking, rankBy, rankByAddress, rankInSteps, rerank, rowsFrom } from './ranking.ts'
import { createRowTexts } from './row-texts.ts'
import { addRow, countRows, dropRow, hasRow, listRows, type RowSet, scanRows } from './scan.ts'
import { searchTokens } from './search.ts'
import { skeletonOf } from './skeleton.ts'
import { createTexts } from './texts.ts'

/** Rows that a block replaced, as they were before it; after going back, as they were after it. */
interface Part {
  rows: Int32Array
  replaced: BoardColumns
}
interface Change {
  /** The block that the board was at before. */
  before: BoardBlock
  parts: readonly Part[]
}

const changesOf = ({ parts }: Change): number => parts.reduce((sum, { rows }) => sum + rows.length, 0)

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

/** Replaced rows that are kept for going back: 12 MB at most. */
const MOST_REPLACED = 100_000
/** Blocks that can be gone back to. */
const MOST_BLOCKS = 512
/** Bytes of the orders and filters that are kept, at most, and how many in any case: those that lists always need and one more. */
const RANKING_BYTES = 24_000_000
const LEAST_RANKINGS = 7
/** The order by address, which the others are made from, and those of REST. */
const ALWAYS = new Set([[], ...Object.values(SORT_ORDERS)].map((order) => JSON.stringify(order)))
/** Rows from which on a new order is made in steps. */
const MANY_ROWS = 20_000
const MOST_RANKINGS = 24
const MOST_SETS = 16
/** Rows that an order may be behind, besides an eighth of all. */
const STALE_ROWS = 1_000
/** Rows that are sorted for a list, at most. */
const FEW_ROWS = 1_000

export type Board = ReturnType<typeof createBoard>

/** A board that is at no block yet. */
export function createBoard() {
  let columns = createColumns(0)
  /** Rows from here on were never used. */
  let end = 0
  let size = 0
  let rowOf = new Int32Array(0)
  /** Rows that have a token. */
  let present: RowSet = new Uint32Array(0)
  let block: BoardBlock | null = null
  let changes: Change[] = []
  const free: number[] = []
  const launchpads: string[] = []
  const texts = createTexts()
  const rowTexts = createRowTexts()
  const launchpadPlaces = new Map<string, number>()
  /** Kept orders with what has changed since they were brought up, the one used last at the end. */
  const rankings = new Map<string, { order: readonly TokenOrder[]; ranking: Ranking; stale: Set<number> }>()
  /** Orders that are being made in steps, with what has changed since they were begun. */
  const underWay = new Map<string, { stale: Set<number>; made: Promise<void> }>()
  const sets = new Map<string, { rows: RowSet; total: number }>()

  const moment = (): Moment => block ?? { timeMs: 0, nativeUsd: 0 }

  const launchpadOf = (name: string): number => {
    const known = launchpadPlaces.get(name)
    if (known !== undefined) return known
    // What a chain's preset names are few; should there ever be too many for the column, the rest share the last place.
    const place = Math.min(launchpads.length, 65_535)
    launchpads[place] = name
    launchpadPlaces.set(name, place)
    return place
  }

  const makeRoom = (rows: number, lastId: number): void => {
    if (rows > columns.id.length) {
      columns = growColumns(columns, rows + (rows >>> 5))
      const grown = new Uint32Array(Math.ceil(columns.id.length / 32))
      grown.set(present)
      present = grown
    }
    if (lastId < rowOf.length) return
    const grown = new Int32Array(lastId + 1 + (lastId >>> 5)).fill(-1)
    grown.set(rowOf)
    rowOf = grown
  }

  /** Exchanges the rows of the board with those of a change. */
  const swap = (rows: Int32Array, others: BoardColumns): void => {
    for (let at = 0; at < rows.length; at += 1) {
      const row = rows[at] as number
      const before = columns.id[row] as number
      exchangeRows(columns, row, others, at)
      const after = columns.id[row] as number
      if (before === after) continue
      if (before !== 0) rowOf[before] = -1
      if (after !== 0) rowOf[after] = row
      if (after === 0) dropRow(present, row)
      else addRow(present, row)
      size += Number(after !== 0) - Number(before !== 0)
    }
  }

  /** Rows that were read replace what is known of their tokens. */
  const take = (read: BoardRows): Part => {
    const incoming = toColumns(read, launchpadOf)
    const rows = place(incoming)
    swap(rows, incoming)
    for (const [at, row] of rows.entries()) texts.set(row, read.symbol[at] ?? '', read.name[at] ?? '')
    return { rows, replaced: incoming }
  }

  /** `nativeUsd`: the price of the native coin before these changes. */
  const note = (parts: readonly Part[], nativeUsd: number): void => {
    sets.clear()
    for (const { rows, replaced } of parts)
      rowTexts.letGo([...replaced.id, ...rows.map((row) => columns.id[row] as number)])
    const isMoved = nativeUsd !== moment().nativeUsd
    for (const { stale } of underWay.values()) for (const { rows } of parts) for (const row of rows) stale.add(row)
    for (const [key, { order, stale }] of rankings) {
      if (isMoved && followsNative(order)) rankings.delete(key)
      for (const { rows } of parts) for (const row of rows) stale.add(row)
      // Nobody asked for it for so long that to make it anew is cheaper.
      if (stale.size > STALE_ROWS + (end >>> 3)) rankings.delete(key)
    }
  }

  const place = (incoming: BoardColumns): Int32Array => {
    const fresh = incoming.id.filter((id) => (rowOf[id] ?? -1) < 0).length
    makeRoom(
      end + Math.max(0, fresh - free.length),
      incoming.id.reduce((most, id) => Math.max(most, id), 0),
    )
    return Int32Array.from(incoming.id, (id) => {
      const known = rowOf[id] as number
      return known >= 0 ? known : (free.pop() ?? end++)
    })
  }

  const forget = (): void => {
    let replaced = changes.reduce((sum, change) => sum + changesOf(change), 0)
    while (changes.length > MOST_BLOCKS || replaced > MOST_REPLACED) {
      const oldest = changes.shift()
      if (oldest) replaced -= changesOf(oldest)
    }
  }

  /** Lets orders go beyond those that lists always need, the one used last never. */
  const evict = (last: string): void => {
    const most = Math.min(MOST_RANKINGS, Math.max(LEAST_RANKINGS, RANKING_BYTES / (4 * end + 1)))
    for (const oldest of rankings.keys()) {
      if (rankings.size <= most) break
      if (oldest !== last && !ALWAYS.has(oldest)) rankings.delete(oldest)
    }
  }
  /** The order, kept from now on. */
  const bringUp = (order: readonly TokenOrder[]): Ranking => {
    const key = JSON.stringify(order)
    const known = rankings.get(key)
    rankings.delete(key)
    const ranking = known ? refresh(known) : make(order)
    rankings.set(key, { order, ranking, stale: new Set() })
    evict(key)
    return ranking
  }
  const refresh = ({
    order,
    ranking,
    stale,
  }: {
    order: readonly TokenOrder[]
    ranking: Ranking
    stale: Set<number>
  }) => (stale.size === 0 ? ranking : rerank(columns, ranking, order, stale, moment(), ranking.rows))
  const make = (order: readonly TokenOrder[]): Ranking =>
    order.length === 0 ? rankByAddress(columns, end) : rankBy(columns, bringUp([]), order, moment())

  const isReady = (order: readonly TokenOrder[]): boolean => end < MANY_ROWS || rankings.has(JSON.stringify(order))
  const makeInSteps = async (
    order: readonly TokenOrder[],
    stale: Set<number>,
    pause: () => Promise<unknown>,
  ): Promise<void> => {
    const byAddress = bringUp([])
    const { length } = byAddress
    const { nativeUsd } = moment()
    const steps = rankInSteps(columns, byAddress, order, moment())
    let step = steps.next()
    for (; !step.done; step = steps.next()) await pause()
    if (followsNative(order) && nativeUsd !== moment().nativeUsd) return
    const key = JSON.stringify(order)
    rankings.set(key, { order, ranking: { rows: step.value, length }, stale })
    evict(key)
  }

  const scan = (screen: TokenScreen): { rows: RowSet; total: number } => {
    const startingWith = (prefix: string) => rowsFrom(columns, bringUp([]), prefix)
    const rows = scanRows(
      { columns, end, moment: moment(), present, launchpads, find: texts.find, startingWith },
      screen,
    )
    return { rows, total: countRows(rows) }
  }
  const keptScan = (screen: TokenScreen): { rows: RowSet; total: number } => {
    const key = JSON.stringify(screen)
    const known = sets.get(key) ?? scan(screen)
    sets.delete(key)
    sets.set(key, known)
    for (const oldest of sets.keys()) if (sets.size > MOST_SETS) sets.delete(oldest)
    return known
  }

  const read = (
    ranking: Ranking,
    passing: { rows: RowSet; total: number } | null,
    { order, offset, limit }: BoardQuestion,
  ) => {
    const total = passing?.total ?? size
    const ids: number[] = []
    if (offset >= total) return { ids, total }
    if (!passing) {
      for (const row of ranking.rows.subarray(offset, Math.min(offset + limit, ranking.length)))
        ids.push(columns.id[row] as number)
      return { ids, total }
    }
    // Few rows are sorted sooner than they are found in an order of all.
    if (total <= FEW_ROWS) {
      const compare = comparatorOf(columns, order, moment())
      const rows = listRows(passing.rows, total).sort(compare)
      return { ids: [...rows.subarray(offset, offset + limit)].map((row) => columns.id[row] as number), total }
    }
    let before = 0
    for (let at = 0; at < ranking.length && ids.length < limit; at += 1) {
      const row = ranking.rows[at] as number
      if (hasRow(passing.rows, row) && ++before > offset) ids.push(columns.id[row] as number)
    }
    return { ids, total }
  }

  /** Blocks that the board can go back to, the newest first. */
  const past = (): BoardBlock[] => changes.map(({ before }) => before).toReversed()

  /** Undoes changes until the board is at the block again. */
  const back = (to: BoardBlock): Change[] => {
    const undone: Change[] = []
    while (block !== to) {
      const change = changes.pop()
      if (!change) throw new Error(`the board was never at block ${to.number}`)
      for (const { rows, replaced } of change.parts.toReversed()) swap(rows, replaced)
      undone.push(change)
      block = change.before
    }
    return undone
  }

  return {
    /** The block that it is at; null while it is empty. */
    block: () => block,
    /** Indexed tokens. */
    size: () => size,
    past,
    /** Takes on tokens without keeping what was: while the board is being filled. */
    fill(rows: BoardRows): void {
      take(rows)
    },
    /** What was filled in is of this block. */
    open(at: BoardBlock): void {
      block = at
    },
    /** Whether a list in this order can be had at once. */
    isReady,
    /** Makes an order while others are served: `pause` resolves when it may go on. */
    makeReady(order: readonly TokenOrder[], pause: () => Promise<unknown>): Promise<void> {
      if (isReady(order)) return Promise.resolve()
      const key = JSON.stringify(order)
      const running = underWay.get(key)
      if (running) return running.made
      const stale = new Set<number>()
      const made = makeInSteps(order, stale, pause).finally(() => underWay.delete(key))
      underWay.set(key, { stale, made })
      return made
    },
    /** Makes an order before somebody asks for it. */
    prepare(order: readonly TokenOrder[]): void {
      bringUp(order)
    },
    /** Tokens that changed, in slices, bring the board to a block; none where only the block is another. */
    apply(slices: readonly BoardRows[], to: BoardBlock): void {
      const parts = slices.map(take)
      const { nativeUsd } = moment()
      if (block) changes.push({ before: block, parts })
      block = to
      note(parts, nativeUsd)
      forget()
    },
    /** Goes back to a block of the past: those after it are gone from the chain. */
    rewind(to: BoardBlock): void {
      const { nativeUsd } = moment()
      const parts = back(to).flatMap((change) => change.parts)
      note(parts, nativeUsd)
      rowTexts.clear()
      // A token may have come and changed in several of these blocks: its row is free once.
      const changed = new Set(parts.flatMap(({ rows }) => [...rows]))
      for (const row of changed) if (columns.id[row] === 0) free.push(row)
    },
    list(question: BoardQuestion): BoardPage {
      return read(bringUp(question.order), isOpen(question.screen) ? null : keptScan(question.screen), question)
    },
    /** The list as it was at a block of the past. */
    listAt(to: BoardBlock, question: BoardQuestion): BoardPage {
      if (to === block) return this.list(question)
      // Both orders while the columns are of the newest block: below, they are of an older one.
      const byAddress = bringUp([])
      const now = bringUp(question.order)
      const kept = [...changes]
      const changed = new Set<number>()
      const newest = block
      const undone = back(to)
      try {
        for (const { parts } of undone) for (const { rows } of parts) for (const row of rows) changed.add(row)
        // The price of the native coin moved other rows too: they are ranked anew.
        const ranking =
          followsNative(question.order) && newest?.nativeUsd !== to.nativeUsd
            ? rankBy(columns, rerank(columns, byAddress, [], changed, moment()), question.order, moment())
            : rerank(columns, now, question.order, changed, moment())
        return read(ranking, isOpen(question.screen) ? null : scan(question.screen), question)
      } finally {
        for (const { parts } of undone.toReversed()) for (const { rows, replaced } of parts) swap(rows, replaced)
        changes = kept
        block = newest
      }
    },
    /** Tokens that the text may mean, the best first: by how it matches, then the most liquid, then the least risky. */
    search(text: string, most: number): number[] {
      return searchTokens(
        {
          columns,
          texts,
          startingWith: (prefix) => rowsFrom(columns, bringUp([]), prefix),
          byLiquidity: () => {
            const { rows, length } = bringUp(SORT_ORDERS.liquidity)
            return rows.subarray(0, length)
          },
        },
        text,
        most,
      )
    },
    /** For each of the tokens the most liquid one with a symbol that looks the same, if that has more liquidity than it. */
    lookalikes(tokens: readonly { symbol: string; liquidityUsd: number }[]): (number | null)[] {
      const best = new Map<string, number>()
      const skeletons = tokens.map(({ symbol }) => skeletonOf(symbol))
      texts.lookalikes(new Set(skeletons.filter((skeleton) => skeleton !== '')), (row, skeleton) => {
        const known = best.get(skeleton)
        const { id, liquidityUsd, address } = columns
        if (id[row] === 0) return
        const more = known === undefined ? 1 : (liquidityUsd[row] as number) - (liquidityUsd[known] as number)
        if (more > 0 || (more === 0 && compareAddresses(address, row, known as number) < 0)) best.set(skeleton, row)
      })
      return tokens.map(({ liquidityUsd }, at) => {
        const row = best.get(skeletons[at] ?? '')
        return row !== undefined && (columns.liquidityUsd[row] as number) > liquidityUsd
          ? (columns.id[row] as number)
          : null
      })
    },
    /** Tokens of the board as text. */
    texts: rowTexts,
    /** What is another at every block: the age of a token, and its market cap in USD. */
    moving(id: number) {
      const row = rowOf[id] as number
      const { timeMs, nativeUsd } = moment()
      return {
        ageHours: ageHours(columns.createdAt[row] as number, timeMs),
        marketCapUsd: capOf(columns, row, nativeUsd),
      }
    },
    /** Whether the board says these numbers of a token. */
    agrees(token: {
      id: number
      liquidityUsd: number
      marketCapUsd: number
      riskScore: number
      trendingScore: number
    }) {
      const row = rowOf[token.id] ?? -1
      return (
        row >= 0 &&
        columns.liquidityUsd[row] === token.liquidityUsd &&
        capOf(columns, row, moment().nativeUsd) === token.marketCapUsd &&
        columns.riskScore[row] === token.riskScore &&
        columns.trendingScore[row] === token.trendingScore
      )
    },
    /** Bytes that it holds. */
    bytes(): number {
      const bytesOf = (arrays: BoardColumns) =>
        Object.values(arrays).reduce((sum, { byteLength }) => sum + byteLength, 0)
      return (
        bytesOf(columns) +
        rowOf.byteLength +
        texts.bytes() +
        rowTexts.bytes() +
        changes
          .flatMap(({ parts }) => parts)
          .reduce((sum, part) => sum + bytesOf(part.replaced) + part.rows.byteLength, 0) +
        [...rankings.values()].reduce((sum, { ranking }) => sum + ranking.rows.byteLength, 0) +
        [...sets.values()].reduce((sum, { rows }) => sum + rows.byteLength, 0)
      )
    },
  }
}
