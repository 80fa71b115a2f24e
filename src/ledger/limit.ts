// Counts requests against limits in the database: exact under concurrency and across processes, since each statement
// locks its one row, and nothing is counted for a request that does not fit.
import type pg from 'pg'

/** A window after somebody asked: how much of it is used, and when it ends (milliseconds since 1970). */
export interface Window {
  used: number
  endsAtMs: number
  /** Whether what was asked fitted. */
  granted: boolean
}

// A crash of the whole server may lose the last half second of counts: not worth a disk flush per request.
const TAKE = `INSERT INTO rate_limit AS w (key, used, granted, ends_at)
  SELECT $1, CASE WHEN $2::int <= $3::int THEN $2 ELSE 0 END, $2 <= $3, $4::bigint
  FROM set_config('synchronous_commit', 'off', true)
  ON CONFLICT (key) DO UPDATE SET
    used = CASE WHEN w.ends_at <= $5::bigint THEN excluded.used WHEN w.used + $2 <= $3 THEN w.used + $2 ELSE w.used END,
    granted = CASE WHEN w.ends_at <= $5 THEN excluded.granted ELSE w.used + $2 <= $3 END,
    ends_at = CASE WHEN w.ends_at <= $5 THEN excluded.ends_at ELSE w.ends_at END
  RETURNING used, granted, ends_at AS "endsAtMs"`

export interface LimitRows {
  /** Takes `amount` of `limit` in the window of the key, which is opened until `endsAtMs` when it is not open at `nowMs`. */
  take(key: string, amount: number, limit: number, endsAtMs: number, nowMs: number): Promise<Window>
  /** Gives back to the window of the key, if it is still open. */
  give(key: string, amount: number, nowMs: number): Promise<void>
  /** The window of the key, or null when none is open. */
  read(key: string, nowMs: number): Promise<Window | null>
  /** Removes rows of windows that ended before the time. */
  clear(endedBeforeMs: number): Promise<void>
}

/** The table `rate_limit`. */
export function createLimitRows(pool: pg.Pool): LimitRows {
  return {
    take: async (key, amount, limit, endsAtMs, nowMs) => {
      const values = [key, amount, limit, endsAtMs, nowMs]
      const { rows } = await pool.query<Window>({ name: 'limit_take', text: TAKE, values })
      if (!rows[0]) throw new Error('an insert returned no row')
      return rows[0]
    },
    give: async (key, amount, nowMs) => {
      const text = 'UPDATE rate_limit SET used = greatest(used - $2::int, 0) WHERE key = $1 AND ends_at > $3'
      await pool.query({ name: 'limit_give', text, values: [key, amount, nowMs] })
    },
    read: async (key, nowMs) => {
      const text = 'SELECT used, granted, ends_at AS "endsAtMs" FROM rate_limit WHERE key = $1 AND ends_at > $2'
      const { rows } = await pool.query<Window>({ name: 'limit_read', text, values: [key, nowMs] })
      return rows[0] ?? null
    },
    clear: async (endedBeforeMs) => {
      await pool.query('DELETE FROM rate_limit WHERE ends_at < $1', [endedBeforeMs])
    },
  }
}
