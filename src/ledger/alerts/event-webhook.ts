// Webhooks of events for the dispatch: the active ones, the newest event that was handed on, and their messages with
// some events each. Another file decides which events pass a filter.
import type { EventFilter } from '../../base/event-filter.ts'
import type { Lag } from '../../base/max-lag.ts'
import type { pg } from '../../database/client.ts'
import { SECONDS_A_BLOCK, toLag } from '../lag.ts'

type Client = pg.PoolClient

/** The newest event that was handed on. */
export interface DispatchPlace {
  /** The newest reorganisation. */
  generation: number
  /** Running number of the newest event. */
  n: number
}

/** The current place; null: there is none, because there are no webhooks of events. */
export async function readDispatch(client: Pick<pg.Pool, 'query'>): Promise<DispatchPlace | null> {
  const { rows } = await client.query<DispatchPlace>('SELECT generation, n FROM event_dispatch')
  return rows[0] ?? null
}

/** Locks the place until the transaction ends; null: another process holds it. The first time it is `end`. */
export async function lockDispatch(client: Client, end: DispatchPlace): Promise<DispatchPlace | null> {
  await client.query('INSERT INTO event_dispatch (generation, n) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING', [
    end.generation,
    end.n,
  ])
  const { rows } = await client.query<DispatchPlace>('SELECT generation, n FROM event_dispatch FOR UPDATE SKIP LOCKED')
  return rows[0] ?? null
}

/** Deletes the place: the next first webhook begins with the events of its time. */
export async function endDispatch(client: Pick<pg.Pool, 'query'>): Promise<void> {
  await client.query('DELETE FROM event_dispatch')
}

export async function moveDispatch(client: Client, { generation, n }: DispatchPlace): Promise<void> {
  await client.query('UPDATE event_dispatch SET generation = $1, n = $2', [generation, n])
}

/** How far the index is behind its source. */
export async function readLag(client: Client): Promise<Lag> {
  const { rows } = await client.query<{ lag: number | null; block_seconds: number | null }>(
    `SELECT c.source_head - (SELECT max(number) FROM block) AS lag, ${SECONDS_A_BLOCK} AS block_seconds FROM chain c`,
  )
  return toLag(rows[0]?.lag ?? 0, rows[0]?.block_seconds ?? null)
}

export interface EventWebhookRow {
  id: string
  filter: EventFilter
}

/** The active ones. */
export async function readEventWebhooks(client: Pick<pg.Pool, 'query'>): Promise<EventWebhookRow[]> {
  const { rows } = await client.query<EventWebhookRow>(
    `SELECT id, conditions AS filter FROM alert WHERE subject = 'events' AND status = 'active' ORDER BY id`,
  )
  return rows
}

export interface EventMessage {
  webhookId: string
  /** An array of JSON. */
  events: string
  count: number
}

/** The most events in a message. */
export const MESSAGE_EVENTS = 100
/**
 * The most waiting messages of a webhook, which bounds the database. Later events are dropped, counted and reported.
 */
export const MAX_WAITING = 200

/** A count of dropped events stops here. */
const MOST_COUNTED = 2 ** 31 - 1

/** A webhook whose events are dropped from now on. */
export interface DropBegin {
  webhookId: string
  events: number
}

/**
 * Writes messages of webhooks that are still active, in this order. A waiting message that was never tried takes in the next events while
 * it has room. Returns the webhooks whose events began to be dropped.
 */
export async function writeEventMessages(
  client: Client,
  messages: readonly EventMessage[],
  now: Date,
): Promise<DropBegin[]> {
  if (messages.length === 0) return []
  const ids = [...new Set(messages.map(({ webhookId }) => webhookId))]
  // Other writers of a message lock its alert first, too.
  const { rows: active } = await client.query<{ id: string }>(
    `SELECT id FROM alert WHERE id = ANY($1::text[]) AND status = 'active' ORDER BY id FOR NO KEY UPDATE`,
    [ids],
  )
  const isActive = new Set(active.map(({ id }) => id))
  const wanted = messages.filter(({ webhookId }) => isActive.has(webhookId))
  const joined = await joinWaiting(client, wanted)
  const began = await appendMessages(
    client,
    wanted.filter((_, at) => !joined.has(at)),
    now,
  )
  await client.query('UPDATE alert SET last_triggered_at = $2 WHERE id = ANY($1::text[])', [ids, now])
  await client.query(`SELECT pg_notify(chain_channel('assay_outbox'), '')`)
  return began
}

