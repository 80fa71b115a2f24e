// Reads what alerts have sent or tried to send: pages of messages of many alerts, with their first tokens, in two statements.
import type { Page, Paged } from '../../base/page.ts'
import type { Database } from '../../database/client.ts'
import { explainOutcome } from './delivery-outcome.ts'
import {
  LISTED_TOKENS,
  type MessageStatus,
  NOTHING_NOTICED,
  type NoticedExit,
  type NoticedToken,
  readNoticed,
} from './outbox.ts'

export interface Delivery {
  id: string
  status: MessageStatus
  createdAt: Date
  sentAt: Date | null
  attempts: number
  /** What happened at the last try, in one of our sentences; null before the first. The server's own words are for the operator only. */
  response: string | null
  /** The first tokens, as in the mail. */
  tokens: NoticedToken[]
  /** How many tokens the message is about. */
  tokenCount: number
  /** What wallets sold or moved away, for an alert that mirrors sales. */
  exits: NoticedExit[]
  /** How many events it holds. */
  eventCount: number
  /** Events before its first one that were dropped. */
  dropped: number
}

export interface DeliveryRange extends Page {
  alertId: string
}

type Row = Omit<Delivery, 'tokens' | 'tokenCount' | 'exits'> & { key: number; total: number }

// Newest first, then by id, so that pages do not overlap. If the page is past the end, one row brings the total alone.
const TEXT = `SELECT k.key, m.*, c.total
  FROM unnest($1::text[], $2::bigint[], $3::int[]) WITH ORDINALITY AS k (alert_id, skip, take, key)
  CROSS JOIN LATERAL (SELECT count(*) AS total FROM alert_message WHERE alert_id = k.alert_id) c
  LEFT JOIN LATERAL (
    SELECT id, status, created_at AS "createdAt", sent_at AS "sentAt", attempts, response, event_count AS "eventCount", dropped
    FROM alert_message WHERE alert_id = k.alert_id ORDER BY created_at DESC, id OFFSET k.skip LIMIT k.take
  ) m ON true
  ORDER BY k.key, m."createdAt" DESC, m.id`

/** Returns a page per range, in the order of the ranges. */
export async function readDeliveries(
  { requestPool: pool }: Pick<Database, 'requestPool'>,
  ranges: readonly DeliveryRange[],
): Promise<Paged<Delivery>[]> {
  const { rows } = await pool.query<Row>({
    name: 'deliveries',
    text: TEXT,
    values: [ranges.map((r) => r.alertId), ranges.map((r) => r.offset), ranges.map((r) => r.limit)],
  })
  const messages = rows.filter((row) => row.id !== null)
  const noticed = await readNoticed(
    pool,
    messages.map((row) => row.id),
    LISTED_TOKENS,
  )
  const pages = ranges.map((): Paged<Delivery> => ({ total: 0, items: [] }))
  for (const { key, total, ...row } of rows) {
    const page = pages[key - 1]
    if (!page) continue
    page.total = total
    if (row.id === null) continue
    const { tokens, exits, total: tokenCount } = noticed.get(row.id) ?? NOTHING_NOTICED
    page.items.push({ ...row, response: explainOutcome(row.status, row.response), tokens, exits, tokenCount })
  }
  return pages
}
