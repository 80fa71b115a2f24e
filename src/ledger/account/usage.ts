// Stores how many requests each account made on each UTC day.
import type { pg } from '../../database/client.ts'

/** Requests of one account on one day; negative if requests were given back after they were stored. */
export interface UsageEntry {
  accountId: number
  /** Days since 1970-01-01 UTC. */
  day: number
  requests: number
}

/** Adds all entries, or none if it fails. */
export async function addUsage(pool: pg.Pool, entries: readonly UsageEntry[]): Promise<void> {
  if (entries.length === 0) return
  await pool.query(
    `INSERT INTO usage_day (account_id, day, requests)
     SELECT account_id, date '1970-01-01' + day, requests
     FROM unnest($1::int[], $2::int[], $3::bigint[]) AS u (account_id, day, requests) ORDER BY account_id, day
     ON CONFLICT (account_id, day) DO UPDATE SET requests = usage_day.requests + excluded.requests`,
    [entries.map((e) => e.accountId), entries.map((e) => e.day), entries.map((e) => e.requests)],
  )
}

/** One line of a usage report. */
export interface UsageDay {
  accountId: number
  email: string
  /** `YYYY-MM-DD`, UTC. */
  date: string
  requests: number
}

/** Reads the usage since `sinceDay` (days since 1970), newest day first, of one account or of all. */
export async function readUsage(pool: pg.Pool, sinceDay: number, accountId?: number): Promise<UsageDay[]> {
  const { rows } = await pool.query<UsageDay>(
    `SELECT u.account_id AS "accountId", a.email, to_char(u.day, 'YYYY-MM-DD') AS date, u.requests
     FROM usage_day u JOIN account a ON a.id = u.account_id
     WHERE u.day >= date '1970-01-01' + $1::int AND ($2::int IS NULL OR u.account_id = $2)
     ORDER BY u.day DESC, u.account_id`,
    [sinceDay, accountId ?? null],
  )
  return rows
}