const columns = (messages: readonly EventMessage[]) => [
  messages.map((m) => m.webhookId),
  messages.map((m) => m.events),
  messages.map((m) => m.count),
]
const GIVEN = 'unnest($1::text[], $2::text[], $3::int[]) WITH ORDINALITY AS g (alert_id, events, count, place)'
const OF_WEBHOOK = `m.status = 'pending' AND m.turn IS NOT NULL`

/** Puts the first events of each webhook into its last waiting message. Returns the places of those that found room. */
async function joinWaiting(client: Client, messages: readonly EventMessage[]): Promise<Set<number>> {
  // A message that was tried keeps its events: its receiver may know them by its id. After dropped events a new message
  // begins.
  const { rows } = await client.query<{ place: number }>(
    `UPDATE alert_message m SET events = m.events || g.events::jsonb, event_count = m.event_count + g.count
     FROM (SELECT DISTINCT ON (alert_id) * FROM ${GIVEN} ORDER BY alert_id, place) g
     JOIN alert a ON a.id = g.alert_id AND a.webhook_untold = 0
     CROSS JOIN LATERAL (SELECT m.id FROM alert_message m WHERE m.alert_id = a.id AND ${OF_WEBHOOK} ORDER BY m.turn DESC LIMIT 1) last
     WHERE m.id = last.id AND m.attempts = 0 AND m.claimed_until IS NULL AND m.event_count + g.count <= ${MESSAGE_EVENTS}
     RETURNING g.place::int`,
    columns(messages),
  )
  return new Set(rows.map(({ place }) => place - 1))
}

/**
 * Appends messages up to the bound, and counts the events of the others. The first message after dropped events has
 * their number.
 */
async function appendMessages(client: Client, messages: readonly EventMessage[], now: Date): Promise<DropBegin[]> {
  if (messages.length === 0) return []
  // A message that waits for its next try delays the later ones.
  const { rows } = await client.query<DropBegin>(
    `WITH given AS (SELECT g.*, row_number() OVER (PARTITION BY alert_id ORDER BY place) AS nth FROM ${GIVEN}),
     queue AS (
       SELECT a.id, a.key_id, a.account_id, a.name, a.webhook_untold AS untold, waiting.*
       FROM alert a CROSS JOIN LATERAL (SELECT count(*) AS length, max(m.next_attempt_at) AS next
         FROM alert_message m WHERE m.alert_id = a.id AND ${OF_WEBHOOK}) waiting
       WHERE a.id = ANY($1::text[])
     ), written AS (
       INSERT INTO alert_message (id, alert_id, key_id, account_id, alert_name, status, created_at, next_attempt_at, channel, turn, events, event_count, dropped)
       SELECT gen_random_uuid(), q.id, q.key_id, q.account_id, q.name, 'pending', $4, greatest($4, q.next), 'webhook', nextval('alert_turn'),
         g.events::jsonb, g.count, CASE g.nth WHEN 1 THEN q.untold ELSE 0 END
       FROM given g JOIN queue q ON q.id = g.alert_id WHERE q.length + g.nth <= ${MAX_WAITING} ORDER BY g.place
     ), dropped AS (
       SELECT q.id, q.untold, q.length < ${MAX_WAITING} AS is_told, coalesce(sum(g.count) FILTER (WHERE q.length + g.nth > ${MAX_WAITING}), 0)::int AS events
       FROM given g JOIN queue q ON q.id = g.alert_id GROUP BY q.id, q.untold, q.length
     ), counted AS (
       UPDATE alert a SET webhook_untold = least(${MOST_COUNTED} - d.events, CASE WHEN d.is_told THEN 0 ELSE a.webhook_untold END) + d.events,
         webhook_dropped = least(${MOST_COUNTED} - d.events, a.webhook_dropped) + d.events, webhook_dropped_at = CASE WHEN d.events > 0 THEN $4 ELSE a.webhook_dropped_at END
       FROM dropped d WHERE a.id = d.id AND (d.events > 0 OR a.webhook_untold > 0)
     )
     SELECT id AS "webhookId", events FROM dropped WHERE events > 0 AND untold = 0`,
    [...columns(messages), now],
  )
  return rows
}

/** How long messages of events stay in the log of deliveries. */
const KEPT = '7 days'

/** Deletes old messages of events that are done. */
export async function forgetEventMessages(client: Client, now: Date): Promise<void> {
  await client.query(
    `DELETE FROM alert_message WHERE id IN (SELECT id FROM alert_message
       WHERE turn IS NOT NULL AND created_at < $1::timestamptz - interval '${KEPT}' AND status <> 'pending' ORDER BY created_at LIMIT 5000)`,
    [now],
  )
}
