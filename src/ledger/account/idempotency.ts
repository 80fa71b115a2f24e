// Stores answers by (key, Idempotency-Key) for 24 hours, so that a repeated POST does not act twice. A claim is a row
// without an answer. Another request can take over the claim of a killed process after a minute. The claim fixes the
// alert's id, so that the new request finds an alert that was already made. Times are the database's, which all
// processes share.
import type { pg } from '../../database/client.ts'

/** An answer, exactly as it was sent. */
export interface StoredAnswer {
  status: number
  headers: Record<string, string>
  body: string
}

export type Claim =
  /** The caller acts: it makes the alert with this id, then calls `completeClaim` or `releaseClaim`. */
  | { kind: 'claimed'; alertId: string }
  | { kind: 'stored'; answer: StoredAnswer }
  /** The same Idempotency-Key was used with another body. */
  | { kind: 'other_body' }
  | { kind: 'in_flight' }

/** How long an answer is kept. */
const KEPT = '24 hours'
/** After this time a claim without an answer can be taken over: no request takes so long, so its process is gone. */
const ABANDONED = '1 minute'

const CLAIM = `INSERT INTO idempotency AS i (key_id, token, body_hash) VALUES ($1, $2, $3)
  ON CONFLICT (key_id, token) DO UPDATE
    SET body_hash = excluded.body_hash, status = NULL, headers = NULL, body = NULL, created_at = now(),
      alert_id = CASE WHEN i.body_hash = excluded.body_hash AND i.created_at > now() - interval '${KEPT}'
        THEN i.alert_id ELSE excluded.alert_id END
    WHERE i.created_at <= now() - interval '${KEPT}'
      OR (i.status IS NULL AND i.created_at <= now() - interval '${ABANDONED}')
  RETURNING alert_id AS "alertId"`

interface Row {
  bodyHash: Buffer
  status: number | null
  headers: Record<string, string> | null
  body: string | null
}

/** Claims an Idempotency-Key (`token`) for a body, or returns why it cannot. */
async function claim(pool: pg.Pool, keyId: number, token: string, bodyHash: Buffer): Promise<Claim> {
  const claimed = await pool.query<{ alertId: string }>(CLAIM, [keyId, token, bodyHash])
  if (claimed.rows[0]) return { kind: 'claimed', ...claimed.rows[0] }
  const { rows } = await pool.query<Row>(
    'SELECT body_hash AS "bodyHash", status, headers, body FROM idempotency WHERE key_id = $1 AND token = $2',
    [keyId, token],
  )
  const row = rows[0]
  if (row && !row.bodyHash.equals(bodyHash)) return { kind: 'other_body' }
  if (!row || row.status === null) return { kind: 'in_flight' }
  return { kind: 'stored', answer: { status: row.status, headers: row.headers ?? {}, body: row.body ?? '' } }
}

/** Stores the answer of a claim, and deletes answers older than 24 hours. */
async function completeClaim(pool: pg.Pool, keyId: number, token: string, answer: StoredAnswer): Promise<void> {
  await pool.query('UPDATE idempotency SET status = $3, headers = $4, body = $5 WHERE key_id = $1 AND token = $2', [
    keyId,
    token,
    answer.status,
    answer.headers,
    answer.body,
  ])
  await pool.query(`DELETE FROM idempotency WHERE created_at <= now() - interval '${KEPT}'`)
}

/** Gives a claim up after a failure, so that the next request with the token can act at once. */
async function releaseClaim(pool: pg.Pool, keyId: number, token: string): Promise<void> {
  const text = `UPDATE idempotency SET created_at = created_at - interval '${ABANDONED}'
    WHERE key_id = $1 AND token = $2 AND status IS NULL`
  await pool.query(text, [keyId, token])
}

/** Claims in the ledger. */
export const createClaims = (pool: pg.Pool) => ({
  claim: (keyId: number, token: string, bodyHash: Buffer) => claim(pool, keyId, token, bodyHash),
  complete: (keyId: number, token: string, answer: StoredAnswer) => completeClaim(pool, keyId, token, answer),
  release: (keyId: number, token: string) => releaseClaim(pool, keyId, token),
})
