// Invites: codes of one use, with which a person may open an account. Only hashes are passed in and out.
import type { pg } from '../../database/client.ts'

/** An invite as the operator sees it. */
export interface Invite {
  id: number
  note: string
  createdAt: Date
  expiresAt: Date
  /** Null: not used yet. */
  usedAt: Date | null
}

interface NewInvite {
  hash: Buffer
  note: string
  createdAt: Date
  expiresAt: Date
}

/** Stores an invite and returns its id. */
export async function insertInvite(pool: pg.Pool, { hash, note, createdAt, expiresAt }: NewInvite): Promise<number> {
  const { rows } = await pool.query<{ id: number }>(
    'INSERT INTO invite (hash, note, created_at, expires_at) VALUES ($1, $2, $3, $4) RETURNING id',
    [hash, note, createdAt, expiresAt],
  )
  const id = rows[0]?.id
  if (id === undefined) throw new Error('an insert returned no row')
  return id
}

/** The newest invites, newest first. */
export async function listInvites(pool: pg.Pool, limit: number): Promise<Invite[]> {
  const { rows } = await pool.query<Invite>(
    `SELECT id, note, created_at AS "createdAt", expires_at AS "expiresAt", used_at AS "usedAt"
     FROM invite ORDER BY id DESC LIMIT $1`,
    [limit],
  )
  return rows
}

/** Ends an unused invite at once. Returns whether there was one. */
export async function endInvite(pool: pg.Pool, id: number, at: Date): Promise<boolean> {
  const { rowCount } = await pool.query(
    'UPDATE invite SET expires_at = $2 WHERE id = $1 AND used_at IS NULL AND expires_at > $2',
    [id, at],
  )
  return rowCount === 1
}

const OPEN = 'hash = $1 AND used_at IS NULL AND expires_at > $2'

/** Whether the invite may still be used. */
export async function isInviteOpen(pool: pg.Pool, hash: Buffer, now: Date): Promise<boolean> {
  const { rowCount } = await pool.query(`SELECT FROM invite WHERE ${OPEN}`, [hash, now])
  return rowCount === 1
}

/** Uses the invite up in the caller's transaction. Returns whether it could be used. */
export async function consumeInvite(client: pg.ClientBase, hash: Buffer, now: Date): Promise<boolean> {
  const { rowCount } = await client.query(`UPDATE invite SET used_at = $2 WHERE ${OPEN}`, [hash, now])
  return rowCount === 1
}
