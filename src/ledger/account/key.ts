// Stores API keys. A key has an id, to which its alerts belong, and one secret; two while a rotation overlaps. Only
// hashes and displayable parts are passed in and out, never a secret itself. A revoked key stays in the table, so that
// its actions can still be explained. Its alerts are paused, and go to the next key of the account.

import type { Plan } from '../../base/vocabulary.ts'
import { readChainSchemas } from '../../database/chain-schema.ts'
import type { pg } from '../../database/client.ts'
import { inTransaction } from '../../database/transaction.ts'
import { type AccountTerms, saveAccount } from './account.ts'
import { pauseBeyond, pauseOfKey } from './pause.ts'

export interface Secret {
  hash: Buffer
  prefix: string
  lastFour: string
}

/** The key and account that a secret belongs to. */
export interface KeyHolder {
  keyId: number
  accountId: number
  email: string
  plan: Plan
  requestsPerMinute: number | null
  requestsPerDay: number | null
  /** Null: the plan's. */
  streams: number | null
  /** When this secret stops working because a rotation's overlap ends; null: never. */
  expiresAt: Date | null
}

/** A key as lists show it, with parts of its newest secret. */
export interface KeyListing {
  id: number
  name: string
  email: string
  plan: Plan
  prefix: string
  lastFour: string
  createdAt: Date
  revokedAt: Date | null
  /** When it ends by itself, as the key of a sign-in does; null: it does not. */
  expiresAt: Date | null
}

const HOLDER = `k.id AS "keyId", a.id AS "accountId", a.email, a.plan,
  a.requests_per_minute AS "requestsPerMinute", a.requests_per_day AS "requestsPerDay", a.streams, s.expires_at AS "expiresAt"
  FROM api_key_secret s JOIN api_key k ON k.id = s.key_id JOIN account a ON a.id = k.account_id`

const FIND = `SELECT ${HOLDER} WHERE s.hash = $1 AND k.revoked_at IS NULL`
const FIND_ALL = `SELECT s.hash, ${HOLDER} WHERE s.hash = ANY($1::bytea[]) AND k.revoked_at IS NULL`

/** The holder of the secret; null: there is none, or the key is revoked. The caller checks `expiresAt`. */
export async function findKeyHolder(pool: pg.Pool, hash: Buffer): Promise<KeyHolder | null> {
  const { rows } = await pool.query<KeyHolder>({ name: 'key_holder', text: FIND, values: [hash] })
  return rows[0] ?? null
}

/** `findKeyHolder` for many secrets in one statement; the result is in their order. */
export async function findKeyHolders(pool: pg.Pool, hashes: readonly Buffer[]): Promise<(KeyHolder | null)[]> {
  const { rows } = await pool.query<KeyHolder & { hash: Buffer }>({
    name: 'key_holders',
    text: FIND_ALL,
    values: [hashes],
  })
  const holders = new Map(rows.map(({ hash, ...holder }) => [hash.toString('latin1'), holder]))
  return hashes.map((hash) => holders.get(hash.toString('latin1')) ?? null)
}

/** Stores a new key for the account of the address, and opens the account if there is none. Active alerts beyond the new terms' limit are paused, the newest first. Returns the key's id and those of the paused alerts. */
export function insertKey(
  pool: pg.Pool,
  name: string,
  terms: AccountTerms & { activeAlerts: number | null; webhooks: boolean },
  secret: Secret,
  now: Date,
): Promise<{ id: number; paused: string[] }> {
  return inTransaction(pool, async (client) => {
    const accountId = await saveAccount(client, terms)
    const id = await addKey(client, { accountId, name, now }, secret)
    return { id, paused: await pauseBeyond(client, accountId, terms) }
  })
}

interface NewKey {
  accountId: number
  name: string
  now: Date
  /** When it ends by itself; left out: never. */
  expiresAt?: Date
}

// A key whose alerts nobody reaches: it is revoked, or its last secret has ended.
const takeOver = (schema: string) => `UPDATE ${schema}.alert SET key_id = $1 WHERE account_id = $2 AND key_id IN (
  SELECT id FROM api_key k WHERE account_id = $2 AND (revoked_at IS NOT NULL OR NOT EXISTS (
    SELECT FROM api_key_secret WHERE key_id = k.id AND (expires_at IS NULL OR expires_at > $3))))`

