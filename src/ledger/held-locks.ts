// The SQL that reads a token's locks, for lists and for the facts of scores.

/** How many locks of a token are read at most; the largest are kept. */
export const MAX_LOCKS = 50

/**
 * A subquery for the locks of a token; `token` names the column with its id. `held` is the locker's actual balance for
 * the lock: if the logs have more locked than the balance, the locks that end last get less. It reads MAX_LOCKS rows
 * and looks up as many positions by key, because a join might read all positions of the token.
 */
export const heldLocks = (token: string): string => `(
  SELECT l.locker_id, l.number, l.owner_id, l.ends_at,
    greatest(0, least(l.amount, coalesce(l.balance, 0) - (sum(l.amount) OVER soonest - l.amount))) AS held
  FROM (
    SELECT one.*, (SELECT balance FROM position h WHERE h.token_id = ${token} AND h.wallet_id = one.locker_id)
    FROM token_lock one WHERE one.token_id = ${token} AND one.amount > 0
    ORDER BY one.amount DESC, one.locker_id, one.number LIMIT ${MAX_LOCKS}) l
  WINDOW soonest AS (PARTITION BY l.locker_id ORDER BY l.ends_at, l.number))`
