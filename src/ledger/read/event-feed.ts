// Events in the order of the chain, for streams: those appended after a running number, and those that reorganisations
// retracted. Each answer has the number of reorganisations, so that a reader notices one between two answers.
import { type EventId, formatEventId } from '../../base/event-id.ts'
import type { Classification } from '../../base/vocabulary.ts'
import type { Database, pg } from '../../database/client.ts'
import { WALLET_FIELDS } from '../../fields/wallet.ts'
import { addHashes, rowsIn, toRows } from '../old-rows.ts'
import { POOL_ADDRESS } from '../pool-address.ts'
import { attachHistoryOn, type OpenHistory } from '../segments.ts'
import { EVENT_COLUMNS, type EventRow, priceUsdOf, type StoredEvent, toEvent } from './event.ts'
import { isClassified } from './wallet.ts'

/** An event with the addresses of both its sides, and of its pool. */
export interface FeedEvent extends EventRow {
  counterpartyAddress: string | null
  /** Null for a transfer. */
  poolAddress: string | null
  /** The class of its wallet at the time of the read; null: it was retracted, or nobody asked. */
  walletClassification: Classification | null
}

/**
 * A reorganisation: the newest block that stayed and the events up to it. Null: the index was emptied or replaced; the
 * events are then those that webhooks have received.
 */
export interface Reorg {
  id: number
  forkBlock: number | null
  eventCount: number
}

/** The end of the chain's events. */
export interface FeedEnd {
  /** The number of the newest reorganisation; 0: there was none. */
  generation: number
  /** Events. */
  n: number
  /** The place of the newest event; null: there is none. */
  place: EventId | null
  final: FinalBlock
}

/** The newest final block; number -1: there is none. */
export interface FinalBlock {
  number: number
  /** Null: unknown. */
  time: Date | null
}

type Queryable = Pick<pg.Pool, 'query'>

const GENERATION = `(SELECT coalesce(max(id), 0) AS generation, coalesce((SELECT finalized FROM chain), -1) AS "finalNumber",
  (SELECT b.time FROM chain c JOIN block b ON b.number = c.finalized) AS "finalTime" FROM reorg)`
const JOINED = `JOIN token t ON t.id = e.token_id JOIN wallet w ON w.id = e.wallet_id
  LEFT JOIN wallet_score s ON s.wallet_id = w.id LEFT JOIN wallet c ON c.id = e.counterparty_id`
const COLUMNS = `${EVENT_COLUMNS}, c.address AS "counterpartyAddress"`

/** An event in the form of streams and webhooks. */
export const toSentEvent = (event: FeedEvent, retracted: boolean) => ({
  id: formatEventId(event),
  type: event.type,
  wallet_address: event.walletAddress,
  token_address: event.tokenAddress,
  token_symbol: event.tokenSymbol,
  amount_usd: event.amountUsd,
  direction: event.direction,
  timestamp: event.timestamp.toISOString(),
  tx_hash: event.transactionHash,
  quantity: event.quantity,
  price_usd: priceUsdOf(event),
  pool: event.poolAddress,
  counterparty: event.counterpartyAddress,
  retracted,
})

type StoredFeedEvent = StoredEvent & Pick<FeedEvent, 'counterpartyAddress' | 'poolAddress' | 'walletClassification'>

interface Moment {
  generation: number
  finalNumber: number
  finalTime: Date | null
}

const toFinal = (row: Moment | undefined): FinalBlock => ({
  number: row?.finalNumber ?? -1,
  time: row?.finalTime ?? null,
})

const toFeedEvent = (row: StoredFeedEvent): FeedEvent => toEvent(row) as FeedEvent

/** The newest event and the newest reorganisation. */
export async function readFeedEnd(pool: Queryable): Promise<FeedEnd> {
  type Row = Moment & { n: number | null } & EventId
  const { rows } = await pool.query<Row>({
    name: 'feed end',
    text: `SELECT g.*, e.* FROM ${GENERATION} g LEFT JOIN LATERAL (
      SELECT n, block_number AS "blockNumber", log_index AS "logIndex", coalesce(part, 0) AS part
      FROM event ORDER BY n DESC LIMIT 1) e ON true`,
  })
  const { generation = 0, n = null, blockNumber = 0, logIndex = 0, part = 0 } = rows[0] ?? {}
  const place = n === null ? null : { blockNumber, logIndex, part }
  return { generation, n: n ?? 0, place, final: toFinal(rows[0]) }
}