/**
 * Stores a key of an account in the caller's transaction, and returns its id. It takes over the alerts of the account's
 * keys that do not work.
 */
export async function addKey(
  client: pg.ClientBase,
  { accountId, name, now, expiresAt }: NewKey,
  secret: Secret,
): Promise<number> {
  const { rows } = await client.query<{ id: number }>(
    'INSERT INTO api_key (account_id, name) VALUES ($1, $2) RETURNING id',
    [accountId, name],
  )
  const id = rows[0]?.id
  if (id === undefined) throw new Error('an insert returned no row')
  await insertSecret(client, id, secret, expiresAt)
  for (const schema of await readChainSchemas(client)) await client.query(takeOver(schema), [id, accountId, now])
  return id
}

/** A key; with `accountId`, only if the account has it. */
export interface KeyPlace {
  keyId: number
  accountId?: number
}

/** Secrets of a key: its newest one, and those of earlier rotations whose overlap lasts. */
const MOST_SECRETS = 5

/**
 * Gives the key a new secret. Its other secrets work until `overlapEndsAt` at most; beyond `MOST_SECRETS`, those that
 * end first are deleted. Returns false if there is no such key, it is revoked, or it ends by itself.
 */
export function rotateSecret(
  pool: pg.Pool,
  { keyId, accountId }: KeyPlace,
  secret: Secret,
  overlapEndsAt: Date,
): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      `SELECT FROM api_key k WHERE id = $1 AND revoked_at IS NULL AND ($2::int IS NULL OR account_id = $2)
         AND EXISTS (SELECT FROM api_key_secret WHERE key_id = k.id AND expires_at IS NULL) FOR UPDATE`,
      [keyId, accountId ?? null],
    )
    if (rowCount === 0) return false
    await client.query('UPDATE api_key_secret SET expires_at = least(coalesce(expires_at, $2), $2) WHERE key_id = $1', [
      keyId,
      overlapEndsAt,
    ])
    await insertSecret(client, keyId, secret)
    await client.query(
      `DELETE FROM api_key_secret WHERE key_id = $1 AND hash NOT IN (SELECT hash FROM api_key_secret WHERE key_id = $1
         ORDER BY expires_at DESC NULLS FIRST, created_at DESC, hash LIMIT ${MOST_SECRETS})`,
      [keyId],
    )
    return true
  })
}

/**
 * Revokes the key with all its secrets, and pauses its alerts. Revoking it again keeps the first time. Returns false if
 * there is no such key.
 */
export function revokeKey(pool: pg.Pool, { keyId, accountId }: KeyPlace, at: Date): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    // The making and the activation of alerts hold this lock, too.
    const { rowCount } = await client.query(
      `SELECT FROM account a WHERE id = (SELECT account_id FROM api_key WHERE id = $1) AND ($2::int IS NULL OR id = $2)
       FOR NO KEY UPDATE`,
      [keyId, accountId ?? null],
    )
    if (rowCount === 0) return false
    await client.query('UPDATE api_key SET revoked_at = coalesce(revoked_at, $2) WHERE id = $1', [keyId, at])
    await pauseOfKey(client, keyId)
    return true
  })
}

/** Joins a key `k` to its newest secret, as `s`: that of the last rotation. */
export const NEWEST_SECRET = `JOIN LATERAL (SELECT prefix, last_four, expires_at FROM api_key_secret WHERE key_id = k.id
    ORDER BY expires_at DESC NULLS FIRST, created_at DESC, hash LIMIT 1) s ON true`

/** All keys, oldest first. */
export async function listKeys(pool: pg.Pool): Promise<KeyListing[]> {
  const { rows } = await pool.query<KeyListing>(
    `SELECT k.id, k.name, a.email, a.plan, s.prefix, s.last_four AS "lastFour", k.created_at AS "createdAt",
       k.revoked_at AS "revokedAt", s.expires_at AS "expiresAt"
     FROM api_key k JOIN account a ON a.id = k.account_id
     ${NEWEST_SECRET}
     ORDER BY k.id`,
  )
  return rows
}

async function insertSecret(client: pg.ClientBase, keyId: number, secret: Secret, expiresAt?: Date): Promise<void> {
  await client.query(
    'INSERT INTO api_key_secret (hash, key_id, prefix, last_four, expires_at) VALUES ($1, $2, $3, $4, $5)',
    [secret.hash, keyId, secret.prefix, secret.lastFour, expiresAt ?? null],
  )
}
