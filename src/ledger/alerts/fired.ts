// Messages of alerts for streams: those of some keys after a moment, oldest first.
import type { Database, pg } from '../../database/client.ts'
import type { Delivery } from './delivery.ts'
import { explainOutcome } from './delivery-outcome.ts'
import { LISTED_TOKENS, type MessageStatus, NOTHING_NOTICED, readNoticed } from './outbox.ts'

/** A message of an alert that was written, or that a reorganisation retracted. */
export interface FiredAlert {
  id: string
  keyId: number
  alertId: string
  /** The time of its writing, or of its retraction. */
  at: Date
  retracted: boolean
}

/** The most messages in one read. */
export const FIRED_AT_ONCE = 1_000

/** The messages of the keys that were written or retracted at `since` or later. */
export async function readFired(
  pool: Pick<pg.Pool, 'query'>,
  keyIds: readonly number[],
  since: Date,
): Promise<FiredAlert[]> {
  const of = (at: 'created_at' | 'retracted_at', retracted: boolean) =>
    `(SELECT id, key_id AS "keyId", alert_id AS "alertId", ${at} AS at, ${retracted} AS retracted FROM alert_message
      WHERE key_id = ANY($1::int[]) AND ${at} >= $2 AND turn IS NULL ORDER BY ${at}, id LIMIT ${FIRED_AT_ONCE})`
  const { rows } = await pool.query<FiredAlert>({
    name: 'fired',
    text: `SELECT * FROM (${of('created_at', false)} UNION ALL ${of('retracted_at', true)}) m
      ORDER BY at, retracted, id LIMIT ${FIRED_AT_ONCE}`,
    values: [keyIds, since],
  })
  return rows
}

/** A message or its retraction, as the last one that a reader got. */
export type FiredPlace = Pick<FiredAlert, 'id' | 'retracted'>

/** The newest moment at which a message was written or retracted, and that of a place; null: there is none. */
export async function readFiredMoment(
  pool: Pick<pg.Pool, 'query'>,
  keyId: number,
  place: FiredPlace | null,
): Promise<{ newest: Date | null; own: Date | null }> {
  const { rows } = await pool.query<{ newest: Date | null; own: Date | null }>({
    name: 'fired moment',
    text: `SELECT (SELECT greatest(max(created_at), max(retracted_at)) FROM alert_message WHERE key_id = $1 AND turn IS NULL) AS newest,
      (SELECT CASE WHEN $3::boolean THEN retracted_at ELSE created_at END FROM alert_message
        WHERE key_id = $1 AND id::text = $2 AND turn IS NULL) AS own`,
    values: [keyId, place?.id ?? null, place?.retracted ?? false],
  })
  return rows[0] ?? { newest: null, own: null }
}

/** A message of a key with its first tokens; null: the key has none with this id. */
export async function readDelivery(
  { requestPool: pool }: Pick<Database, 'requestPool'>,
  keyId: number,
  id: string,
): Promise<Delivery | null> {
  type Row = Omit<Delivery, 'tokens' | 'tokenCount' | 'exits'> & { status: MessageStatus }
  const { rows } = await pool.query<Row>({
    name: 'delivery',
    text: `SELECT id, status, created_at AS "createdAt", sent_at AS "sentAt", attempts, response,
        event_count AS "eventCount" FROM alert_message
      WHERE id = $1 AND key_id = $2`,
    values: [id, keyId],
  })
  const [row] = rows
  if (!row) return null
  const { tokens, exits, total } = (await readNoticed(pool, [id], LISTED_TOKENS)).get(id) ?? NOTHING_NOTICED
  return { ...row, response: explainOutcome(row.status, row.response), tokens, exits, tokenCount: total }
}
