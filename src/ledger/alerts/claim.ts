// Claims messages for workers. A worker claims a message for a limited time, sends it without a transaction, and then
// settles it. An expired claim is taken over. Accounts take turns, and each has only a few messages in flight, so that
// none can delay the others.
import type { NotificationChannel } from '../../base/vocabulary.ts'
import type { Database, pg } from '../../database/client.ts'
import { inTransaction } from '../../database/transaction.ts'

/** The most messages in flight of an account, by channel, in all processes together. */
export const ON_THE_WAY = 2
/** How long a claim lasts: longer than any call or mail may take, so that it expires only when its worker is gone. */
export const CLAIM_MS = 120_000
/** The accounts whose messages a worker tries to claim before it waits for the next wake-up. */
const TRIED_ACCOUNTS = 50
/** First half of the advisory lock of an account's claims, by channel. */
const LOCKS: Record<NotificationChannel, number> = { email: 731_001, webhook: 731_002 }

export interface MessageClaim {
  messageId: string
  /** Settles only messages with this claim number. */
  number: number
}

// Walks over the index from account to account to find those with pending messages.
const ACCOUNTS = `WITH RECURSIVE waiting AS (
    SELECT min(account_id) AS account_id FROM alert_message WHERE status = 'pending' AND channel = $2
    UNION ALL
    SELECT (SELECT min(account_id) FROM alert_message WHERE status = 'pending' AND channel = $2 AND account_id > w.account_id)
    FROM waiting w WHERE w.account_id IS NOT NULL
  )
  SELECT w.account_id AS id FROM waiting w
  WHERE EXISTS (SELECT FROM alert_message WHERE status = 'pending' AND channel = $2 AND account_id = w.account_id AND next_attempt_at <= $1)
    AND (SELECT count(*) FROM alert_message WHERE channel = $2 AND account_id = w.account_id AND claimed_until > $1) < ${ON_THE_WAY}
  ORDER BY (SELECT max(claim) FROM alert_message WHERE channel = $2 AND account_id = w.account_id AND claim IS NOT NULL) NULLS FIRST, id
  LIMIT ${TRIED_ACCOUNTS}`

// A message of a webhook of events waits for the earlier ones. A message that a sweep has locked is skipped.
const CLAIM = `UPDATE alert_message SET claim = nextval('alert_claim'), claimed_until = $4
  WHERE id = (SELECT m.id FROM alert_message m
    WHERE m.status = 'pending' AND m.channel = $2 AND m.account_id = $3 AND m.next_attempt_at <= $1
      AND (m.claimed_until IS NULL OR m.claimed_until <= $1)
      AND (m.turn IS NULL OR NOT EXISTS (SELECT FROM alert_message o
        WHERE o.alert_id = m.alert_id AND o.status = 'pending' AND o.turn < m.turn))
      AND (SELECT count(*) FROM alert_message WHERE channel = $2 AND account_id = $3 AND claimed_until > $1) < ${ON_THE_WAY}
    ORDER BY m.next_attempt_at, m.turn, m.id LIMIT 1 FOR UPDATE OF m SKIP LOCKED)
  RETURNING id AS "messageId", claim AS number`

/** Claims the next due message of a channel; null: none is due, or other workers have them. */
export async function claimNext(
  { pool }: Database,
  channel: NotificationChannel,
  now: Date,
): Promise<MessageClaim | null> {
  const { rows } = await pool.query<{ id: number }>(ACCOUNTS, [now, channel])
  for (const { id } of rows) {
    const claim = await inTransaction(pool, (client) => claimOf(client, channel, id, now))
    if (claim) return claim
  }
  return null
}

/** The lock keeps two workers from counting the account's claims at the same time. */
async function claimOf(
  client: pg.PoolClient,
  channel: NotificationChannel,
  accountId: number,
  now: Date,
): Promise<MessageClaim | null> {
  const lock = await client.query<{ won: boolean }>('SELECT pg_try_advisory_xact_lock($1, $2) AS won', [
    LOCKS[channel],
    accountId,
  ])
  if (!lock.rows[0]?.won) return null
  const { rows } = await client.query<MessageClaim>(CLAIM, [
    now,
    channel,
    accountId,
    new Date(now.getTime() + CLAIM_MS),
  ])
  return rows[0] ?? null
}
