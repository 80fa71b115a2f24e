// Reads events by page. Every event has a running number without gaps in each scope (all, type, token, wallet, ...). A
// scope's total is its newest number, and a page is a range of numbers. Binary search finds `since` and `after`,
// because time and place grow with the number. A wallet's numbers are in two columns: one for its own events, one for
// received transfers.

import type { EventId } from '../../base/event-id.ts'
import { itemAt } from '../../base/item-at.ts'
import { MAX_LIMIT } from '../../base/page.ts'
import { ATTRIBUTIONS, DIRECTIONS, EVENT_TYPE_ID, EVENT_TYPES, type EventType } from '../../base/vocabulary.ts'
import { LEAST_PRICED_USD, SHOWN_EVENT, type ShownEvent } from '../../fields/event.ts'
import { selectOf } from '../../fields/noun.ts'
import type { OldEvent } from '../../history/history.ts'
import type { Head } from '../head.ts'
import { type Reading, readLists } from './consistent-read.ts'
import { findHistory, selectOld, toHistoryScope } from './old-events.ts'

/** An event with the addresses of its token and wallet, and the token's symbol. */
export interface EventRow extends EventId, ShownEvent {
  n: number
  tokenId: number
  walletId: number
  counterpartyId: number | null
  /** Null for a transfer. */
  poolId: number | null
}

/**
 * The price of a whole token in a swap in USD. Null for every other type, for a value under a cent, and for unknown
 * decimals.
 */
export const priceUsdOf = ({
  type,
  amountUsd,
  quantity,
}: Pick<EventRow, 'type' | 'amountUsd' | 'quantity'>): number | null =>
  type === 'swap' && quantity !== null && quantity > 0 && amountUsd >= LEAST_PRICED_USD ? amountUsd / quantity : null

/** The scope: a token or a wallet, by id (both null: all events), and one type (null: all). */
export interface EventScope {
  tokenId: number | null
  walletId: number | null
  type: EventType | null
}

/** Only events later than the time `since` and after the event `after`; null: no such limit. */
export interface EventStart {
  since: Date | null
  after: EventId | null
}

/** Also only events up to the time `until` and before the event `before`; null: no such limit. */
export interface EventSpan extends EventStart {
  until: Date | null
  before: EventId | null
}

/** The place before all events that are not before this one. */
export const placeBefore = ({ part, ...place }: EventId): EventId => ({ ...place, part: part - 1 })

/** A scope and a range of its running numbers: `above` is excluded, `below` is included. */
export interface EventRange extends EventScope {
  above: number
  below: number
}

/**
 * A column with running numbers, and the condition on events that have their number there. `k` is the question's row in
 * the SQL.
 */
interface Place {
  column: string
  where: string
}

/** The running numbers of a scope: without gaps over all its columns together. Each column has an index. */
interface Numbering {
  name: string
  places: readonly Place[]
}

const RECEIVED = 'e.counterparty_id = k.id'

/** The numbering of a scope. One of a token and a wallet together has none: see `meeting.ts`. */
export function numberingOf(scope: EventScope): Numbering {
  const of = scope.tokenId !== null ? 'token' : scope.walletId !== null ? 'wallet' : null
  if (scope.type === null) {
    if (!of) return { name: 'all', places: [{ column: 'n', where: 'true' }] }
    const received = { column: 'counterparty_n', where: RECEIVED }
    return numbering(of, { column: `${of}_n`, where: `e.${of}_id = k.id` }, received)
  }
  if (!of) return { name: 'type', places: [{ column: 'type_n', where: 'e.type = k.type' }] }
  const own = { column: `${of}_type_n`, where: `e.${of}_id = k.id AND e.type = k.type` }
  const isTransfer = `k.type = ${EVENT_TYPE_ID.transfer}`
  return numbering(of, own, { column: 'counterparty_type_n', where: `${isTransfer} AND ${RECEIVED}` }, ' type')
}

const numbering = (of: 'token' | 'wallet', own: Place, received: Place, suffix = ''): Numbering => ({
  name: `${of}${suffix}`,
  places: of === 'wallet' ? [own, received] : [own],
})

/** A UNION over the columns of a numbering. */
export const eventsAt = ({ places }: Numbering, select: (place: Place) => string): string =>
  places.map((place) => `(${select(place)})`).join(' UNION ALL ')

const KEYS = '($1::int[], $2::smallint[], $3::bigint[], $4::bigint[])'
const idOf = (scope: EventScope) => scope.tokenId ?? scope.walletId ?? 0
const typeOf = (scope: EventScope) => (scope.type === null ? 0 : EVENT_TYPE_ID[scope.type])

export const EVENT_COLUMNS = `e.n, e.token_id AS "tokenId", e.wallet_id AS "walletId", e.counterparty_id AS "counterpartyId",
  e.pool_id AS "poolId", coalesce(e.part, 0) AS part, ${selectOf(SHOWN_EVENT)}`

