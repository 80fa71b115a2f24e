// The orders of a segment, the files that each is cut into, and which of them a question needs. Pure.
import { isRow } from '../numbers.ts'

/** All events by running number, those of tokens, and those of wallets. */
export const ORDERS = ['events', 'tokens', 'wallets'] as const
export type Order = (typeof ORDERS)[number]

/** The columns of each type's numbers in `events`, by type from 1 on: that of the newest of the type so far. */
export const TYPE_COLUMNS = ['swap_n', 'liquidity_add_n', 'liquidity_remove_n', 'transfer_n'] as const

/** The columns of an order whose bounds are known. An order is sorted by the first one. */
export const KEYS = { events: ['n', ...TYPE_COLUMNS], tokens: ['token_id'], wallets: ['reader_id'] } as const

/** A Parquet file of an order. */
export interface OrderPart {
  file: string
  /** The least and the most value of each key. */
  bounds: Record<string, [least: number, most: number]>
}

/** The rows that a question asks for: ranges of a key, both ends included. */
export interface Wanted {
  key: string
  ranges: readonly (readonly [from: number, to: number])[]
}

export function wantOf(key: string, values: readonly number[]): Wanted {
  const sorted = [...new Set(values)].sort((a, b) => a - b)
  const [least = 0, most = 0] = [sorted[0], sorted.at(-1)]
  return { key, ranges: isRow(sorted) ? [[least, most]] : sorted.map((value) => [value, value]) }
}

/** Whether a part, or a segment, may have some of the rows. A key without bounds may have any value. */
export function mayHave({ bounds }: Pick<OrderPart, 'bounds'>, { key, ranges }: Wanted): boolean {
  const [least, most] = bounds[key] ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
  return ranges.some(([from, to]) => from <= most && to >= least)
}