/** A filter of a range's events. An empty list sets no condition. */
export interface FeedFilter {
  types: readonly number[]
  tokens: readonly string[]
  /** On either side. */
  wallets: readonly string[]
  walletClassifications: readonly Classification[]
  minAmountUsd: number
}

/** All events, with the class of their wallets: for many readers, some of whom may filter by it. */
export const ALL_EVENTS = {
  types: [],
  tokens: [],
  wallets: [],
  walletClassifications: [],
  minAmountUsd: 0,
  withClass: true,
} satisfies FeedFilter & { withClass: boolean }

interface FeedRead {
  generation: number
  final: FinalBlock
  events: FeedEvent[]
}

interface FeedRange {
  above: number
  /** Null: to the end. */
  below: number | null
}

type AskedFilter = FeedFilter & { withClass?: boolean }

const feedText = (events: string) => `SELECT g.*, e.* FROM ${GENERATION} g LEFT JOIN LATERAL (
        SELECT ${COLUMNS}, (SELECT ${POOL_ADDRESS} FROM pool WHERE pool.id = e.pool_id) AS "poolAddress", CASE WHEN $9::boolean THEN ${WALLET_FIELDS.classification.sql} END AS "walletClassification" FROM ${events} e ${JOINED}
        WHERE e.n > $1 AND ($2::bigint IS NULL OR e.n <= $2) AND (cardinality($4::int[]) = 0 OR e.type = ANY($4::int[]))
          AND (cardinality($5::text[]) = 0 OR t.address = ANY($5))
          AND (cardinality($6::text[]) = 0 OR w.address = ANY($6) OR c.address = ANY($6)) AND e.amount_usd >= $7
          AND (cardinality($8::text[]) = 0 OR ${isClassified('$8::text[]')})
        ORDER BY e.n LIMIT $3) e ON true ORDER BY e.n`

function feedValues({ above, below }: FeedRange, limit: number, filter: AskedFilter): unknown[] {
  const { types, tokens, wallets, walletClassifications, minAmountUsd, withClass = false } = filter
  return [above, below, limit, types, tokens, wallets, minAmountUsd, walletClassifications, withClass]
}

function toFeedRead(rows: readonly (StoredFeedEvent & Moment)[]): FeedRead {
  const events = rows
    .filter(({ n }) => n !== null)
    .map(({ generation: _, finalNumber: __, finalTime: ___, ...row }) => toFeedEvent(row))
  return { generation: rows[0]?.generation ?? 0, final: toFinal(rows[0]), events }
}

/**
 * The events of a range that the database has, oldest first, `limit` at most. It has the newest `FEED_REACH`, and those
 * that webhooks have not received.
 */
export async function readFeed(
  pool: Queryable,
  range: FeedRange,
  limit: number,
  filter: AskedFilter,
): Promise<FeedRead> {
  const { rows } = await pool.query<StoredFeedEvent & Moment>({
    name: 'feed',
    text: feedText('event'),
    values: feedValues(range, limit, filter),
  })
  return toFeedRead(rows)
}

/** The same of a range that may begin in the history. */
export async function readWholeFeed(
  { requestPool: pool, history: store }: Pick<Database, 'requestPool' | 'history'>,
  range: FeedRange,
  limit: number,
  filter: AskedFilter,
): Promise<FeedRead> {
  const history = await attachHistoryOn(pool, store)
  const lastN = Math.min(history?.lastN ?? 0, range.below ?? Number.POSITIVE_INFINITY)
  if (!history || range.above >= lastN) return readFeed(pool, range, limit, filter)
  const events: FeedEvent[] = []
  let above = range.above
  while (above < lastN) {
    const part = { above, below: Math.min(lastN, above + OLD_CHUNK) }
    const read = await readOldFeed(pool, history, part, limit - events.length, filter)
    events.push(...read.events)
    if (events.length >= limit) return { ...read, events }
    above = part.below
  }
  const rest = await readFeed(pool, { above, below: range.below }, limit - events.length, filter)
  return { ...rest, events: [...events, ...rest.events] }
}

/** Events of the history that are read at once. */
const OLD_CHUNK = 2_000

