// The queue of outgoing messages: a worker claims one, sends it, and stores the outcome. Any number of workers share the queue, and
// a message whose worker was killed is taken over when its claim has run out.
import type { Clock } from '../../base/clock.ts'
import { mailboxOf } from '../../base/mailbox.ts'
import type { PowerKind, RiskFlag } from '../../base/vocabulary.ts'
import type { Database, pg } from '../../database/client.ts'
import { inTransaction } from '../../database/transaction.ts'
import { isAway } from '../../database/transient-error.ts'
import { isChat, type NotificationChannel } from '../../fields/channels.ts'
import type { AlertNumbers } from '../../fields/token.ts'
import type { Reason } from '../explanation.ts'
import { PACKED_VERDICT, type PackedVerdict, unpackVerdict } from '../explanation-pack.ts'
import { priceAtHead } from '../present.ts'
import { CHAT_PACE_MS, movePace } from './chat-pace.ts'
import { CLAIM_MS, claimNext, type MessageClaim } from './claim.ts'
import type { WalletExit } from './moves.ts'
import type { WalletTrade } from './trades.ts'

export const MESSAGE_STATUSES = ['pending', 'sent', 'dead', 'refused', 'suppressed', 'cancelled'] as const
export type MessageStatus = (typeof MESSAGE_STATUSES)[number]

/** The pause before an outcome is stored again. */
const STORE_AGAIN_MS = 500

/** How many tokens a mail lists. It only counts the others. */
export const LISTED_TOKENS = 20
/** How many exits a message lists beside: whoever mirrors sales needs each. */
export const LISTED_EXITS = 200

export interface NoticedToken {
  address: string
  name: string
  symbol: string
  initial: boolean
  matchedAt: Date
  facts: AlertNumbers & {
    liquidityUsd: number
    marketCapUsd: number
    riskScore: number
    riskFlags: RiskFlag[]
    holderGrowth1hPct: number
    ageHours: number
    /** From the newest check of its contract; null if unknown. */
    sellable: boolean | null
    sellTaxPct: number | null
    powers: PowerKind[] | null
    began: string[]
    /** Of the wallets that the alert names; left out: it names none. */
    trades?: WalletTrade[]
  }
}

/** A token, and the share that a wallet sold or moved away. */
export interface NoticedExit extends NoticedToken {
  facts: NoticedToken['facts'] & { exit: WalletExit }
}

/** A token of a message, with values of the moment at which the message is sent. */
export interface ToldToken extends NoticedToken {
  /** Of its newest score, dangers first; null: not scored yet. */
  reasons: Reason[] | null
  /** The sentence of its verdict; null: not scored yet. */
  headline: string | null
  /** In USD at the newest block; null: not priced. */
  priceUsd: number | null
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
  tokens: ToldToken[]
  /** How many tokens the mail is about. */
  total: number
  /** What wallets sold or moved away, for an alert that mirrors sales, oldest first. */
  exits: (ToldToken & NoticedExit)[]
  /** Its webhook or chat. Null: it is a mail, or its alert is gone. */
  webhook: OutgoingWebhook | null
  /** Of a webhook of events: the events in their sent form; null: it is about tokens. */
  events: readonly object[] | null
  /** The number of events before its first one that were dropped because too many messages waited. */
  dropped: number
  /** Its owner asked for it, to see whether it arrives: it is about no token. */
  isTest?: boolean
}

/** The URL of a message, and the secrets that sign it, the newest first: none for a chat. */
export interface OutgoingWebhook {
  url: string
  secrets: string[]
}

/** The result of a try. */
export type Outcome =
  | { status: 'sent'; response: string }
  /** Permanent: the receiver of a webhook or chat will not take it, as far as one can tell. */
  | { status: 'retry'; response: string; at: Date; isPermanent?: boolean }
  | { status: 'dead'; response: string }
  /** The recipient was refused permanently: the address gets no more mails, or the alert of the webhook or chat is paused. */
  | { status: 'refused'; response: string }

/**
 * Claims the next due message of a channel, or all that are due for a chat. Sends them through `send`, and stores the
 * outcome of each, in their order. Returns false if there is none to claim. The signal ends a wait for the database.
 */
