// The writes of an alert sweep: pairs of alert and token that began or ceased to match, notices that a reorganisation
// retracts, and due mails.
import { CHAT_CHANNELS } from '../../fields/channels.ts'
import type { SweepClient, SweptBlock } from './sweep.ts'

/** A pair that began or ceased to match. It is written only if the alert is still active, and unchanged since `revision`. */
export interface Transition {
  alertId: string
  revision: number
  tokenId: number
}

export interface Entry extends Transition {
  initial: boolean
  facts: Record<string, unknown>
}

/**
 * Writes pairs that ceased to match at the block. They cannot notify again until the re-arm time is over. `first`: a pair
 * that waits for that time already goes on waiting from its first departure.
 */
export async function writeDepartures(
  client: SweepClient,
  head: SweptBlock,
  pairs: readonly Transition[],
  counts: 'first' | 'last' = 'last',
): Promise<void> {
  if (pairs.length === 0) return
  await client.query(
    `INSERT INTO alert_departure (alert_id, token_id, left_at)
     SELECT a.id, p.token_id, $4 FROM unnest($1::text[], $2::bigint[], $3::int[]) AS p (alert_id, revision, token_id)
     JOIN alert a ON a.id = p.alert_id AND a.revision = p.revision AND a.status = 'active'
     ON CONFLICT (alert_id, token_id) DO ${counts === 'last' ? 'UPDATE SET left_at = excluded.left_at' : 'NOTHING'}`,
    [...columns(pairs), new Date(head.timeMs)],
  )
}

/** Lets pairs notify again at once: their matches were taken back. */
export async function forgetDepartures(
  client: SweepClient,
  pairs: readonly Pick<Transition, 'alertId' | 'tokenId'>[],
): Promise<void> {
  if (pairs.length === 0) return
  await client.query(
    `DELETE FROM alert_departure d USING unnest($1::text[], $2::int[]) AS p (alert_id, token_id)
     WHERE d.alert_id = p.alert_id AND d.token_id = p.token_id`,
    [pairs.map(({ alertId }) => alertId), pairs.map(({ tokenId }) => tokenId)],
  )
}

/** Writes a notice for each pair that began to match at the block, unless it ceased to match less than `rearmSeconds` before. Returns how many notices. */
export async function writeEntries(
  client: SweepClient,
  head: SweptBlock,
  entries: readonly Entry[],
  rearmSeconds: number,
): Promise<number> {
  if (entries.length === 0) return 0
  const { rowCount } = await client.query(
    `WITH entered AS (
       SELECT a.id AS alert_id, e.token_id, e.initial, e.facts
       FROM unnest($1::text[], $2::bigint[], $3::int[], $4::boolean[], $5::jsonb[]) AS e (alert_id, revision, token_id, initial, facts)
       JOIN alert a ON a.id = e.alert_id AND a.revision = e.revision AND a.status = 'active'
     ), back AS (
       DELETE FROM alert_departure d USING entered e WHERE d.alert_id = e.alert_id AND d.token_id = e.token_id
         AND d.left_at <= $8::timestamptz - make_interval(secs => $9)
     )
     INSERT INTO alert_notice (alert_id, token_id, block_number, block_hash, matched_at, initial, facts)
     SELECT e.alert_id, e.token_id, $6, $7, $8, e.initial, e.facts
     FROM entered e LEFT JOIN alert_departure d ON d.alert_id = e.alert_id AND d.token_id = e.token_id
     WHERE d.left_at IS NULL OR d.left_at <= $8::timestamptz - make_interval(secs => $9)
     ORDER BY e.alert_id, (e.facts->>'liquidityUsd')::float8 DESC, e.token_id
     ON CONFLICT (alert_id, token_id, exit_key) WHERE message_id IS NULL DO NOTHING`,
    [
      ...columns(entries),
      entries.map((entry) => entry.initial),
      entries.map((entry) => JSON.stringify(entry.facts)),
      head.number,
      head.hash,
      new Date(head.timeMs),
      rearmSeconds,
    ],
  )
  return rowCount ?? 0
}

const columns = (pairs: readonly Transition[]) => [
  pairs.map((pair) => pair.alertId),
  pairs.map((pair) => pair.revision),
  pairs.map((pair) => pair.tokenId),
]

export interface OrphanedNotice {
  id: number
  alertId: string
  tokenId: number
  /** Its message was sent already. */
  isSent: boolean
  /** Empty: the token began to match. */
  exitKey: string
  /** The block of the exit; null: it is none. */
  exitBlock: number | null
}

/** Notices of blocks that are no longer on the chain. A message that a worker is sending right now counts as sent. */
export async function readOrphans(client: SweepClient, now: Date): Promise<OrphanedNotice[]> {
  const { rows } = await client.query<OrphanedNotice>(
    `
    WITH orphan AS (
      SELECT n.id, n.alert_id, n.token_id, n.message_id, n.exit_key, (n.facts->'exit'->>'block')::int AS exit_block FROM alert_notice n CROSS JOIN chain c
      WHERE n.block_number > c.finalized
        AND NOT EXISTS (SELECT FROM block b WHERE b.number = n.block_number AND b.hash = n.block_hash)
    ), waiting AS (
      SELECT id FROM alert_message WHERE status = 'pending' AND (claimed_until IS NULL OR claimed_until <= $1)
        AND id IN (SELECT message_id FROM orphan) FOR UPDATE SKIP LOCKED
    )
    SELECT id, alert_id AS "alertId", token_id AS "tokenId", exit_key AS "exitKey", exit_block AS "exitBlock",
      message_id IS NOT NULL AND message_id NOT IN (SELECT id FROM waiting) AS "isSent" FROM orphan`,
    [now],
  )
  return rows
}

