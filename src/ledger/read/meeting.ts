// Reads events between one wallet and one token. They have no running numbers of their own. The position has their
// count, and PostgreSQL finds a page by walking the token's or the wallet's events. Requests for them are too rare for
// an index. The zero address mints and burns, and has no positions: its events are counted one by one.
import { ZERO_ADDRESS } from '../../base/address.ts'
import type { EventId } from '../../base/event-id.ts'
import { EVENT_TYPE_ID, type EventType } from '../../base/vocabulary.ts'
import type { HistoryMeeting } from '../../history/history.ts'
import type { Reading } from './consistent-read.ts'
import {
  EVENT_COLUMNS,
  type EventRow,
  type EventSpan,
  PLACE,
  placeBefore,
  placeNumbers,
  readOldEvents,
  type StoredEvent,
  toEvent,
} from './event.ts'
import { findHistory } from './old-events.ts'

/** A wallet and a token, and a filter of the events between them. */
export interface Meeting extends EventSpan {
  tokenId: number
  walletId: number
  /** Null: all types. */
  type: EventType | null
}

const COUNT_COLUMN = `CASE $3::smallint WHEN 1 THEN p.swap_count WHEN 2 THEN p.liquidity_add_count
  WHEN 3 THEN p.liquidity_remove_count WHEN 4 THEN p.transfer_count ELSE p.event_count END`

/** Events up to `$12` are taken from the history. */
const WITHIN = `e.token_id = $1 AND (e.wallet_id = $2 OR e.counterparty_id = $2) AND ($3::smallint = 0 OR e.type = $3)
  AND ($4::timestamptz IS NULL OR e.time > $4) AND ($5::bigint IS NULL OR ${PLACE} > ($5, $6::bigint, $7::bigint))
  AND ($8::timestamptz IS NULL OR e.time <= $8) AND ($9::bigint IS NULL OR ${PLACE} <= ($9, $10::bigint, $11::bigint))
  AND e.n > $12::bigint`

const valuesOf = ({ tokenId, walletId, type }: Meeting) => [tokenId, walletId, type === null ? 0 : EVENT_TYPE_ID[type]]
const placeOf = (place: EventId | null) => [place?.blockNumber, place?.logIndex, place?.part]
const withinOf = (meeting: Meeting, above: number) => {
  const { since, after, until, before } = meeting
  return [...valuesOf(meeting), since, ...placeOf(after), until, ...placeOf(before && placeBefore(before)), above]
}

const toHistoryMeeting = ({ tokenId, walletId, type, since, after, until, before }: Meeting): HistoryMeeting => ({
  tokenId,
  walletId,
  type: type === null ? null : EVENT_TYPE_ID[type],
  since,
  until,
  after: after && placeNumbers(after),
  upTo: before && placeNumbers(placeBefore(before)),
})

/** How many such events are in the database and not in the history. */
async function countKept(reading: Reading, meeting: Meeting, above: number): Promise<number> {
  const [row] = await reading.query<{ total: number }>({
    name: 'meetings count within',
    text: `SELECT count(*) AS total FROM event e WHERE ${WITHIN}`,
    values: withinOf(meeting, above),
  })
  return row?.total ?? 0
}

/** How many such events there are: from the position's counters, or counted one by one between limits. */
export async function countMeetings(reading: Reading, meeting: Meeting): Promise<number> {
  if ([meeting.since, meeting.after, meeting.until, meeting.before].every((limit) => limit === null)) {
    const [row] = await reading.query<{ total: number | null; isZero: boolean }>({
      name: 'meetings count',
      text: `SELECT EXISTS (SELECT FROM wallet WHERE id = $2 AND address = '${ZERO_ADDRESS}') AS "isZero",
        (SELECT ${COUNT_COLUMN} FROM position p WHERE p.token_id = $1 AND p.wallet_id = $2) AS total`,
      values: valuesOf(meeting),
    })
    if (row && !row.isZero) return row.total ?? 0
  }
  const history = await findHistory(reading)
  const [kept, old] = await Promise.all([
    countKept(reading, meeting, history?.lastN ?? 0),
    history?.store.countMeetings(history.segments, toHistoryMeeting(meeting)),
  ])
  return kept + (old ?? 0)
}

interface Stretch {
  offset: number
  limit: number
  oldestFirst: boolean
}

/** A range of such events. */
export async function readMeetings(reading: Reading, meeting: Meeting, asked: Stretch): Promise<EventRow[]> {
  const history = await findHistory(reading)
  if (!history) return readKept(reading, meeting, asked, 0)
  const { store, segments, lastN } = history
  const { offset, limit, oldestFirst } = asked
  const readOld = async (offset: number, limit: number) => {
    const events = await store.readMeetings(segments, toHistoryMeeting(meeting), { offset, limit, oldestFirst })
    const rows = await readOldEvents(reading, events)
    return events.flatMap(({ n }) => rows.get(n) ?? [])
  }
  if (oldestFirst) {
    const [old, count] = await Promise.all([
      readOld(offset, limit),
      store.countMeetings(segments, toHistoryMeeting(meeting)),
    ])
    const rest = { offset: Math.max(0, offset - count), limit: limit - old.length, oldestFirst }
    return rest.limit > 0 ? [...old, ...(await readKept(reading, meeting, rest, lastN))] : old
  }
  const kept = await readKept(reading, meeting, asked, lastN)
  if (kept.length === limit) return kept
  const count = await countKept(reading, meeting, lastN)
  return [...kept, ...(await readOld(Math.max(0, offset - count), limit - kept.length))]
}

async function readKept(
  reading: Reading,
  meeting: Meeting,
  { offset, limit, oldestFirst }: Stretch,
  above: number,
): Promise<EventRow[]> {
  const rows = await reading.query<StoredEvent>({
    name: oldestFirst ? 'meetings oldest first' : 'meetings',
    text: `SELECT ${EVENT_COLUMNS} FROM event e JOIN token t ON t.id = e.token_id JOIN wallet w ON w.id = e.wallet_id
      WHERE ${WITHIN} ORDER BY e.n ${oldestFirst ? 'ASC' : 'DESC'} LIMIT $13 OFFSET $14`,
    values: [...withinOf(meeting, above), limit, offset],
  })
  return rows.map(toEvent)
}