export async function deliverNext(
  database: Database,
  channel: NotificationChannel,
  clock: Clock,
  send: (messages: readonly OutgoingMessage[]) => Promise<Outcome[]>,
  signal?: AbortSignal,
): Promise<boolean> {
  const endMs = clock.monotonicMs() + CLAIM_MS
  const claim = await claimNext(database, channel, clock.now())
  if (!claim) return false
  const messages = await readMessages(database.pool, claim, clock.now())
  if (messages.length === 0) return true
  const outcomes = await send(messages)
  const restUntil = findRest(outcomes, clock.now())
  // A transaction for each: it locks one alert, so that it never waits for a sweep in a circle.
  for (const [at, message] of messages.entries()) {
    const outcome = outcomes[at]
    if (!outcome) throw new Error('a message has no outcome')
    await untilStored({ clock, endMs, signal }, () =>
      inTransaction(database.pool, (client) =>
        store(client, channel, { claim, message, outcome, restUntil, now: clock.now() }),
      ),
    )
  }
  return true
}

interface Storing {
  clock: Clock
  /** When the claim runs out. */
  endMs: number
  /** Aborted when the worker stops. */
  signal: AbortSignal | undefined
}

/** Tries again while the database is away: a message without an outcome is sent again when its claim has run out. */
async function untilStored({ clock, endMs, signal }: Storing, work: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isAway(error) || clock.monotonicMs() > endMs || signal?.aborted) throw error
      await clock.sleep(STORE_AGAIN_MS, signal)
    }
  }
}

interface Try {
  claim: MessageClaim
  message: OutgoingMessage
  outcome: Outcome
  /** Until when a chat gets no further message. */
  restUntil: Date
  now: Date
}

async function store(client: pg.PoolClient, channel: NotificationChannel, done: Try): Promise<void> {
  const { claim, message, outcome, restUntil, now } = done
  // Other writers of messages of events lock their alerts first, too.
  if (message.events) await client.query('SELECT FROM alert WHERE id = $1 FOR NO KEY UPDATE', [message.alertId])
  if (!(await settle(client, { id: message.id, number: claim.number }, outcome, now))) return
  await holdBack(client, message, outcome, now)
  if (isChat(channel) && message.webhook) await movePace(client, message.webhook.url, restUntil)
  if (channel !== 'email') await settleWebhook(client, message.alertId, outcome, now)
  else if (outcome.status === 'refused') await suppress(client, message, toPlainWords(outcome.response), now)
}

/** A chat rests for its pace, and after a failure until the next try. */
function findRest(outcomes: readonly Outcome[], now: Date): Date {
  const tries = outcomes.flatMap((outcome) => (outcome.status === 'retry' ? [outcome.at.getTime()] : []))
  return new Date(Math.max(now.getTime() + CHAT_PACE_MS, tries.length > 0 ? Math.min(...tries) : 0))
}

/**
 * The claimed messages, the longest wait first, without those that a reorganisation has retracted since. Those whose
 * alert has got another URL than the first since wait for the end of the claim.
 */
async function readMessages(pool: pg.Pool, claim: MessageClaim, now: Date): Promise<OutgoingMessage[]> {
  type Row = Omit<OutgoingMessage, keyof Noticed | 'webhook'> & { url: string | null; secrets: string[] }
  const { rows: claimed } = await pool.query<Row>(
    `SELECT m.id, m.alert_id AS "alertId", m.alert_name AS "alertName", m.account_id AS "accountId", acc.email,
       m.created_at AS "createdAt", m.attempts, m.events, m.dropped, a.webhook_url AS url,
       array_remove(ARRAY[a.webhook_secret, CASE WHEN a.webhook_old_until > $1 THEN a.webhook_old_secret END], NULL) AS secrets
     FROM alert_message m JOIN account acc ON acc.id = m.account_id
     LEFT JOIN alert a ON a.id = m.alert_id AND m.channel <> 'email'
     WHERE m.id = ANY($2::uuid[]) AND m.claim = $3 AND m.status = 'pending' ORDER BY m.created_at, m.id`,
    [now, claim.messageIds, claim.number],
  )
  const rows = claimed.filter(({ url }) => url === claimed[0]?.url)
  const noticed = await readNoticed(
    pool,
    rows.map(({ id }) => id),
    LISTED_TOKENS,
  )
  const known = await readKnown(
    pool,
    [...noticed.values()].flatMap(({ tokens, exits }) => [...tokens, ...exits].map(({ address }) => address)),
  )
  return rows.map(({ url, secrets, ...message }) => {
    const { tokens, exits, total } = noticed.get(message.id) ?? NOTHING_NOTICED
    const tell = <Token extends NoticedToken>(token: Token) => ({
      ...token,
      ...(known.get(token.address) ?? { reasons: null, headline: null, priceUsd: null }),
    })
    const webhook = url === null ? null : { url, secrets }
    return { ...message, webhook, tokens: tokens.map(tell), exits: exits.map(tell), total }
  })
}

