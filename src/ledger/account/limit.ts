// Counts requests against limits in the database: exact under concurrency and across processes, since a statement locks
// the rows that it counts in, and nothing is counted for a request that does not fit. What is asked at once is one statement.
import type { pg } from '../../database/client.ts'

/** A window after somebody asked: how much of it is used, and when it ends (milliseconds since 1970). */
export interface Window {
  used: number
  endsAtMs: number
  /** Whether what was asked fitted. */
  granted: boolean
}

// A crash of the whole server may lose the last half second of counts: not worth a disk flush per request.
const TAKE = `INSERT INTO rate_limit AS w (key, used, granted, ends_at)
  SELECT a.key, CASE WHEN a.amount <= a.most THEN a.amount ELSE 0 END, a.amount <= a.most, a.ends_at
  FROM unnest($1::text[], $2::int[], $3::int[], $4::bigint[]) AS a (key, amount, most, ends_at),
    set_config('synchronous_commit', 'off', true) ORDER BY a.key
  ON CONFLICT (key) DO UPDATE SET (used, granted, ends_at) = (
    SELECT CASE WHEN w.ends_at <= $5::bigint THEN excluded.used WHEN w.used + a.amount <= a.most THEN w.used + a.amount ELSE w.used END,
      CASE WHEN w.ends_at <= $5 THEN excluded.granted ELSE w.used + a.amount <= a.most END,
      CASE WHEN w.ends_at <= $5 THEN excluded.ends_at ELSE w.ends_at END
    FROM unnest($1, $2, $3) AS a (key, amount, most) WHERE a.key = w.key)
  RETURNING key, used, granted, ends_at AS "endsAtMs"`

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

interface Asked {
  amount: number
  limit: number
  endsAtMs: number
  nowMs: number
  resolve(window: Window): void
  reject(error: unknown): void
}

/** One statement for all; the rows are locked in the order of their keys, so that no two statements wait for each other. */
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

/** The table `rate_limit`. */
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
        // A statement counts in a row only once.
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
