// Tickets for streams: each opens one stream, once, until it expires. Only hashes are stored.
import type { pg } from '../../database/client.ts'
import { inTransaction } from '../../database/transaction.ts'

/** Tickets of one secret that wait for their use; another one takes the place of the oldest. */
export const MOST_TICKETS = 20

export interface StreamTicket {
  hash: Buffer
  /** The secret that asked for it. */
  secretHash: Buffer
  expiresAt: Date
}

/** Stores a ticket, and deletes those of its secret that expired or are too many. */
export function insertTicket(pool: pg.Pool, { hash, secretHash, expiresAt }: StreamTicket, now: Date): Promise<void> {
  return inTransaction(pool, async (client) => {
    await client.query(
      `DELETE FROM stream_ticket WHERE secret_hash = $1 AND (expires_at <= $2 OR hash IN (
         SELECT hash FROM stream_ticket WHERE secret_hash = $1 ORDER BY expires_at DESC, hash OFFSET $3))`,
      [secretHash, now, MOST_TICKETS - 1],
    )
    await client.query('INSERT INTO stream_ticket (hash, secret_hash, expires_at) VALUES ($1, $2, $3)', [
      ...[hash, secretHash, expiresAt],
    ])
  })
}

/** Uses a ticket up, and returns the secret that asked for it; null: there is none, or it expired. */
export async function takeTicket(pool: pg.Pool, hash: Buffer, now: Date): Promise<Buffer | null> {
  const { rows } = await pool.query<{ secretHash: Buffer; expiresAt: Date }>({
    name: 'stream_ticket',
    text: 'DELETE FROM stream_ticket WHERE hash = $1 RETURNING secret_hash AS "secretHash", expires_at AS "expiresAt"',
    values: [hash],
  })
  const [ticket] = rows
  return ticket && ticket.expiresAt > now ? ticket.secretHash : null
}

/** Deletes the expired tickets of all secrets. */
export async function clearTickets(pool: pg.Pool, now: Date): Promise<void> {
  await pool.query('DELETE FROM stream_ticket WHERE expires_at <= $1', [now])
}