type Known = Pick<ToldToken, 'reasons' | 'headline' | 'priceUsd'>

/** Verdicts and prices, by address. */
async function readKnown(pool: pg.Pool, addresses: readonly string[]): Promise<Map<string, Known>> {
  if (addresses.length === 0) return new Map()
  type Row = { address: string; packed: PackedVerdict | null; priceUsd: number | null }
  const { rows } = await pool.query<Row>(
    `SELECT t.address, ${PACKED_VERDICT} AS packed, nullif(${priceAtHead('t')}, 0) AS "priceUsd"
     FROM token t LEFT JOIN token_score s ON s.token_id = t.id WHERE t.address = ANY($1::text[])`,
    [[...new Set(addresses)]],
  )
  return new Map(
    rows.map(({ address, packed, priceUsd }) => {
      const verdict = packed && unpackVerdict(packed)
      return [address, { reasons: verdict?.findings ?? null, headline: verdict?.headline || null, priceUsd }]
    }),
  )
}

/** What a message is about. */
export interface Noticed {
  /** The first tokens that began to match. */
  tokens: NoticedToken[]
  /** How many there are. */
  total: number
  exits: NoticedExit[]
}

export const NOTHING_NOTICED: Noticed = { tokens: [], total: 0, exits: [] }

/** The first `limit` tokens of each message, how many it has in total, and its exits. */
export async function readNoticed(
  client: pg.Pool | pg.PoolClient,
  messageIds: readonly string[],
  limit: number,
): Promise<Map<string, Noticed>> {
  const { rows } = await client.query<NoticedToken & { messageId: string; total: number }>(
    `SELECT "messageId", total, address, name, symbol, initial, "matchedAt", facts FROM (
       SELECT n.message_id AS "messageId", t.address, t.name, t.symbol, n.initial, n.matched_at AS "matchedAt", n.facts,
         n.id, count(*) FILTER (WHERE n.exit_key = '') OVER (PARTITION BY n.message_id) AS total, n.exit_key <> '' AS is_exit,
         row_number() OVER (PARTITION BY n.message_id, n.exit_key <> '' ORDER BY n.id) AS place
       FROM alert_notice n JOIN token t ON t.id = n.token_id WHERE n.message_id = ANY($1::uuid[])) listed
     WHERE place <= CASE WHEN is_exit THEN ${LISTED_EXITS} ELSE $2 END ORDER BY id`,
    [messageIds, limit],
  )
  const byMessage = new Map<string, Noticed>()
  for (const { messageId, total, ...token } of rows) {
    const noticed = byMessage.get(messageId) ?? { tokens: [], total, exits: [] }
    if (isExit(token)) noticed.exits.push(token)
    else noticed.tokens.push(token)
    byMessage.set(messageId, noticed)
  }
  return byMessage
}

const isExit = (token: NoticedToken): token is NoticedExit => 'exit' in token.facts

/** How many characters of a server's answer are stored at most. */
const RESPONSE_LENGTH = 500

/**
 * A server's answer for the operator: one short line, without control characters that a terminal executes or the
 * database refuses.
 */
const toPlainWords = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, RESPONSE_LENGTH)

