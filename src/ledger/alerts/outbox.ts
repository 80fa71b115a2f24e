// The queue of outgoing mails. A worker locks a mail's row while it sends the mail. So any number of workers can share the
// queue, and PostgreSQL releases the lock of a worker that was killed.
import type { RiskFlag } from '../../base/vocabulary.ts'
import type { Database, pg } from '../../database/client.ts'
import { inTransaction } from '../../database/transaction.ts'

export const MESSAGE_STATUSES = ['pending', 'sent', 'dead', 'refused', 'suppressed', 'cancelled'] as const
export type MessageStatus = (typeof MESSAGE_STATUSES)[number]

/** How many tokens a mail lists. Of the others it only says how many there are. */
export const LISTED_TOKENS = 20

export interface NoticedToken {
  address: string
  name: string
  symbol: string
  initial: boolean
  matchedAt: Date
  facts: {
    liquidityUsd: number
    marketCapUsd: number
    riskScore: number
    riskFlags: RiskFlag[]
    holderGrowth1hPct: number
    ageHours: number
    began: string[]
  }
}

export interface OutgoingMessage {
  id: string
  alertId: string
  alertName: string
  accountId: number
  email: string
  createdAt: Date
  /** Tries before this one. */
  attempts: number
  /** The first tokens; within a sweep the ones with most liquidity come first. */
  tokens: NoticedToken[]
  /** How many tokens the mail is about. */
  total: number
}

/** The result of a try. */
export type Outcome =
  | { status: 'sent'; response: string }
  | { status: 'retry'; response: string; at: Date }
  | { status: 'dead'; response: string }
  /** The server refused the recipient permanently, so the address gets no more mails. */
  | { status: 'refused'; response: string }

/** Takes the next due mail, sends it through `send` and stores the outcome. Returns false if no mail is due. */
export function deliverNext(
  database: Database,
  now: Date,
  send: (message: OutgoingMessage) => Promise<Outcome>,
): Promise<boolean> {
  return inTransaction(database.pool, async (client) => {
    const message = await takeNext(client, now)
    if (message) await settle(client, message, await send(message), now)
    return message !== null
  })
}

async function takeNext(client: pg.PoolClient, now: Date): Promise<OutgoingMessage | null> {
  const { rows } = await client.query<Omit<OutgoingMessage, 'tokens' | 'total'>>(
    `SELECT m.id, m.alert_id AS "alertId", m.alert_name AS "alertName", m.account_id AS "accountId", acc.email,
       m.created_at AS "createdAt", m.attempts
     FROM alert_message m JOIN account acc ON acc.id = m.account_id
     WHERE m.status = 'pending' AND m.next_attempt_at <= $1
     ORDER BY m.next_attempt_at, m.id LIMIT 1 FOR UPDATE OF m SKIP LOCKED`,
    [now],
  )
  const message = rows[0]
  if (!message) return null
  const noticed = await readNoticed(client, [message.id], LISTED_TOKENS)
  return { ...message, ...(noticed.get(message.id) ?? { tokens: [], total: 0 }) }
}

/** The first `limit` tokens of each message, and how many it has in total. */
export async function readNoticed(
  client: pg.Pool | pg.PoolClient,
  messageIds: readonly string[],
  limit: number,
): Promise<Map<string, { tokens: NoticedToken[]; total: number }>> {
  const { rows } = await client.query<NoticedToken & { messageId: string; total: number }>(
    `SELECT * FROM (
       SELECT n.message_id AS "messageId", t.address, t.name, t.symbol, n.initial, n.matched_at AS "matchedAt", n.facts,
         n.id, count(*) OVER (PARTITION BY n.message_id) AS total, row_number() OVER (PARTITION BY n.message_id ORDER BY n.id) AS place
       FROM alert_notice n JOIN token t ON t.id = n.token_id WHERE n.message_id = ANY($1::uuid[])) listed
     WHERE place <= $2 ORDER BY id`,
    [messageIds, limit],
  )
  const byMessage = new Map<string, { tokens: NoticedToken[]; total: number }>()
  for (const { messageId, total, address, name, symbol, initial, matchedAt, facts } of rows) {
    const noticed = byMessage.get(messageId) ?? { tokens: [], total }
    noticed.tokens.push({ address, name, symbol, initial, matchedAt, facts })
    byMessage.set(messageId, noticed)
  }
  return byMessage
}