/**
 * Deletes notices. A message that loses its last notice is cancelled, and its alert gets back its previous
 * `last_triggered_at`.
 */
export async function cancelNotices(client: SweepClient, ids: readonly number[], now: Date): Promise<void> {
  if (ids.length === 0) return
  const { rows } = await client.query<{ message_id: string | null }>(
    'DELETE FROM alert_notice WHERE id = ANY($1::bigint[]) RETURNING message_id',
    [ids],
  )
  await client.query(
    `WITH cancelled AS (
       UPDATE alert_message m SET status = 'cancelled', response = 'a reorganisation of the chain took the match back', retracted_at = $2
       WHERE m.id = ANY($1::uuid[]) AND m.status = 'pending' AND NOT EXISTS (SELECT FROM alert_notice n WHERE n.message_id = m.id)
       RETURNING m.alert_id, m.previous_triggered_at, m.previous_message_at)
     UPDATE alert a SET last_triggered_at = c.previous_triggered_at, last_message_at = c.previous_message_at
     FROM cancelled c WHERE a.id = c.alert_id`,
    [[...new Set(rows.map((row) => row.message_id).filter((id) => id !== null))], now],
  )
  await client.query(`SELECT pg_notify(chain_channel('assay_outbox'), '')`)
}

/** Marks sent messages whose notices were all retracted by a reorganisation. */
export async function retractSent(client: SweepClient, ids: readonly number[], now: Date): Promise<void> {
  if (ids.length === 0) return
  await client.query(
    `UPDATE alert_message m SET retracted_at = $2
     WHERE m.retracted_at IS NULL AND m.id IN (SELECT message_id FROM alert_notice WHERE id = ANY($1::bigint[]))
       AND NOT EXISTS (SELECT FROM alert_notice n WHERE n.message_id = m.id AND n.id <> ALL($1::bigint[]))`,
    [ids, now],
  )
  await client.query(`SELECT pg_notify(chain_channel('assay_outbox'), '')`)
}

/** Moves notices of orphaned blocks, whose pairs still match on the new chain, to this block. */
export async function moveNotices(client: SweepClient, head: SweptBlock, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await client.query('UPDATE alert_notice SET block_number = $2, block_hash = $3 WHERE id = ANY($1::bigint[])', [
    ids,
    head.number,
    head.hash,
  ])
}

/** The least time between two messages of an alert. */
export interface CoolDown {
  seconds: number
  chatSeconds: number
}

/**
 * The id of a message follows from its alert `a`, the alert's previous message and its tokens. A failover may lose a
 * message that was sent. Its alert then tells the same tokens again under the same id, which receivers know.
 */
const NEWS_ID = `md5(concat_ws('-', a.id, extract(epoch FROM a.last_message_at),
  (SELECT string_agg(token_id || exit_key, ',' ORDER BY token_id, exit_key) FROM alert_notice WHERE alert_id = a.id AND message_id IS NULL)))::uuid`
/** A cancelled message keeps its id, and the next one of its alert gets another. */
const MESSAGE_ID = `CASE WHEN EXISTS (SELECT FROM alert_message WHERE id = ${NEWS_ID}) THEN gen_random_uuid() ELSE ${NEWS_ID} END`

/**
 * Writes one message for each alert that has waiting notices and is past the cool-down of its channel, and sets the
 * alert's `last_triggered_at`. A webhook hears of exits at once. Returns how many messages.
 */
export async function writeMessages(client: SweepClient, now: Date, coolDown: CoolDown): Promise<number> {
  const { rowCount } = await client.query(
    `WITH due AS (
       SELECT a.id AS alert_id, ${MESSAGE_ID} AS message_id, a.key_id, a.account_id, a.name, a.last_triggered_at, a.last_message_at,
         a.notification_channel AS channel,
         CASE WHEN a.notification_channel <> 'email' OR acc.mail_refused_at IS NULL THEN 'pending' ELSE 'suppressed' END AS status
       FROM alert a JOIN account acc ON acc.id = a.account_id
       WHERE a.status = 'active' AND (a.last_message_at IS NULL OR a.last_message_at <= $1::timestamptz - make_interval(secs => CASE WHEN a.notification_channel = ANY($4::text[]) THEN $3::int ELSE $2::int END)
           OR a.notification_channel = 'webhook' AND EXISTS (SELECT FROM alert_notice n WHERE n.alert_id = a.id AND n.message_id IS NULL AND n.exit_key <> ''))
         AND a.id IN (SELECT alert_id FROM alert_notice WHERE message_id IS NULL)
       FOR UPDATE OF a
     ), written AS (
       INSERT INTO alert_message (id, alert_id, key_id, account_id, alert_name, status, previous_triggered_at, previous_message_at, created_at, next_attempt_at, channel)
       SELECT message_id, alert_id, key_id, account_id, name, status, last_triggered_at, last_message_at, $1, $1, channel FROM due
     ), noticed AS (
       UPDATE alert_notice n SET message_id = due.message_id FROM due WHERE n.alert_id = due.alert_id AND n.message_id IS NULL
     )
     UPDATE alert a SET last_triggered_at = $1, last_message_at = $1 FROM due WHERE a.id = due.alert_id`,
    [now, coolDown.seconds, coolDown.chatSeconds, CHAT_CHANNELS],
  )
  if (rowCount) await client.query(`SELECT pg_notify(chain_channel('assay_outbox'), '')`)
  return rowCount ?? 0
}
