// Webhooks of events as the dispatch reads and writes them: which there are, up to where events were handed on, and their
// messages, each of which holds some events. What passes a filter is decided elsewhere.
import type { EventFilter } from '../../base/event-filter.ts'
import type { pg } from '../../database/client.ts'

type Client = pg.PoolClient

/** Up to where events were handed on. */
export interface DispatchPlace {
  /** The newest reorganisation. */
  generation: number
  /** Running number of the newest event. */
  n: number
}

/** The place as it stands; null: there is none, since there are no webhooks of events. */
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

/** Forgets the place: the first webhook begins with what happens then. */
export async function endDispatch(client: Pick<pg.Pool, 'query'>): Promise<void> {
  await client.query('DELETE FROM event_dispatch')
}

export async function moveDispatch(client: Client, { generation, n }: DispatchPlace): Promise<void> {
  await client.query('UPDATE event_dispatch SET generation = $1, n = $2', [generation, n])
}

/** How many blocks the index is behind its source. */
export async function readLag(client: Client): Promise<number> {
  const { rows } = await client.query<{ lag: number | null }>(
    'SELECT c.source_head - (SELECT max(number) FROM block) AS lag FROM chain c',
  )
  return rows[0]?.lag ?? 0
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

/** Messages of a webhook that wait at most while its receiver fails or is slow: then it is paused. */
export const MAX_WAITING = 200
/** Messages of a webhook that wait at most, whatever its receiver does: this bounds the database. */
const MAX_WAITING_IN_ALL = 1_000

/** Writes messages of webhooks that are still active, in this order. */
export async function writeEventMessages(client: Client, messages: readonly EventMessage[], now: Date): Promise<void> {
  if (messages.length === 0) return
  const ids = [...new Set(messages.map(({ webhookId }) => webhookId))]
  await client.query(
    `UPDATE alert SET status = 'paused', webhook_disabled_at = $2 WHERE id = ANY($1::text[]) AND status = 'active'
       AND (SELECT count(*) FROM alert_message m WHERE m.alert_id = alert.id AND m.status = 'pending' AND m.turn IS NOT NULL)
         >= CASE WHEN webhook_slow THEN ${MAX_WAITING} ELSE ${MAX_WAITING_IN_ALL} END`,
    [ids, now],
  )
  // One that waits for its next try holds back those after it.
  await client.query(
    `INSERT INTO alert_message (id, alert_id, key_id, account_id, alert_name, status, created_at, next_attempt_at, channel, turn, events, event_count)
     SELECT gen_random_uuid(), a.id, a.key_id, a.account_id, a.name, 'pending', $4,
       greatest($4, (SELECT max(m.next_attempt_at) FROM alert_message m WHERE m.alert_id = a.id AND m.status = 'pending' AND m.turn IS NOT NULL)),
       'webhook', nextval('alert_turn'), g.events::jsonb, g.count
     FROM (SELECT * FROM unnest($1::text[], $2::text[], $3::int[]) WITH ORDINALITY AS u (alert_id, events, count, place) ORDER BY place) g
     JOIN alert a ON a.id = g.alert_id AND a.status = 'active' ORDER BY g.place`,
    [messages.map((m) => m.webhookId), messages.map((m) => m.events), messages.map((m) => m.count), now],
  )
  await client.query('UPDATE alert SET last_triggered_at = $2 WHERE id = ANY($1::text[])', [ids, now])
  await client.query(`SELECT pg_notify('assay_outbox', '')`)
}

/** How long messages of events stay in the log of deliveries. */
const KEPT = '7 days'

/** Deletes messages of events that are done and old. */
export async function forgetEventMessages(client: Client, now: Date): Promise<void> {
  await client.query(
    `DELETE FROM alert_message WHERE id IN (SELECT id FROM alert_message
       WHERE turn IS NOT NULL AND created_at < $1::timestamptz - interval '${KEPT}' AND status <> 'pending' ORDER BY created_at LIMIT 5000)`,
    [now],
  )
}
