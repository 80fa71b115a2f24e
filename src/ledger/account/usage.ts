// Stores how many requests each account made on each UTC day by route, and when each key was last used.
import type { pg } from '../../database/client.ts'

/** Requests of one account on one day by one route; negative if requests were given back after they were stored. */
export interface UsageEntry {
  accountId: number
  /** Days since 1970-01-01 UTC. */
  day: number
  /** Method and path, such as `GET /v1/tokens/{address}`, or `other`: one of a closed set. */
  route: string
  requests: number
}

/** Adds all entries, or none if it fails. */
export async function addUsage(pool: pg.Pool, entries: readonly UsageEntry[]): Promise<void> {
  if (entries.length === 0) return
  await pool.query(
    `INSERT INTO usage_day (account_id, day, route, requests)
     SELECT account_id, date '1970-01-01' + day, route, requests
     FROM unnest($1::int[], $2::int[], $3::text[], $4::bigint[]) AS u (account_id, day, route, requests)
     ORDER BY account_id, day, route
     ON CONFLICT (account_id, day, route) DO UPDATE SET requests = usage_day.requests + excluded.requests`,
    [
      entries.map((e) => e.accountId),
      entries.map((e) => e.day),
      entries.map((e) => e.route),
      entries.map((e) => e.requests),
    ],
  )
}

/** The newest use of a key. */
export interface KeyUse {
  keyId: number
  at: Date
}

/**
 * Notes the uses, exact to a minute: a busy key is then one write a minute. A row that another process is writing is
 * left to it.
 */
export async function noteKeyUses(pool: pg.Pool, uses: readonly KeyUse[]): Promise<void> {
  if (uses.length === 0) return
  await pool.query({
    name: 'key_uses',
    text: `WITH due AS (SELECT k.id, u.at FROM unnest($1::int[], $2::timestamptz[]) AS u (id, at) JOIN api_key k USING (id)
       WHERE k.last_used_at IS NULL OR k.last_used_at < u.at - interval '1 minute' ORDER BY k.id FOR NO KEY UPDATE OF k SKIP LOCKED)
     UPDATE api_key k SET last_used_at = due.at FROM due WHERE k.id = due.id`,
    values: [uses.map(({ keyId }) => keyId), uses.map(({ at }) => at)],
  })
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
    `SELECT u.account_id AS "accountId", a.email, to_char(u.day, 'YYYY-MM-DD') AS date, sum(u.requests)::float8 AS requests
     FROM usage_day u JOIN account a ON a.id = u.account_id
     WHERE u.day >= date '1970-01-01' + $1::int AND ($2::int IS NULL OR u.account_id = $2)
     GROUP BY u.account_id, a.email, u.day ORDER BY u.day DESC, u.account_id`,
    [sinceDay, accountId ?? null],
  )
  return rows
}

/** A day of an account, with the requests of each route, the most first. */
export interface OwnUsageDay {
  day: Date
  requests: number
  routes: { route: string; requests: number }[]
}

/** The days of an account after `after`, newest first. */
export async function readOwnUsage(pool: pg.Pool, accountId: number, after: Date): Promise<OwnUsageDay[]> {
  const { rows } = await pool.query<OwnUsageDay>(
    `SELECT day::timestamp AT TIME ZONE 'UTC' AS day, sum(requests)::float8 AS requests,
       json_agg(json_build_object('route', route, 'requests', requests) ORDER BY requests DESC, route)
         FILTER (WHERE requests > 0) AS routes
     FROM usage_day WHERE account_id = $1 AND day > ($2::timestamptz AT TIME ZONE 'UTC')::date
     GROUP BY day HAVING sum(requests) > 0 ORDER BY day DESC`,
    [accountId, after],
  )
  return rows
}
