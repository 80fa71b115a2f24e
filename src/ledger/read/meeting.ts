// Reads events between one wallet and one token. They have no running numbers of their own. The position has their
// count, and PostgreSQL finds a page by walking the token's or the wallet's events. Requests for them are too rare for
// an index. The zero address mints and burns, and has no positions: its events are counted one by one.
import { ZERO_ADDRESS } from '../../base/address.ts'
import type { EventId } from '../../base/event-id.ts'
import { EVENT_TYPE_ID, type EventType } from '../../base/vocabulary.ts'
import type { Reading } from './consistent-read.ts'
import { EVENT_COLUMNS, type EventRow, type EventSpan, PLACE, placeBefore, type StoredEvent, toEvent } from './event.ts'

/** A wallet and a token, and a filter of the events between them. */
export interface Meeting extends EventSpan {
  tokenId: number
  walletId: number
  /** Null: all types. */
  type: EventType | null
}

const COUNT_COLUMN = `CASE $3::smallint WHEN 1 THEN p.swap_count WHEN 2 THEN p.liquidity_add_count
  WHEN 3 THEN p.liquidity_remove_count WHEN 4 THEN p.transfer_count ELSE p.event_count END`

const WHERE = `e.token_id = $1 AND (e.wallet_id = $2 OR e.counterparty_id = $2) AND ($3::smallint = 0 OR e.type = $3)`
const WITHIN = `${WHERE} AND ($4::timestamptz IS NULL OR e.time > $4) AND ($5::bigint IS NULL OR ${PLACE} > ($5, $6::bigint, $7::bigint))
  AND ($8::timestamptz IS NULL OR e.time <= $8) AND ($9::bigint IS NULL OR ${PLACE} <= ($9, $10::bigint, $11::bigint))`

const valuesOf = ({ tokenId, walletId, type }: Meeting) => [tokenId, walletId, type === null ? 0 : EVENT_TYPE_ID[type]]
const placeOf = (place: EventId | null) => [place?.blockNumber, place?.logIndex, place?.part]
const spanOf = ({ since, after, until, before }: Meeting) => [
  since,
  ...placeOf(after),
  until,
  ...placeOf(before && placeBefore(before)),
]

/** How many such events there are: from the position's counters, or counted one by one between limits. */
export async function countMeetings(reading: Reading, meeting: Meeting): Promise<number> {
  const [row] = await reading.query<{ total: number }>(
    [meeting.since, meeting.after, meeting.until, meeting.before].every((limit) => limit === null)
      ? {
          name: 'meetings count',
          text: `SELECT CASE WHEN EXISTS (SELECT FROM wallet WHERE id = $2 AND address = '${ZERO_ADDRESS}')
            THEN (SELECT count(*) FROM event e WHERE ${WHERE})
            ELSE (SELECT ${COUNT_COLUMN} FROM position p WHERE p.token_id = $1 AND p.wallet_id = $2) END AS total`,
          values: valuesOf(meeting),
        }
      : {
          name: 'meetings count within',
          text: `SELECT count(*) AS total FROM event e WHERE ${WITHIN}`,
          values: [...valuesOf(meeting), ...spanOf(meeting)],
        },
  )
  return row?.total ?? 0
}

/** A range of such events. */
export async function readMeetings(
  reading: Reading,
  meeting: Meeting,
  { offset, limit, oldestFirst }: { offset: number; limit: number; oldestFirst: boolean },
): Promise<EventRow[]> {
  const rows = await reading.query<StoredEvent>({
    name: oldestFirst ? 'meetings oldest first' : 'meetings',
    text: `SELECT ${EVENT_COLUMNS} FROM event e JOIN token t ON t.id = e.token_id JOIN wallet w ON w.id = e.wallet_id
      WHERE ${WITHIN} ORDER BY e.n ${oldestFirst ? 'ASC' : 'DESC'} LIMIT $12 OFFSET $13`,
    values: [...valuesOf(meeting), ...spanOf(meeting), limit, offset],
  })
  return rows.map(toEvent)
}
