// The keys that an account manages by itself: those that work, without the revoked ones and those that have ended.
import type { Page, Paged } from '../../base/page.ts'
import type { pg } from '../../database/client.ts'
import { inTransaction } from '../../database/transaction.ts'
import { addKey, type KeyPlace, NEWEST_SECRET, type Secret } from './key.ts'

/** A key as its account sees it, with parts of its newest secret. */
export interface OwnKey {
  id: number
  name: string
  prefix: string
  lastFour: string
  createdAt: Date
  /** Exact to a minute; null: never used. */
  lastUsedAt: Date | null
  /** When it ends by itself; null: it does not. */
  expiresAt: Date | null
}

type OwnPlace = Required<KeyPlace>

const WORKING = `FROM api_key k ${NEWEST_SECRET}
  WHERE k.account_id = $1 AND k.revoked_at IS NULL AND (s.expires_at IS NULL OR s.expires_at > $2)`

const SELECT = `SELECT k.id, k.name, s.prefix, s.last_four AS "lastFour", k.created_at AS "createdAt",
  k.last_used_at AS "lastUsedAt", s.expires_at AS "expiresAt" ${WORKING}`

/** Newest first. */
export async function listOwnKeys(pool: pg.Pool, accountId: number, page: Page, now: Date): Promise<Paged<OwnKey>> {
  const { rows: counted } = await pool.query<{ total: number }>(`SELECT count(*)::int AS total ${WORKING}`, [
    ...[accountId, now],
  ])
  const total = counted[0]?.total ?? 0
  const { offset, limit } = page
  if (offset >= total) return { total, items: [] }
  const { rows } = await pool.query<OwnKey>(`${SELECT} ORDER BY k.id DESC OFFSET $3 LIMIT $4`, [
    ...[accountId, now, offset, limit],
  ])
  return { total, items: rows }
}

/** Null: the account has no such key that works. */
export async function findOwnKey(
  client: pg.Pool | pg.ClientBase,
  { keyId, accountId }: OwnPlace,
  now: Date,
): Promise<OwnKey | null> {
  const { rows } = await client.query<OwnKey>(`${SELECT} AND k.id = $3`, [accountId, now, keyId])
  return rows[0] ?? null
}

/**
 * Stores a key and returns its id; null if the account has as many working keys already, or made as many in 24 hours.
 * Keys that end by themselves do not count as working.
 */
export function insertOwnKey(
  pool: pg.Pool,
  key: { accountId: number; name: string; now: Date },
  secret: Secret,
  most: { working: number; perDay: number },
): Promise<number | null> {
  return inTransaction(pool, async (client) => {
    await client.query('SELECT FROM account WHERE id = $1 FOR NO KEY UPDATE', [key.accountId])
    const { rows } = await client.query<{ hasRoom: boolean }>(
      `SELECT count(*) FILTER (WHERE revoked_at IS NULL
           AND EXISTS (SELECT FROM api_key_secret WHERE key_id = k.id AND expires_at IS NULL)) < $2
         AND count(*) FILTER (WHERE created_at > now() - interval '24 hours') < $3 AS "hasRoom"
       FROM api_key k WHERE account_id = $1`,
      [key.accountId, most.working, most.perDay],
    )
    return rows[0]?.hasRoom ? addKey(client, key, secret) : null
  })
}

/** Returns whether the account has such a key that is not revoked. */
export async function renameOwnKey(pool: pg.Pool, { keyId, accountId }: OwnPlace, name: string): Promise<boolean> {
  const { rowCount } = await pool.query(
    'UPDATE api_key SET name = $3 WHERE id = $1 AND account_id = $2 AND revoked_at IS NULL',
    [keyId, accountId, name],
  )
  return rowCount === 1
}