const JOINS = 'JOIN token t ON t.id = e.token_id JOIN wallet w ON w.id = e.wallet_id'

// No range is longer than a page. LIMIT tells that to the planner, which otherwise reads all wallets for a hash join.
/** The events of each range, newest first, in the order of the ranges. All ranges must have the same numbering. */
export async function readEvents(reading: Reading, ranges: readonly EventRange[]): Promise<EventRow[][]> {
  const [first] = ranges
  if (!first) return []
  const numbering = numberingOf(first)
  const page = ({ column, where }: Place) => `SELECT e.* FROM event e WHERE ${where}
    AND e.${column} > k.above AND e.${column} <= k.below ORDER BY e.${column} DESC LIMIT ${MAX_LIMIT}`
  const lists = await readLists<StoredEvent>(reading, ranges.length, {
    name: `events ${numbering.name}`,
    text: `SELECT k.key, e.* FROM unnest${KEYS} WITH ORDINALITY AS k (id, type, above, below, key)
      CROSS JOIN LATERAL (
        SELECT ${EVENT_COLUMNS} FROM (${eventsAt(numbering, page)}) e
        ${JOINS} ORDER BY e.n DESC LIMIT ${MAX_LIMIT}
      ) e ORDER BY k.key, e.n DESC`,
    values: [ranges.map(idOf), ranges.map(typeOf), ranges.map((r) => r.above), ranges.map((r) => r.below)],
  })
  return addOld(
    reading,
    ranges,
    lists.map((rows) => rows.map(toEvent)),
  )
}

/** Adds the events of the ranges that the database no longer has: those with the lowest numbers. */
async function addOld(
  reading: Reading,
  ranges: readonly EventRange[],
  lists: readonly EventRow[][],
): Promise<EventRow[][]> {
  const missing = ranges.map(({ above, below, ...scope }, at) => {
    return { ...toHistoryScope(scope), above, below: below - (lists[at]?.length ?? 0) }
  })
  if (missing.every(({ above, below }) => above >= below)) return [...lists]
  const history = await findHistory(reading)
  if (!history) {
    requireKept(reading)
    return [...lists]
  }
  const found = await history.store.readRanges(history.segments, missing)
  // Fewer than are missing: another block came in between, or a damaged replica lacks rows.
  if (missing.some(({ above, below }, at) => found[at]?.length !== Math.max(0, below - above))) reading.lack()
  const rows = await readOldEvents(reading, found.flat())
  return lists.map((list, at) => [...list, ...(found[at] ?? []).flatMap(({ n }) => rows.get(n) ?? [])])
}

/** Events of the history as rows of an answer, by their running numbers. */
export async function readOldEvents(reading: Reading, events: readonly OldEvent[]): Promise<Map<number, EventRow>> {
  const history = events.length > 0 ? await findHistory(reading) : null
  if (!history) return new Map()
  const once = [...new Map(events.map((event) => [event.n, event])).values()]
  const rows = await selectOld<StoredEvent>(reading, history, once, {
    name: 'old events',
    columns: EVENT_COLUMNS,
    joins: JOINS,
  })
  requireAll(reading, once.length, rows.length)
  return new Map(rows.map((row) => [row.n, toEvent(row)]))
}

/** A join drops an event whose token or wallet a damaged replica lacks. The primary has them. */
function requireAll(reading: Reading, wanted: number, found: number): void {
  if (found < wanted) reading.lack()
}

/** Without a history, an event that the database lacks was dropped on purpose, or the replica is damaged. */
function requireKept(reading: Reading): void {
  if (!reading.head.eventsSince) reading.lack()
}

/** The later of a start in time and the start of the kept events; null: there is neither. */
export function keptSince({ eventsSince }: Head, since: Date | null): Date | null {
  if (!eventsSince) return since
  // A start in time is excluded.
  const kept = new Date(eventsSince.getTime() - 1)
  return since && since > kept ? since : kept
}

/** An event's place on the chain as three numbers. They order events as the running numbers do. */
export const PLACE = '(e.block_number, e.log_index, coalesce(e.part, 0))'

/**
 * For each scope, the running number of the newest event that is not after its start; 0 if all events are after it.
 * Deleted events are before any start.
 */