/** Returns false if another worker has claimed the message, or it was cancelled: then another outcome is stored. */
async function settle(
  client: pg.PoolClient,
  claim: { id: string; number: number },
  outcome: Outcome,
  now: Date,
): Promise<boolean> {
  const response = toPlainWords(outcome.response)
  const status = outcome.status === 'retry' ? 'pending' : outcome.status
  // A failover may have lost the claim. A message that nobody claims since has been sent all the same.
  const { rowCount } = await client.query(
    `UPDATE alert_message SET status = $2, attempts = attempts + 1, response = $3, sent_at = $4, next_attempt_at = coalesce($5, next_attempt_at),
       events = CASE WHEN $2 = 'sent' THEN NULL ELSE events END, claimed_until = NULL
     WHERE id = $1 AND (claim = $6 OR claim IS NULL AND $2 = 'sent') AND status = 'pending'`,
    [
      claim.id,
      status,
      response,
      outcome.status === 'sent' ? now : null,
      outcome.status === 'retry' ? outcome.at : null,
      claim.number,
    ],
  )
  return rowCount === 1
}

/**
 * After a failed message, the later messages of events wait with it. After a sent one, the webhook's next message lines
 * up behind those of the account's other webhooks.
 */
async function holdBack(
  client: pg.PoolClient,
  { alertId, events }: OutgoingMessage,
  outcome: Outcome,
  now: Date,
): Promise<void> {
  if (events === null) return
  const waiting = `alert_id = $1 AND status = 'pending' AND turn IS NOT NULL`
  const [of, at] =
    outcome.status === 'retry'
      ? [waiting, outcome.at]
      : [`id = (SELECT id FROM alert_message WHERE ${waiting} ORDER BY turn LIMIT 1)`, now]
  await client.query(`UPDATE alert_message SET next_attempt_at = $2 WHERE ${of} AND next_attempt_at < $2`, [
    alertId,
    at,
  ])
}

/** No more mails to an address that was refused. */
async function suppress(client: pg.PoolClient, message: OutgoingMessage, response: string, now: Date): Promise<void> {
  await client.query(
    'UPDATE account SET mail_refused_at = $2, mail_refused_reason = $3 WHERE id = $1 AND mail_refused_at IS NULL',
    [message.accountId, now, response],
  )
  await client.query(
    `UPDATE alert_message SET status = 'suppressed', response = 'the address was refused before' WHERE id IN (
       SELECT id FROM alert_message WHERE account_id = $1 AND status = 'pending' AND channel = 'email'
         AND (claimed_until IS NULL OR claimed_until <= $2) FOR UPDATE SKIP LOCKED)`,
    [message.accountId, now],
  )
}

/** Refusals in a row after which a webhook's alert is paused. */
const MAX_FAILURES = 10

/** Counts refusals in a row; pauses the alert after ten, when a message was given up, or when the receiver is gone. */
async function settleWebhook(client: pg.PoolClient, alertId: string, outcome: Outcome, now: Date): Promise<void> {
  if (outcome.status === 'sent') {
    await client.query('UPDATE alert SET webhook_failures = 0 WHERE id = $1 AND webhook_failures > 0', [alertId])
    return
  }
  const isOver = outcome.status === 'refused' || outcome.status === 'dead'
  if (!isOver && !(outcome.status === 'retry' && outcome.isPermanent)) return
  await client.query(
    `UPDATE alert SET webhook_failures = webhook_failures + 1,
       status = CASE WHEN $2 OR webhook_failures + 1 >= ${MAX_FAILURES} THEN 'paused' ELSE status END,
       webhook_disabled_at = CASE WHEN $2 OR webhook_failures + 1 >= ${MAX_FAILURES} THEN coalesce(webhook_disabled_at, $3) END
     WHERE id = $1`,
    [alertId, isOver, now],
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
     WHERE m.id = $1 AND m.status IN ('dead', 'refused', 'suppressed') AND acc.id = m.account_id AND (m.channel <> 'email' OR acc.mail_refused_at IS NULL)`,
    [id, now],
  )
  if (rowCount) await database.pool.query(`SELECT pg_notify(chain_channel('assay_outbox'), '')`)
  return Boolean(rowCount)
}

/** Lets a refused address get mails again. Returns false if no account has the address, or it was not refused. */
export async function enableAddress(database: Database, email: string): Promise<boolean> {
  const { rowCount } = await database.pool.query(
    'UPDATE account SET mail_refused_at = NULL, mail_refused_reason = NULL WHERE mailbox = $1 AND mail_refused_at IS NOT NULL',
    [mailboxOf(email)],
  )
  return Boolean(rowCount)
}