/** How many characters of a server's answer are stored at most. */
const RESPONSE_LENGTH = 500

/** A server's answer for the operator: one short line, without control characters that a terminal obeys or the database refuses. */
const toPlainWords = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, RESPONSE_LENGTH)

async function settle(client: pg.PoolClient, message: OutgoingMessage, outcome: Outcome, now: Date): Promise<void> {
  const response = toPlainWords(outcome.response)
  const status = outcome.status === 'retry' ? 'pending' : outcome.status
  await client.query(
    `UPDATE alert_message SET status = $2, attempts = attempts + 1, response = $3, sent_at = $4, next_attempt_at = coalesce($5, next_attempt_at)
     WHERE id = $1`,
    [
      message.id,
      status,
      response,
      outcome.status === 'sent' ? now : null,
      outcome.status === 'retry' ? outcome.at : null,
    ],
  )
  if (outcome.status !== 'refused') return
  await client.query(
    'UPDATE account SET mail_refused_at = $2, mail_refused_reason = $3 WHERE id = $1 AND mail_refused_at IS NULL',
    [message.accountId, now, response],
  )
  await client.query(
    `UPDATE alert_message SET status = 'suppressed', response = 'the address was refused before' WHERE id IN (
       SELECT id FROM alert_message WHERE account_id = $1 AND status = 'pending' AND id <> $2 FOR UPDATE SKIP LOCKED)`,
    [message.accountId, message.id],
  )
}

export interface OutboxRow {
  id: string
  alertId: string
  alertName: string
  email: string
  status: MessageStatus
  createdAt: Date
  nextAttemptAt: Date
  attempts: number
  response: string | null
}

/** Mails by status, oldest first. */
export async function listOutbox(
  database: Database,
  statuses: readonly MessageStatus[],
  limit: number,
): Promise<OutboxRow[]> {
  const { rows } = await database.pool.query<OutboxRow>(
    `SELECT m.id, m.alert_id AS "alertId", m.alert_name AS "alertName", acc.email, m.status, m.created_at AS "createdAt",
       m.next_attempt_at AS "nextAttemptAt", m.attempts, m.response
     FROM alert_message m JOIN account acc ON acc.id = m.account_id
     WHERE m.status = ANY($1::text[]) ORDER BY m.created_at, m.id LIMIT $2`,
    [statuses, limit],
  )
  return rows
}

/** Puts a mail that was given up or suppressed back into the queue for another 24 hours. Returns false if there is no such mail, or its address is still refused. */
export async function retryMessage(database: Database, id: string, now: Date): Promise<boolean> {
  const { rowCount } = await database.pool.query(
    `UPDATE alert_message m SET status = 'pending', created_at = $2, next_attempt_at = $2 FROM account acc
     WHERE m.id = $1 AND m.status IN ('dead', 'refused', 'suppressed') AND acc.id = m.account_id AND acc.mail_refused_at IS NULL`,
    [id, now],
  )
  if (rowCount) await database.pool.query(`SELECT pg_notify('assay_outbox', '')`)
  return Boolean(rowCount)
}

/** Lets a refused address get mails again. Returns false if no account has the address, or it was not refused. */
export async function enableAddress(database: Database, email: string): Promise<boolean> {
  const { rowCount } = await database.pool.query(
    'UPDATE account SET mail_refused_at = NULL, mail_refused_reason = NULL WHERE lower(email) = lower($1) AND mail_refused_at IS NOT NULL',
    [email],
  )
  return Boolean(rowCount)
}
