// Locks of tokens in known lockers: the largest of each token, of many tokens in one statement.
import { AT, type Reading, readLists } from './consistent-read.ts'

/** A lock as the locker's logs tell it. */
export interface TokenLockRow {
  locker: string
  /** Null: of several owners. */
  owner: string | null
  /** Percent of the token's supply. */
  sharePct: number
  endsAt: Date
}

/** The locks of a token, the soonest to end first. */
export interface TokenLockRange {
  id: number
  limit: number
}

/** Locks of a token that are read at most: the largest. */
export const MAX_LOCKS = 50

/**
 * A subquery for the locks of a token (a column, by name), each with `held`, what its locker really holds for it: where the
 * logs say more than there is, the locks that end last are short of it. Reads MAX_LOCKS rows, and as many positions by key:
 * no join, which might walk all that hold the token.
 */
export const heldLocks = (token: string): string => `(
  SELECT l.locker_id, l.number, l.owner_id, l.ends_at,
    greatest(0, least(l.amount, coalesce(l.balance, 0) - (sum(l.amount) OVER soonest - l.amount))) AS held
  FROM (
    SELECT one.*, (SELECT balance FROM position h WHERE h.token_id = ${token} AND h.wallet_id = one.locker_id)
    FROM token_lock one WHERE one.token_id = ${token} AND one.amount > 0
    ORDER BY one.amount DESC, one.locker_id, one.number LIMIT ${MAX_LOCKS}) l
  WINDOW soonest AS (PARTITION BY l.locker_id ORDER BY l.ends_at, l.number))`

const TEXT = `SELECT k.key, w.address AS locker, o.address AS owner, l.ends_at AS "endsAt",
    coalesce(100 * l.held::float8 / nullif(t.supply, 0)::float8, 0) AS "sharePct", ${AT}
  FROM unnest($1::int[], $2::int[]) WITH ORDINALITY AS k (id, take, key)
  JOIN token t ON t.id = k.id
  CROSS JOIN LATERAL (
    SELECT * FROM ${heldLocks('k.id')} all_locks WHERE held > 0 ORDER BY ends_at, locker_id, number LIMIT k.take) l
  JOIN wallet w ON w.id = l.locker_id
  LEFT JOIN wallet o ON o.id = l.owner_id
  ORDER BY k.key, l.ends_at, l.locker_id, l.number`

/** The locks of each range, in the order of the ranges. */
export function readTokenLocks(reading: Reading, ranges: readonly TokenLockRange[]): Promise<TokenLockRow[][]> {
  return readLists(reading, ranges.length, {
    name: 'token locks',
    text: TEXT,
    values: [ranges.map((r) => r.id), ranges.map((r) => r.limit)],
  })
}
