// Deletes old events, in steps that are short for all others. Only events of final blocks are deleted, and only after
// answers have stopped showing them: `chain.events_since` moves first, day by day.
import type { pg } from '../../database/client.ts'

/** The most events in one deletion: some tens of milliseconds. */
const FORGET_STEP = 10_000

// The oldest kept block is the newest final one. While no event is old enough there is no boundary, so that answers
// need not look for it.
const MOVE = `UPDATE chain SET events_since = f.since FROM (
    SELECT date_trunc('day', min(time), 'UTC') - $1::integer * interval '1 day' AS since FROM block) f
  WHERE f.since > coalesce(events_since, (SELECT time FROM event ORDER BY n LIMIT 1))`

// Numbers grow with time, so the oldest events have the lowest.
const FORGET = `DELETE FROM event
  WHERE n < (SELECT n FROM event ORDER BY n LIMIT 1) + $1::integer AND time < (SELECT events_since FROM chain)`

/** Moves the boundary to `days` before the newest final block, rounded down to a UTC day. Returns whether it moved. */
export async function moveEventsSince(pool: pg.Pool, days: number): Promise<boolean> {
  return ((await pool.query(MOVE, [days])).rowCount ?? 0) > 0
}

/** Deletes some of the events before the boundary, `most` at most; returns how many. */
export async function forgetEvents(pool: pg.Pool, most = FORGET_STEP): Promise<number> {
  return (await pool.query(FORGET, [most])).rowCount ?? 0
}
