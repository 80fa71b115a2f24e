// A stored order of the board's rows. Changed rows are removed and inserted at their new places, so that a block costs
// a walk over the order, and nothing is sorted anew. Pure.
import { int32At } from '../base/item-at.ts'
import type { TokenOrder } from '../fields/screen.ts'
import { ADDRESS_BYTES, type BoardColumns, compareAddressTo } from './columns.ts'
import { comparatorOf, type Moment, sortKeyOf } from './measure-of.ts'
import { type SortSteps, sortByBytes, sortByNumber } from './radix.ts'

/** Rows in an order: the first `length` of `rows`. */
export interface Ranking {
  rows: Int32Array
  length: number
}

/** The same in the order of a measure. */
export interface Ranked extends Ranking {
  descending: boolean
}

/** The rows with a token by address: the start of every other order. */
export function rankByAddress(columns: BoardColumns, end: number): Ranking {
  const rows = finish(rankByAddressInSteps(columns, end))
  return { rows, length: rows.length }
}

/** The same in steps. Rows that change meanwhile are out of place at the end. */
export function rankByAddressInSteps({ id, address }: BoardColumns, end: number): SortSteps {
  const rows = new Int32Array(end)
  let length = 0
  for (let row = 0; row < end; row += 1) if (id[row] !== 0) rows[length++] = row
  return sortByBytes(rows.slice(0, length), address, ADDRESS_BYTES)
}

function finish(steps: SortSteps): Int32Array {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** The rows of a ranking by address in another order. */
export function rankBy(
  columns: BoardColumns,
  byAddress: Ranking,
  order: readonly TokenOrder[],
  moment: Moment,
): Ranking {
  return { rows: finish(rankInSteps(columns, byAddress, order, moment)), length: byAddress.length }
}

/** The same in steps. Rows that change meanwhile are out of place at the end. */
export function* rankInSteps(
  columns: BoardColumns,
  { rows: byAddress, length }: Ranking,
  order: readonly TokenOrder[],
  moment: Moment,
): SortSteps {
  let rows: Int32Array = byAddress.slice(0, length)
  for (const key of order.toReversed())
    rows = yield* sortByNumber(rows, columns.id.length, sortKeyOf(columns, key, moment), key.descending)
  return rows
}

/**
 * The ranking after these rows have changed: they may have moved, come, or gone. Writes into `into`, which may be its
 * own.
 */
export function rerank(
  columns: BoardColumns,
  { rows, length }: Ranking,
  order: readonly TokenOrder[],
  changed: ReadonlySet<number>,
  moment: Moment,
  into?: Int32Array,
): Ranking {
  const compare = comparatorOf(columns, order, moment)
  const present = Int32Array.from([...changed].filter((row) => columns.id[row] !== 0)).sort(compare)
  const most = length + present.length
  // The array has spare room for the tokens of the next blocks.
  const target = into && into.length >= most ? into : new Int32Array(most + (into ? most >>> 6 : 0))
  const moved = new Uint8Array(columns.id.length)
  for (const row of changed) moved[row] = 1
  let kept = 0
  for (let at = 0; at < length; at += 1) {
    const row = int32At(rows, at)
    if (moved[row] === 0) target[kept++] = row
  }
  // Goes from the end, so that each range is shifted once.
  let end = kept
  for (let left = present.length; left > 0; left -= 1) {
    const row = int32At(present, left - 1)
    const place = placeOf(target, end, row, compare)
    target.copyWithin(place + left, place, end)
    target[place + left - 1] = row
    end = place
  }
  return { rows: target, length: kept + present.length }
}

/** How many of the first `end` rows come before the row. */
function placeOf(rows: Int32Array, end: number, row: number, compare: (a: number, b: number) => number): number {
  let [low, high] = [0, end]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compare(int32At(rows, middle), row) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** The rows of a ranking by address that begin with the digits after 0x; their number may be odd. */
export function rowsFrom(columns: BoardColumns, { rows, length }: Ranking, prefix: string): Int32Array {
  const digits = prefix.slice(2)
  const bytesOf = (filler: string) => Buffer.from(digits.padEnd(2 * ADDRESS_BYTES, filler), 'hex')
  const find = (bytes: Buffer, beyond: number) => {
    let [low, high] = [0, length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (compareAddressTo(columns.address, int32At(rows, middle), bytes) < beyond) low = middle + 1
      else high = middle
    }
    return low
  }
  return rows.subarray(find(bytesOf('0'), 0), find(bytesOf('f'), 1))
}
