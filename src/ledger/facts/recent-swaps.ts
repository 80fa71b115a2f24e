// Keeps the swaps of busy tokens from one scoring to the next, which follows within seconds at the head. Only newer swaps
// are read then: their running numbers follow the last known one. Events never change, and are deleted when they are
// older than any that is read. Bounded: the tokens that were asked for longest ago go first.
import { float64At } from '../../base/item-at.ts'
import { findRanges } from '../../database/column-query.ts'
import { MOST_SWAPS } from './facts.ts'
import { FIRST_STEP, oldestSwap, type ReadSwaps, readNewerSwaps, readSwaps, type SwapRows } from './swaps.ts'

/** Rows kept of all tokens, 44 bytes each. */
const MOST_ROWS = 500_000

export interface RecentSwaps {
  /** The same rows as `readSwaps` returns, in the order of the given tokens. */
  read: ReadSwaps
  /** Call it after a rollback, and after another process may have written: running numbers are given anew. */
  forget(): void
}

interface Kept {
  /** The token's count of swaps, which is the running number of its last row. */
  count: number
  rows: SwapRows
}

export function createRecentSwaps(most = MOST_ROWS): RecentSwaps {
  let kept = new Map<number, Kept>()
  let size = 0

  function keep(into: Map<number, Kept>, tokenId: number, next: Kept): void {
    if (into !== kept) return
    size -= kept.get(tokenId)?.rows.time.length ?? 0
    kept.delete(tokenId)
    // So few are read as fast as they are remembered.
    if (next.rows.time.length < FIRST_STEP) return
    kept.set(tokenId, next)
    size += next.rows.time.length
    for (const [id, { rows }] of kept) {
      if (size <= most) return
      kept.delete(id)
      size -= rows.time.length
    }
  }

  return {
    forget: () => {
      kept = new Map()
      size = 0
    },
    read: async (client, swapCounts, block) => {
      const into = kept
      const known = new Map<number, Kept>()
      const unknown = new Map<number, number>()
      for (const [tokenId, count] of swapCounts) {
        const before = kept.get(tokenId)
        if (before && before.count <= count && count - before.count < MOST_SWAPS) known.set(tokenId, before)
        else unknown.set(tokenId, count)
      }
      const [newer, whole] = await Promise.all([
        known.size > 0
          ? readNewerSwaps(client, new Map([...known].map(([id, { count }]) => [id, count])), block)
          : NONE,
        unknown.size > 0 ? readSwaps(client, unknown, block) : NONE,
      ])
      const [newerOf, wholeOf] = [findRanges(newer.tokenId), findRanges(whole.tokenId)]
      const parts: SwapRows[] = []
      for (const [tokenId, count] of swapCounts) {
        const before = known.get(tokenId)?.rows
        const added = before ? slice(newer, newerOf(tokenId)) : slice(whole, wholeOf(tokenId))
        const rows = before ? joinRows([fromTime(before, oldestSwap(block), added.time.length), added]) : added
        keep(into, tokenId, { count, rows })
        parts.push(rows)
      }
      return joinRows(parts)
    },
  }
}

const NO_IDS = new Int32Array()
const NO_NUMBERS = new Float64Array()
const NONE: SwapRows = {
  tokenId: NO_IDS,
  walletId: NO_IDS,
  poolId: NO_IDS,
  direction: NO_IDS,
  quantity: NO_NUMBERS,
  amountUsd: NO_NUMBERS,
  time: NO_NUMBERS,
  block: NO_IDS,
}

/** The rows of one token, in memory of their own. */
const slice = (rows: SwapRows, { from, to }: { from: number; to: number }): SwapRows => ({
  tokenId: rows.tokenId.slice(from, to),
  walletId: rows.walletId.slice(from, to),
  poolId: rows.poolId.slice(from, to),
  direction: rows.direction.slice(from, to),
  quantity: rows.quantity.slice(from, to),
  amountUsd: rows.amountUsd.slice(from, to),
  time: rows.time.slice(from, to),
  block: rows.block.slice(from, to),
})

/** The newest rows after `since`. With `added` more they are at most `MOST_SWAPS`. */
function fromTime(rows: SwapRows, since: number, added: number): SwapRows {
  const { length } = rows.time
  let from = Math.max(0, length + added - MOST_SWAPS)
  while (from < length && float64At(rows.time, from) <= since) from += 1
  return from === 0 ? rows : slice(rows, { from, to: length })
}

const joinRows = (parts: readonly SwapRows[]): SwapRows => ({
  tokenId: joinIds(parts.map((part) => part.tokenId)),
  walletId: joinIds(parts.map((part) => part.walletId)),
  poolId: joinIds(parts.map((part) => part.poolId)),
  direction: joinIds(parts.map((part) => part.direction)),
  quantity: joinNumbers(parts.map((part) => part.quantity)),
  amountUsd: joinNumbers(parts.map((part) => part.amountUsd)),
  time: joinNumbers(parts.map((part) => part.time)),
  block: joinIds(parts.map((part) => part.block)),
})

const joinIds = (lists: readonly Int32Array[]): Int32Array => join(lists, (length) => new Int32Array(length))
const joinNumbers = (lists: readonly Float64Array[]): Float64Array => join(lists, (length) => new Float64Array(length))

function join<List extends Int32Array | Float64Array>(lists: readonly List[], begin: (length: number) => List): List {
  const joined = begin(lists.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const list of lists) {
    joined.set(list, at)
    at += list.length
  }
  return joined
}
