// Claims messages for workers. A worker claims a message for a limited time, sends it without a transaction, and then
// settles it. An expired claim is taken over. Accounts take turns, and each has only a few messages in flight, so that
// none can delay the others. A chat gets one message a minute, so a worker claims all that are due for it.

import type { Database, pg } from '../../database/client.ts'
import { inTransaction } from '../../database/transaction.ts'
import { byChannel, type ChatChannel, isChat, type NotificationChannel } from '../../fields/channels.ts'
import { deferTo, forgetPaces, takePace } from './chat-pace.ts'

/** The most calls and mails in flight of an account, by channel, in all processes together. */
export const ON_THE_WAY = 2
/** How long a claim lasts: longer than any call or mail may take, so that it expires only when its worker is gone. */
export const CLAIM_MS = 120_000
/** The accounts whose messages a worker tries to claim before it waits for the next wake-up. */
const TRIED_ACCOUNTS = 50
/** First half of the advisory lock of an account's claims, by channel. */
const LOCKS = byChannel({ email: 731_001, webhook: 731_002 }, ({ lock }) => lock)
/** The most messages of alerts that one message of a chat tells. */
const TOLD_TOGETHER = 100
/** The chats of an account that a worker tries before it goes on to another account. */
const TRIED_CHATS = 20

export interface MessageClaim {
  /** One, or those of a chat. */
  messageIds: string[]
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
    AND (SELECT count(DISTINCT claim) FROM alert_message WHERE channel = $2 AND account_id = w.account_id AND claimed_until > $1) < ${ON_THE_WAY}
  ORDER BY (SELECT max(claim) FROM alert_message WHERE channel = $2 AND account_id = w.account_id AND claim IS NOT NULL) NULLS FIRST, id
  LIMIT ${TRIED_ACCOUNTS}`

/** The due messages of an account ($3). A message that a sweep has locked is skipped. */
const DUE = `m.status = 'pending' AND m.channel = $2 AND m.account_id = $3 AND m.next_attempt_at <= $1
      AND (m.claimed_until IS NULL OR m.claimed_until <= $1)`
const HAS_ROOM = `(SELECT count(DISTINCT claim) FROM alert_message WHERE channel = $2 AND account_id = $3 AND claimed_until > $1) < ${ON_THE_WAY}`

// A message of a webhook of events waits for the earlier ones.
const CLAIM = `UPDATE alert_message SET claim = nextval('alert_claim'), claimed_until = $4
  WHERE id = (SELECT m.id FROM alert_message m
    WHERE ${DUE}
      AND (m.turn IS NULL OR NOT EXISTS (SELECT FROM alert_message o
        WHERE o.alert_id = m.alert_id AND o.status = 'pending' AND o.turn < m.turn))
      AND ${HAS_ROOM}
    ORDER BY m.next_attempt_at, m.turn, m.id LIMIT 1 FOR UPDATE OF m SKIP LOCKED)
  RETURNING id, claim`

/** The chat of the next due message; null: its alert was deleted. */
const NEXT_CHAT = `SELECT m.id, a.webhook_url AS url FROM alert_message m LEFT JOIN alert a ON a.id = m.alert_id
  WHERE ${DUE} AND ${HAS_ROOM} ORDER BY m.next_attempt_at, m.id LIMIT 1 FOR UPDATE OF m SKIP LOCKED`

/** Claims a message, and those of the same chat ($6), the longest wait first. */
const CLAIM_CHAT = `WITH told AS (SELECT m.id FROM alert_message m LEFT JOIN alert a ON a.id = m.alert_id
    WHERE ${DUE} AND (m.id = $5 OR a.webhook_url = $6)
    ORDER BY m.created_at, m.id LIMIT ${TOLD_TOGETHER} FOR UPDATE OF m SKIP LOCKED),
  number AS MATERIALIZED (SELECT nextval('alert_claim') AS claim)
  UPDATE alert_message SET claim = number.claim, claimed_until = $4 FROM number
  WHERE id IN (SELECT id FROM told) RETURNING id, number.claim`

/** Claims the next due message of a channel; null: none is due, or other workers have them. */
export async function claimNext(
  { pool }: Database,
  channel: NotificationChannel,
  now: Date,
): Promise<MessageClaim | null> {
  const { rows } = await pool.query<{ id: number }>(ACCOUNTS, [now, channel])
  for (const { id } of rows) {
    const claim = await inTransaction(pool, (client) => claimOf(client, channel, id, now))
    if (!claim) continue
    if (isChat(channel)) await forgetPaces(pool, now)
    return claim
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
  if (isChat(channel)) return claimChat(client, channel, accountId, now)
  return claimBy(client, CLAIM, [now, channel, accountId, endOf(now)])
}

const endOf = (now: Date): Date => new Date(now.getTime() + CLAIM_MS)

async function claimBy(client: pg.PoolClient, text: string, values: unknown[]): Promise<MessageClaim | null> {
  const { rows } = await client.query<{ id: string; claim: number }>(text, values)
  return rows[0] ? { messageIds: rows.map(({ id }) => id), number: rows[0].claim } : null
}

/** Claims the due messages of the account's next chat that may get one. The messages of other chats wait. */
async function claimChat(
  client: pg.PoolClient,
  channel: ChatChannel,
  accountId: number,
  now: Date,
): Promise<MessageClaim | null> {
  const account = [now, channel, accountId]
  for (let tried = 0; tried < TRIED_CHATS; tried++) {
    const { rows } = await client.query<{ id: string; url: string | null }>(NEXT_CHAT, account)
    const [next] = rows
    if (!next) return null
    const { id, url } = next
    const claim = () => claimBy(client, CLAIM_CHAT, [...account, endOf(now), id, url])
    if (url === null) return claim()
    const until = await takePace(client, url, now, endOf(now))
    if (until === null) return claim()
    await deferTo(client, { channel, accountId, url, now, until })
  }
  return null
}
