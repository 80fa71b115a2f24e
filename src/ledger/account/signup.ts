// Sign-ups: requests for a mail with a link, the links that were mailed, and the account that a link opens. A request
// has no token: the sender makes one for each try, so that no token is ever stored, only its hash.
import { randomUUID } from 'node:crypto'
import { mailboxOf } from '../../base/mailbox.ts'
import type { Plan } from '../../base/vocabulary.ts'
import type { pg } from '../../database/client.ts'
import { SIGNUP_CHANNEL } from '../../database/listen.ts'
import { inTransaction } from '../../database/transaction.ts'
import { consumeInvite } from './invite.ts'
import { addKey, type Secret } from './key.ts'

export interface SignupRequest {
  id: string
  email: string
  /** Null: none came with it. */
  inviteHash: Buffer | null
  createdAt: Date
  /** Tries, with the current one. */
  attempts: number
}

/** After an hour nobody waits for a mail: without a sender that keeps up, the rows are those of an hour. */
const FORGOTTEN_AFTER = '1 hour'

/** Stores a request and wakes the sender. Deletes the requests that are too old. */
export async function insertSignupRequest(
  pool: pg.Pool,
  { email, inviteHash, now }: { email: string; inviteHash: Buffer | null; now: Date },
): Promise<void> {
  await pool.query(
    `WITH old AS (DELETE FROM signup_request WHERE created_at <= $4::timestamptz - interval '${FORGOTTEN_AFTER}'),
     made AS (INSERT INTO signup_request (id, email, invite_hash, created_at, next_attempt_at)
       VALUES ($1, $2, $3, $4, $4) RETURNING id)
     SELECT pg_notify($5, '') FROM made`,
    [randomUUID(), email, inviteHash, now, SIGNUP_CHANNEL],
  )
}

/** Takes the request that is due longest, and leaves it alone until `leasedUntil`; null if none is due. */
export async function claimSignupRequest(pool: pg.Pool, now: Date, leasedUntil: Date): Promise<SignupRequest | null> {
  const { rows } = await pool.query<SignupRequest>(
    `UPDATE signup_request SET attempts = attempts + 1, next_attempt_at = $2 WHERE id = (
       SELECT id FROM signup_request WHERE next_attempt_at <= $1 ORDER BY next_attempt_at, id LIMIT 1 FOR UPDATE SKIP LOCKED)
     RETURNING id, email, invite_hash AS "inviteHash", created_at AS "createdAt", attempts`,
    [now, leasedUntil],
  )
  return rows[0] ?? null
}

export async function deferSignupRequest(pool: pg.Pool, id: string, until: Date): Promise<void> {
  await pool.query('UPDATE signup_request SET next_attempt_at = $2 WHERE id = $1', [id, until])
}

export async function deleteSignupRequest(pool: pg.Pool, id: string): Promise<void> {
  await pool.query('DELETE FROM signup_request WHERE id = $1', [id])
}

interface NewLink {
  hash: Buffer
  email: string
  inviteHash: Buffer | null
  expiresAt: Date
}

/** Stores a link, and deletes those that have expired. */
export async function insertSignupLink(pool: pg.Pool, link: NewLink, now: Date): Promise<void> {
  await pool.query('DELETE FROM signup_link WHERE expires_at <= $1', [now])
  await pool.query('INSERT INTO signup_link (hash, email, invite_hash, expires_at) VALUES ($1, $2, $3, $4)', [
    ...[link.hash, link.email, link.inviteHash, link.expiresAt],
  ])
}

/** The address that the mailbox's account was opened with; null if there is no account. */
export async function findAccountEmail(pool: pg.Pool, email: string): Promise<string | null> {
  const { rows } = await pool.query<{ email: string }>('SELECT email FROM account WHERE mailbox = $1', [
    mailboxOf(email),
  ])
  return rows[0]?.email ?? null
}

export interface Confirmation {
  /** The hash of the link's token. */
  hash: Buffer
  /** The key that the link gives. */
  secret: Secret
  /** Whether a new account needs an invite. */
  needsInvite: boolean
  now: Date
  /** When the key of an account that exists already ends. */
  signInUntil: Date
}

export interface Confirmed {
  keyId: number
  email: string
  plan: Plan
  /** When the key ends by itself; null: it does not. */
  expiresAt: Date | null
}

/** A new account without a usable invite; thrown, so that the transaction leaves the link as it was. */
class Uninvited extends Error {}

/**
 * Uses a link up. Of parallel requests with one link, one succeeds. A new account gets a key for good; one that exists
 * gets a key until `signInUntil`. `gone`: the link was used, has expired, never was, or was mailed to another spelling.
 * `uninvited`: the account is new, and the link's invite cannot be used.
 */
export async function confirmSignup(pool: pg.Pool, given: Confirmation): Promise<Confirmed | 'gone' | 'uninvited'> {
  try {
    return await inTransaction(pool, (client) => confirm(client, given))
  } catch (error) {
    if (error instanceof Uninvited) return 'uninvited'
    throw error
  }
}

async function confirm(client: pg.ClientBase, given: Confirmation): Promise<Confirmed | 'gone'> {
  const { hash, secret, needsInvite, now, signInUntil } = given
  const { rows: links } = await client.query<Omit<NewLink, 'hash'>>(
    `DELETE FROM signup_link WHERE hash = $1 AND expires_at > $2 RETURNING email, invite_hash AS "inviteHash"`,
    [hash, now],
  )
  const [link] = links
  // Without an error, which would close the connection: anybody may send made-up tokens.
  if (!link) return 'gone'
  const { rowCount: opened } = await client.query(
    `INSERT INTO account (email, mailbox, plan) VALUES ($1, $2, 'free') ON CONFLICT (mailbox) DO NOTHING`,
    [link.email, mailboxOf(link.email)],
  )
  if (opened && needsInvite && !(link.inviteHash && (await consumeInvite(client, link.inviteHash, now))))
    throw new Uninvited()
  const { rows: accounts } = await client.query<{ id: number; email: string; plan: Plan }>(
    'SELECT id, email, plan FROM account WHERE mailbox = $1',
    [mailboxOf(link.email)],
  )
  const [account] = accounts
  if (!account) throw new Error('an account is gone')
  // A server may deliver a +tag to somebody else. Only a mail to the account's own spelling signs in.
  if (account.email.toLowerCase() !== link.email.toLowerCase()) return 'gone'
  const { id: accountId, email, plan } = account
  const key = opened ? { name: 'First key' } : { name: 'Sign-in', expiresAt: signInUntil }
  const keyId = await addKey(client, { accountId, now, ...key }, secret)
  return { keyId, email, plan, expiresAt: opened ? null : signInUntil }
}
