// The locks of a token as SQL, for the lists that show them and for the scores that read them.

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