async function readOldFeed(
  pool: Queryable,
  history: OpenHistory,
  range: { above: number; below: number },
  limit: number,
  filter: AskedFilter,
): Promise<FeedRead> {
  const { store, segments } = history
  const [events = []] = await store.readRanges(segments, [{ of: 'all', id: 0, type: null, ...range }])
  const { rows } = await pool.query<StoredFeedEvent & Moment>({
    name: 'old feed',
    text: feedText(rowsIn(10)),
    values: [...feedValues(range, limit, filter), toRows(await addHashes(history, events))],
  })
  return toFeedRead(rows)
}

/** Reorganisations after a number, oldest first, and the oldest one that is kept (0: none). */
export async function readReorgs(pool: Queryable, after: number): Promise<{ oldest: number; reorgs: Reorg[] }> {
  const { rows } = await pool.query<Reorg & { oldest: number }>({
    name: 'feed reorgs',
    text: `SELECT o.oldest, r.* FROM (SELECT coalesce(min(id), 0) AS oldest FROM reorg) o LEFT JOIN LATERAL (
      SELECT id, fork_block AS "forkBlock", event_count AS "eventCount" FROM reorg WHERE id > $1) r ON true ORDER BY r.id`,
    values: [after],
  })
  const reorgs = rows.filter(({ id }) => id !== null).map(({ oldest: _, ...reorg }) => reorg)
  return { oldest: rows[0]?.oldest ?? 0, reorgs }
}

/** Events that a reorganisation retracted, newest first: those with running numbers up to `below`, `limit` at most. */
export async function readRetracted(
  pool: Queryable,
  reorgId: number,
  below: number,
  limit: number,
): Promise<FeedEvent[]> {
  const { rows } = await pool.query<StoredFeedEvent>({
    name: 'feed retracted',
    text: `SELECT ${COLUMNS}, r.pool_address AS "poolAddress", NULL AS "walletClassification" FROM reorg_event r
      CROSS JOIN LATERAL jsonb_populate_record(NULL::event, r.event) e
      CROSS JOIN LATERAL (SELECT r.token_address AS address, r.token_symbol AS symbol,
        (SELECT decimals FROM token WHERE address = r.token_address) AS decimals) t
      CROSS JOIN LATERAL (SELECT r.wallet_address AS address) w
      CROSS JOIN LATERAL (SELECT r.counterparty_address AS address) c
      WHERE r.reorg_id = $1 AND r.n <= $2 ORDER BY r.n DESC LIMIT $3`,
    values: [reorgId, below, limit],
  })
  return rows.map(toFeedEvent)
}

/** How many of a reorganisation's events are not after the place. */
export async function countRetracted(pool: Queryable, reorgId: number, place: EventId): Promise<number> {
  const { rows } = await pool.query<{ n: number | null }>({
    name: 'feed retracted place',
    text: `SELECT max(n) AS n FROM reorg_event WHERE reorg_id = $1 AND (block_number, log_index, part) <= ($2, $3, $4)`,
    values: [reorgId, place.blockNumber, place.logIndex, place.part],
  })
  return rows[0]?.n ?? 0
}

/** The newest reorganisation that retracted an event at this place; null: none did. */
export async function findRetraction(pool: Queryable, place: EventId): Promise<number | null> {
  const { rows } = await pool.query<{ id: number | null }>({
    name: 'feed retraction',
    text: 'SELECT max(reorg_id) AS id FROM reorg_event WHERE (block_number, log_index, part) = ($1, $2, $3)',
    values: [place.blockNumber, place.logIndex, place.part],
  })
  return rows[0]?.id ?? null
}

/** The place of the event with a running number; null: there is none. */
export async function readPlace(
  { requestPool: pool, history: store }: Pick<Database, 'requestPool' | 'history'>,
  n: number,
): Promise<EventId | null> {
  const text = (events: string) =>
    `SELECT block_number AS "blockNumber", log_index AS "logIndex", coalesce(part, 0) AS part FROM ${events} WHERE n = $1`
  const { rows } = await pool.query<EventId>({ name: 'feed place', text: text('event'), values: [n] })
  if (rows[0] || n <= 0) return rows[0] ?? null
  const history = await attachHistoryOn(pool, store)
  if (!history) return null
  const events = await history.store.readNumbers(history.segments, [n])
  const { rows: old } = await pool.query<EventId>({
    name: 'old feed place',
    text: text(rowsIn(2)),
    values: [n, toRows(events)],
  })
  return old[0] ?? null
}

/** A stream begins at most this many events ago: reading them takes a fraction of a second. */
export const FEED_REACH = 100_000
