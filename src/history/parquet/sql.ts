// The SQL of questions to the files of segments. Pure. An order is sorted by the numbers that its questions name, so DuckDB
// reads the few row groups whose bounds they are in.

import type { HistoryMeeting, HistoryPlace, HistoryScope, OldRange } from '../history.ts'
import { whole } from '../numbers.ts'
import { type Order, TYPE_COLUMNS, type Wanted, wantOf } from './orders.ts'

/** The columns of an event in the form of the table `event`. Numbers of 64 bits come as doubles, which hold them. */
export const EVENT_FIELDS = `n::DOUBLE AS n, type, direction, token_id, wallet_id, counterparty_id, pool_id, signer_id, quantity,
  amount_usd, epoch_us(time)::DOUBLE AS time, block_number, log_index, part, attribution`

/** Where a scope's numbers are: the order, the column, the condition on its rows, and the owner that they have. */
export function placeOfScope({ of, id, type }: HistoryScope): {
  order: Order
  column: string
  where: string
  owner: Wanted | null
} {
  const hasType = type === null ? '' : ` AND type = ${whole(type)}`
  if (of === 'all') {
    return type === null
      ? { order: 'events', column: 'n', where: 'true', owner: null }
      : { order: 'events', column: TYPE_COLUMNS[type - 1] ?? 'n', where: `type = ${whole(type)}`, owner: null }
  }
  const column = type === null ? 'number' : 'type_number'
  const [order, key] = of === 'token' ? (['tokens', 'token_id'] as const) : (['wallets', 'reader_id'] as const)
  return { order, column, where: `${key} = ${whole(id)}${hasType}`, owner: wantOf(key, [id]) }
}

/** The condition on the events of a range, and the rows that may meet it. */
export function inRange(range: OldRange): { order: Order; condition: string; wanted: Wanted } {
  const { order, column, where, owner } = placeOfScope(range)
  return {
    order,
    condition: `${where} AND ${column} > ${whole(range.above)} AND ${column} <= ${whole(range.below)}`,
    wanted: owner ?? { key: column, ranges: [[range.above + 1, range.below]] },
  }
}

/** Microseconds since 1970 as a time. */
export const timestampOf = (us: bigint): string => `make_timestamp(${us})`

export const notAfterTime = (time: Date): string => `time <= ${timestampOf(BigInt(time.getTime()) * 1_000n)}`
// DuckDB does not join two comparisons of rows into a range.
export const notAfterPlace = ([block, log, part]: HistoryPlace): string =>
  `(block_number < ${whole(block)} OR block_number = ${whole(block)} AND (log_index < ${whole(log)}
    OR log_index = ${whole(log)} AND coalesce(part, 0) <= ${whole(part)}))`

/** Running numbers: above the first, and up to the second. */
export type NumberBounds = readonly [above: number, upTo: number]

/** The condition on the rows of a wallet that are its events with a token. */
export const inMeeting = ({ tokenId, walletId, type }: HistoryMeeting, [above, upTo]: NumberBounds): string =>
  `reader_id = ${whole(walletId)} AND token_id = ${whole(tokenId)}${type === null ? '' : ` AND type = ${whole(type)}`}
    AND n > ${whole(above)} AND n <= ${whole(upTo)}`
