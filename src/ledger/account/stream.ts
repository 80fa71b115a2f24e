// The open streams of all processes, which a plan limits. A process confirms its own streams every few seconds. Those
// of a killed process stop counting after a minute.
import type { Database, pg } from '../../database/client.ts'
import { inTransaction } from '../../database/transaction.ts'

/** A stream that was not confirmed for this time counts as closed. */
const GONE = '1 minute'

export interface StreamPlace {
  id: string
  accountId: number
  keyId: number
  /** Hash of the secret that opened it; the stream ends with it. Null: none did. */
  secretHash: Buffer | null
}

/**
 * Takes a place for the stream; false when the account has `limit` open ones. With `replaces` its oldest stream is
 * closed: the reader came back, and the process of that stream does not know it yet.
 */
export function takeStreamPlace(
  { requestPool: pool }: Pick<Database, 'requestPool'>,
  { id, accountId, keyId, secretHash }: StreamPlace,
  limit: number,
  replaces: boolean,
): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    await client.query('SELECT FROM account WHERE id = $1 FOR NO KEY UPDATE', [accountId])
    await client.query(`DELETE FROM stream WHERE account_id = $1 AND seen_at < now() - interval '${GONE}'`, [accountId])
    const { rows } = await client.query<{ id: string }>(
      'SELECT id FROM stream WHERE account_id = $1 ORDER BY opened_at, id',
      [accountId],
    )
    const beyond = rows.slice(0, Math.max(rows.length - limit + 1, 0))
    if (beyond.length > 0 && !replaces) return false
    if (beyond.length > 0) await client.query('DELETE FROM stream WHERE id = ANY($1)', [beyond.map((row) => row.id)])
    await client.query('INSERT INTO stream (id, account_id, key_id, secret_hash) VALUES ($1, $2, $3, $4)', [
      ...[id, accountId, keyId, secretHash],
    ])
    return true
  })
}

/**
 * The streams that may continue: their place is still theirs, their key is not revoked, and their secret has not ended.
 */
export async function renewStreams(pool: pg.Pool, ids: readonly string[], now: Date): Promise<Set<string>> {
  const { rows } = await pool.query<{ id: string }>(
    `WITH mine AS (SELECT s.id, s.seen_at FROM stream s JOIN api_key k ON k.id = s.key_id
       WHERE s.id = ANY($1::uuid[]) AND k.revoked_at IS NULL AND (s.secret_hash IS NULL OR EXISTS (
         SELECT FROM api_key_secret x WHERE x.hash = s.secret_hash AND (x.expires_at IS NULL OR x.expires_at > $2)))),
     renewed AS (UPDATE stream s SET seen_at = now() FROM mine m WHERE s.id = m.id AND m.seen_at < now() - interval '20 seconds')
     SELECT id FROM mine`,
    [ids, now],
  )
  return new Set(rows.map(({ id }) => id))
}

/** Releases the places of streams. */
export async function leaveStreamPlaces(pool: pg.Pool, ids: readonly string[]): Promise<void> {
  await pool.query('DELETE FROM stream WHERE id = ANY($1::uuid[])', [ids])
}

/** Open streams that an account sees. */
export const MOST_STREAMS_SHOWN = 20

/** An open stream as its account sees it. */
export interface OwnStream {
  openedAt: Date
  keyId: number
  keyName: string
}

/** The open streams of an account, newest first. */
export async function listOwnStreams(pool: pg.Pool, accountId: number): Promise<OwnStream[]> {
  const { rows } = await pool.query<OwnStream>(
    `SELECT s.opened_at AS "openedAt", s.key_id AS "keyId", k.name AS "keyName"
     FROM stream s JOIN api_key k ON k.id = s.key_id
     WHERE s.account_id = $1 AND s.seen_at > now() - interval '${GONE}' ORDER BY s.opened_at DESC, s.id LIMIT ${MOST_STREAMS_SHOWN}`,
    [accountId],
  )
  return rows
}
