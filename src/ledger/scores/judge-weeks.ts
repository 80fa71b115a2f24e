// Judges what became of tokens after their level was said: each week those whose time was over in that week. It reads
// final blocks alone, so that a reorganisation changes nothing.
import type { Address } from '../../base/address.ts'
import { weekOf } from '../../base/clock.ts'
import { DAY_SECONDS } from '../../base/time.ts'
import type { pg } from '../../database/client.ts'
import { inTransaction } from '../../database/transaction.ts'
import { HORIZONS, JUDGED_AGES, RECORD_WEEKS } from '../../verdict/track-record.ts'
import { SCORE_KINDS } from '../score-kinds.ts'
import { SALE_DETAIL } from './score.ts'

const WEEK_SECONDS = 7 * DAY_SECONDS
/** 1970-01-05, the first Monday of Unix time. */
const FIRST_MONDAY = 4 * DAY_SECONDS
/** The oldest token of a week. */
const OLDEST_SECONDS = WEEK_SECONDS + Math.max(...HORIZONS) * DAY_SECONDS + Math.max(...JUDGED_AGES) * 3_600
/** A price that fell to this share of itself is lost. */
const LOST_SHARE = 0.1

const closeBefore = (time: string) => `(SELECT nullif(close_usd, 0) FROM token_hour
    WHERE token_id = s.id AND hour < floor(date_part('epoch', ${time}) / 3600)::int ORDER BY hour DESC LIMIT 1)`

// Tokens that are older than the index are left out: their first liquidity is unknown. So are tokens that were pulled
// before: nothing was left to foretell.
const JUDGE = `INSERT INTO track_record
    (week_end, horizon_days, age_hours, level, tokens, pulled, priced, lost, sellable, unsellable)
  WITH said AS MATERIALIZED (
    SELECT t.id, a.hours, h.days, t.first_liquidity_at + make_interval(hours => a.hours) AS said_at,
      t.first_liquidity_at + make_interval(hours => a.hours, days => h.days) AS ends_at
    FROM chain c, token t, unnest($2::int[]) a (hours), unnest($3::int[]) h (days)
    WHERE t.first_liquidity_block > c.start_block AND t.address <> ALL ($4::text[])
      AND t.first_liquidity_at <= to_timestamp($1) AND t.first_liquidity_at > to_timestamp($1 - ${OLDEST_SECONDS}))
  SELECT to_timestamp($1), s.days, s.hours, p.level, count(*), count(*) FILTER (WHERE e.is_pulled),
    count(before.usd), count(*) FILTER (WHERE after.usd <= ${LOST_SHARE} * before.usd),
    count(*) FILTER (WHERE p.sale = 1), count(*) FILTER (WHERE p.sale = 1 AND e.is_shut)
  FROM said s
  CROSS JOIN LATERAL (SELECT level, flags, details[${SALE_DETAIL}] AS sale FROM score_point
    WHERE kind = ${SCORE_KINDS.token} AND id = s.id AND time <= s.said_at ORDER BY block_number DESC LIMIT 1) p
  CROSS JOIN LATERAL (SELECT coalesce(bool_or('liquidity_pulled' = ANY (flags)), false) AS is_pulled,
      coalesce(bool_or(details[${SALE_DETAIL}] = 0), false) AS is_shut FROM score_point
    WHERE kind = ${SCORE_KINDS.token} AND id = s.id AND time > s.said_at AND time <= s.ends_at) e
  CROSS JOIN LATERAL (SELECT ${closeBefore('s.said_at')} AS usd) before
  CROSS JOIN LATERAL (SELECT ${closeBefore('s.ends_at')} AS usd) after
  WHERE s.ends_at > to_timestamp($1 - ${WEEK_SECONDS}) AND s.ends_at <= to_timestamp($1)
    AND NOT ('liquidity_pulled' = ANY (p.flags))
  GROUP BY s.days, s.hours, p.level
  ON CONFLICT DO NOTHING`

// The oldest kept block is the newest final one.
const STATE = `SELECT date_part('epoch', (SELECT min(time) FROM block)) AS final,
    date_part('epoch', judged_until) AS judged FROM chain`

/** The end of the last week that was over at this time, in seconds since 1970. */
const weekEndBefore = (time: number): number => FIRST_MONDAY + WEEK_SECONDS * weekOf(time - FIRST_MONDAY)

/**
 * Judges the weeks that are over and were not judged, the newest ones at most that a record sums up. Money of the chain
 * is left out, because nobody judges it. Returns how many weeks were judged. A week is a transaction of its own: the
 * writer of blocks changes the same row of `chain`, and waits for one statement at most.
 */
export async function judgeWeeks(pool: pg.Pool, money: readonly Address[]): Promise<number> {
  const { rows } = await pool.query<{ final: number | null; judged: number | null }>(STATE)
  const { final = null, judged = null } = rows[0] ?? {}
  if (final === null) return 0
  const last = weekEndBefore(final)
  const oldest = last - (RECORD_WEEKS - 1) * WEEK_SECONDS
  let weeks = 0
  for (let end = Math.max(oldest, (judged ?? 0) + WEEK_SECONDS); end <= last; end += WEEK_SECONDS) {
    await inTransaction(pool, async (client) => {
      await client.query(JUDGE, [end, JUDGED_AGES, HORIZONS, money])
      await client.query('UPDATE chain SET judged_until = to_timestamp($1)', [end])
    })
    weeks += 1
  }
  return weeks
}
