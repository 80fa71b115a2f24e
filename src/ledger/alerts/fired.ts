// Messages of alerts as they are written, for streams: those of some keys after a moment, oldest first.
import type { Database, pg } from '../../database/client.ts'
import type { Delivery } from './delivery.ts'
import { explainOutcome } from './delivery-outcome.ts'
import { LISTED_TOKENS, type MessageStatus, readNoticed } from './outbox.ts'

/** A message of an alert. */
export interface FiredAlert {
  id: string
  keyId: number
  alertId: string
  createdAt: Date
}

/** Messages that are read at once. */
export const FIRED_AT_ONCE = 1_000

/** The messages of the keys that were written at `since` or later. */
export async function readFired(
  pool: Pick<pg.Pool, 'query'>,
  keyIds: readonly number[],
  since: Date,
): Promise<FiredAlert[]> {
  const { rows } = await pool.query<FiredAlert>({
    name: 'fired',
    text: `SELECT id, key_id AS "keyId", alert_id AS "alertId", created_at AS "createdAt" FROM alert_message
      WHERE key_id = ANY($1::int[]) AND created_at >= $2 ORDER BY created_at, id LIMIT ${FIRED_AT_ONCE}`,
    values: [keyIds, since],
  })
  return rows
}

/** The newest moment at which a message was written, and the moment of one message; null: there is none. */
export async function readFiredMoment(
  pool: Pick<pg.Pool, 'query'>,
  keyId: number,
  id: string | null,
): Promise<{ newest: Date | null; own: Date | null }> {
  const { rows } = await pool.query<{ newest: Date | null; own: Date | null }>({
    name: 'fired moment',
    text: `SELECT (SELECT max(created_at) FROM alert_message WHERE key_id = $1) AS newest,
      (SELECT created_at FROM alert_message WHERE key_id = $1 AND id::text = $2) AS own`,
    values: [keyId, id],
  })
  return rows[0] ?? { newest: null, own: null }
}

/** A message of a key with its first tokens; null: the key has none of this id. */
export async function readDelivery(
  { requestPool: pool }: Pick<Database, 'requestPool'>,
  keyId: number,
  id: string,
): Promise<Delivery | null> {
  type Row = Omit<Delivery, 'tokens' | 'tokenCount'> & { status: MessageStatus }
  const { rows } = await pool.query<Row>({
    name: 'delivery',
    text: `SELECT id, status, created_at AS "createdAt", sent_at AS "sentAt", attempts, response FROM alert_message
      WHERE id = $1 AND key_id = $2`,
    values: [id, keyId],
  })
  const [row] = rows
  if (!row) return null
  const { tokens, total } = (await readNoticed(pool, [id], LISTED_TOKENS)).get(id) ?? { tokens: [], total: 0 }
  return { ...row, response: explainOutcome(row.status, row.response), tokens, tokenCount: total }
}
