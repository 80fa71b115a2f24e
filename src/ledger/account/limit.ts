// Counts requests against limits in the database. Counts are exact across concurrent processes, because a statement
// locks the rows in which it counts. A request that exceeds its limit is not counted. Requests that arrive together
// share a statement.
import type { pg } from '../../database/client.ts'

/** The state of a limit's window after a request: how much is used, and when it ends (milliseconds since 1970). */
export interface Window {
  used: number
  endsAtMs: number
  /** Whether the request fitted into the limit. */
  granted: boolean
}

/** A window that ends so much later than a new one would was opened before a clock was set back: it counts as over. */
export const MOST_SKEW_MS = 60_000
const IS_OVER = `(w.ends_at <= $5::bigint OR w.ends_at > excluded.ends_at + ${MOST_SKEW_MS})`

// Commits do not wait for the disk. A crash of the whole server may lose the last half second of counts, which is not worth a
// disk flush per request.
const TAKE = `INSERT INTO rate_limit AS w (key, used, granted, ends_at)
  SELECT a.key, CASE WHEN a.amount <= a.most THEN a.amount ELSE 0 END, a.amount <= a.most, a.ends_at
  FROM unnest($1::text[], $2::int[], $3::int[], $4::bigint[]) AS a (key, amount, most, ends_at),
    set_config('synchronous_commit', 'off', true) ORDER BY a.key
  ON CONFLICT (key) DO UPDATE SET (used, granted, ends_at) = (
    SELECT CASE WHEN ${IS_OVER} THEN excluded.used WHEN w.used + a.amount <= a.most THEN w.used + a.amount ELSE w.used END,
      CASE WHEN ${IS_OVER} THEN excluded.granted ELSE w.used + a.amount <= a.most END,
      CASE WHEN ${IS_OVER} THEN excluded.ends_at ELSE w.ends_at END
    FROM unnest($1, $2, $3) AS a (key, amount, most) WHERE a.key = w.key)
  RETURNING key, used, granted, ends_at AS "endsAtMs"`

export interface LimitRows {
  /** Takes `amount` of `limit` in the key's window. If no window is open at `nowMs`, a new one opens that ends at `endsAtMs`. */
  take(key: string, amount: number, limit: number, endsAtMs: number, nowMs: number): Promise<Window>
  /** Gives `amount` back to the key's window, if it is still open. */
  give(key: string, amount: number, nowMs: number): Promise<void>
  /** Returns the key's window, or null if none is open. */
  read(key: string, nowMs: number): Promise<Window | null>
  /** Deletes windows that ended before the time. */
  clear(endedBeforeMs: number): Promise<void>
}

interface Asked {
  amount: number
  limit: number
  endsAtMs: number
  nowMs: number
  resolve(window: Window): void
  reject(error: unknown): void
}

/**
 * Charges all requests in one statement. It locks rows in the order of their keys, so that two statements cannot
 * deadlock.
 */
async function takeAll(pool: pg.Pool, batch: ReadonlyMap<string, Asked>): Promise<void> {
  const takes = [...batch.values()]
  const values = [
    [...batch.keys()],
    takes.map(({ amount }) => amount),
    takes.map(({ limit }) => limit),
    takes.map(({ endsAtMs }) => endsAtMs),
    Math.max(...takes.map(({ nowMs }) => nowMs)),
  ]
  try {
    const { rows } = await pool.query<Window & { key: string }>({ name: 'limit_take', text: TAKE, values })
    for (const { key, ...window } of rows) batch.get(key)?.resolve(window)
  } catch (error) {
    for (const { reject } of takes) reject(error)
  }
}

/** Limits counted in the table `rate_limit`. */
export function createLimitRows(pool: pg.Pool): LimitRows {
  let asked = new Map<string, Asked>()
  const flush = () => {
    const batch = asked
    asked = new Map()
    if (batch.size > 0) void takeAll(pool, batch)
  }
  return {
    take: (key, amount, limit, endsAtMs, nowMs) =>
      new Promise((resolve, reject) => {
        // An upsert can change a row only once, so the same key needs another statement.
        if (asked.has(key)) flush()
        if (asked.size === 0) queueMicrotask(flush)
        asked.set(key, { amount, limit, endsAtMs, nowMs, resolve, reject })
      }),
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