export async function findStart(
  reading: Reading,
  scopes: readonly (EventScope & EventStart & { total: number })[],
): Promise<number[]> {
  const [first] = scopes
  if (!first) return []
  const numbering = numberingOf(first)
  const middle = ({ column, where }: Place) => `SELECT e.time, e.block_number, e.log_index, e.part
    FROM event e WHERE ${where} AND e.${column} = middle`
  const kept = reading.head.historyN
    ? `EXISTS (${eventsAt(numbering, ({ column, where }) => `SELECT 1 FROM event e WHERE ${where} AND e.${column} = lo`)})`
    : 'true'
  const rows = await reading.query<{ key: number; lo: number; kept: boolean }>({
    name: `events start ${numbering.name}${kept === 'true' ? '' : ' or old'}`,
    text: `SELECT * FROM (WITH RECURSIVE k AS MATERIALIZED (
        SELECT * FROM unnest($1::int[], $2::smallint[], $3::bigint[], $4::timestamptz[], $5::bigint[], $6::bigint[], $7::bigint[])
          WITH ORDINALITY AS k (id, type, total, since, block, log, part, key)
      ), search (key, lo, hi) AS (
        SELECT key, 0::bigint, total FROM k
        UNION ALL
        SELECT key, CASE WHEN before THEN middle ELSE lo END, CASE WHEN before THEN hi ELSE middle - 1 END
        FROM search JOIN k USING (key) CROSS JOIN LATERAL (SELECT (lo + hi + 1) / 2 AS middle) m
        CROSS JOIN LATERAL (
          SELECT coalesce((SELECT coalesce(e.time <= k.since OR ${PLACE} <= (k.block, k.log, k.part), false)
            FROM (${eventsAt(numbering, middle)}) e), true) AS before
        ) e
        WHERE lo < hi
      )
      SELECT key, lo, ${kept} AS kept FROM search JOIN k USING (key) WHERE lo = hi) found`,
    values: [
      ...[scopes.map(idOf), scopes.map(typeOf), scopes.map((s) => s.total), scopes.map((s) => s.since)],
      ...[
        scopes.map((s) => s.after?.blockNumber),
        scopes.map((s) => s.after?.logIndex),
        scopes.map((s) => s.after?.part),
      ],
    ],
  })
  const found = scopes.map(() => 0)
  for (const row of rows) found[row.key - 1] = row.lo
  // The database takes events that it does not have for events before any start.
  const asked = rows.filter((row) => !row.kept && row.lo > 0)
  const history = asked.length > 0 ? await findHistory(reading) : null
  if (!history) return found
  const starts = asked.flatMap(({ key, lo }) => {
    const scope = scopes[key - 1]
    const after = scope?.after ? placeNumbers(scope.after) : null
    return scope ? [{ ...toHistoryScope(scope), below: lo, since: scope.since, after }] : []
  })
  const older = await history.store.findStarts(history.segments, starts)
  for (const [at, { key }] of asked.entries()) found[key - 1] = older[at] ?? 0
  return found
}

/** A place as the history compares it. */
export const placeNumbers = ({ blockNumber, logIndex, part }: EventId) => [blockNumber, logIndex, part] as const

/** An event as stored, with numbers for its type and direction. */
export type StoredEvent = Omit<EventRow, 'type' | 'direction' | 'attribution'> & {
  type: number
  direction: number | null
  attribution: number | null
}

/**
 * Replaces the numbers of type, direction and attribution by their words. Changes the row itself, because pages have
 * many.
 */
export function toEvent(row: StoredEvent): EventRow {
  const event = row as unknown as EventRow
  event.attribution = itemAt(ATTRIBUTIONS, row.attribution ?? 0)
  event.type = itemAt(EVENT_TYPES, row.type - 1)
  event.direction = row.direction === null ? null : itemAt(DIRECTIONS, row.direction - 1)
  return event
}

/** The events with these running numbers, in any order. `known`: some of those that are in the history. */
export async function readEventsByNumber(
  reading: Reading,
  ns: readonly number[],
  known: ReadonlyMap<number, OldEvent> = new Map(),
): Promise<EventRow[]> {
  if (ns.length === 0) return []
  const rows = await reading.query<StoredEvent>({
    name: 'events by number',
    text: `SELECT ${EVENT_COLUMNS} FROM event e JOIN token t ON t.id = e.token_id JOIN wallet w ON w.id = e.wallet_id
      WHERE e.n = ANY ($1::bigint[])`,
    values: [ns],
  })
  const events = rows.map(toEvent)
  const found = new Set(events.map(({ n }) => n))
  const missing = ns.filter((n) => n > 0 && !found.has(n))
  if (missing.length === 0) return events
  const history = await findHistory(reading)
  if (!history) {
    requireKept(reading)
    return events
  }
  const unknown = missing.filter((n) => !known.has(n))
  const read = await history.store.readNumbers(history.segments, unknown)
  const old = await readOldEvents(reading, [...read, ...missing.flatMap((n) => known.get(n) ?? [])])
  requireAll(reading, new Set(missing).size, old.size)
  return [...events, ...old.values()]
}

/** The events at these places, in any order. */
export async function readEventsAt(reading: Reading, places: readonly EventId[]): Promise<EventRow[]> {
  const all = { tokenId: null, walletId: null, type: null, since: null, total: reading.head.eventCount }
  const found = await findStart(
    reading,
    places.map((after) => ({ ...all, after })),
  )
  // The newest event that is not after the place, perhaps one before it.
  return readEventsByNumber(reading, found)
}
