// Reads the locks of tokens in known lockers: the largest of each token, of many tokens in one statement.
import { heldLocks } from '../held-locks.ts'
import { type Reading, readLists, type SelectText } from './consistent-read.ts'

/** A lock, from the logs of its locker. */
export interface TokenLockRow {
  lockerId: number
  number: number
  tokenId: number
  locker: string
  /** Null: the lock has several owners. */
  owner: string | null
  /** Percent of the token's supply. */
  sharePct: number
  endsAt: Date
}

/** Asks for `limit` locks of a token, the soonest to end first. */
export interface TokenLockRange {
  id: number
  limit: number
}

const TEXT: SelectText = `SELECT k.key, l.locker_id AS "lockerId", l.number, t.id AS "tokenId", w.address AS locker, o.address AS owner, l.ends_at AS "endsAt",
    coalesce(least(100 * l.held::float8 / nullif(t.supply, 0)::float8, 100), 0) AS "sharePct"
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
