// The SQL of questions to the files of segments. Pure. A file is sorted by the numbers that its questions name, so DuckDB
// reads the few row groups whose bounds they are in.

import type { HistoryMeeting, HistoryPlace, HistoryScope, OldRange } from '../history.ts'
import { whole } from '../numbers.ts'
import type { SegmentFile } from './files.ts'

/** The dollars of an event. */
// Cheaper over many million events than `coalesce`.
export const AMOUNT = 'CASE WHEN amount_usd IS NULL THEN amount_micro / 1e6 ELSE amount_usd END'

/** The columns of an event in the form of the table `event`. Numbers of 64 bits come as doubles, which hold them. */
export const EVENT_FIELDS = `n::DOUBLE AS n, type, direction, token_id, wallet_id, counterparty_id, pool_id, signer_id, quantity,
  ${AMOUNT} AS amount_usd, epoch_us(time)::DOUBLE AS time, block_number, log_index, part, attribution`

/** The columns of each type's numbers in `events`, by type from 1 on: that of the newest of the type so far. */
export const TYPE_COLUMNS = ['swap_n', 'liquidity_add_n', 'liquidity_remove_n', 'transfer_n'] as const

/** Where a scope's numbers are: the file, the column, and the condition on its rows. */
export function placeOfScope({ of, id, type }: HistoryScope): { file: SegmentFile; column: string; where: string } {
  const hasType = type === null ? '' : ` AND type = ${whole(type)}`
  if (of === 'all') {
    return type === null
      ? { file: 'events', column: 'n', where: 'true' }
      : { file: 'events', column: TYPE_COLUMNS[type - 1] ?? 'n', where: `type = ${whole(type)}` }
  }
  const column = type === null ? 'number' : 'type_number'
  const [file, owner] = of === 'token' ? (['tokens', 'token_id'] as const) : (['wallets', 'reader_id'] as const)
  return { file, column, where: `${owner} = ${whole(id)}${hasType}` }
}

/** The condition on the events of a range. */
export function inRange(range: OldRange): string {
  const { column, where } = placeOfScope(range)
  return `${where} AND ${column} > ${whole(range.above)} AND ${column} <= ${whole(range.below)}`
}

const timeOf = (time: Date): string => `make_timestamp(${BigInt(time.getTime()) * 1_000n})`

export const notAfterTime = (time: Date): string => `time <= ${timeOf(time)}`
// DuckDB does not join two comparisons of rows into a range.
export const notAfterPlace = ([block, log, part]: HistoryPlace): string =>
  `(block_number < ${whole(block)} OR block_number = ${whole(block)} AND (log_index < ${whole(log)}
    OR log_index = ${whole(log)} AND coalesce(part, 0) <= ${whole(part)}))`

/** The condition on the rows of a wallet that are its events with a token. */
export function inMeeting({ tokenId, walletId, type, since, until, after, upTo }: HistoryMeeting): string {
  return [
    `reader_id = ${whole(walletId)}`,
    `token_id = ${whole(tokenId)}`,
    type !== null && `type = ${whole(type)}`,
    since && `NOT (${notAfterTime(since)})`,
    after && `NOT (${notAfterPlace(after)})`,
    until && notAfterTime(until),
    upTo && notAfterPlace(upTo),
  ]
    .filter((part) => part)
    .join(' AND ')
}
