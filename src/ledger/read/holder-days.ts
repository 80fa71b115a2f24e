// Reads the largest holders of tokens at the start of each of the last seven days. Each position keeps its balance at
// such a start. One statement, whatever the number of tokens; it reads a bounded number of positions of each.
import { dayOf } from '../../base/clock.ts'
import { type Head, weekAgo } from '../head.ts'
import { type Reading, readLists, type SelectText } from './consistent-read.ts'

/** Positions keep the starts of the last eight days on which they changed. */
export const HOLDER_DAYS = 7
/** Of each day. */
export const DAY_HOLDERS = 50
/** Above this nobody knows which of a token's positions were large: all of them are read. */
export const MOST_POSITIONS = 20_000

export interface HolderDayRow {
  /** Days since 1970. */
  day: number
  /** Whether all positions of the token were read. */
  isWhole: boolean
  /** The largest first. */
  walletIds: number[]
  /** Percent of the supply of today; null: it is unknown. */
  shares: (number | null)[]
}

/** $1 are tokens, $2 days, $3 the most positions of a token, $4 the holders of a day. */
const TEXT: SelectText = `SELECT x.* FROM (
  WITH k AS MATERIALIZED (
      SELECT a.key, t.id, t.decimals, t.supply::float8 / 10::float8 ^ coalesce(t.decimals, 0) AS supply
      FROM unnest($1::int[]) WITH ORDINALITY AS a (id, key) JOIN token t ON t.id = a.id),
    held AS MATERIALIZED (
      SELECT k.key, p.wallet_id, p.balance::float8 / 10::float8 ^ coalesce(k.decimals, 0) AS now, p.opening_days, p.openings
      FROM k CROSS JOIN LATERAL (SELECT * FROM position WHERE token_id = k.id LIMIT $3 + 1) p)
  SELECT k.key, d.day, (SELECT count(*) FROM held WHERE key = k.key) <= $3 AS "isWhole",
    coalesce(l.ids, '{}') AS "walletIds", coalesce(l.shares, '{}') AS shares
  FROM k CROSS JOIN unnest($2::int[]) AS d (day)
  CROSS JOIN LATERAL (
    SELECT array_agg(wallet_id ORDER BY quantity DESC, wallet_id) AS ids,
      array_agg(least(100 * quantity / nullif(k.supply, 0), 100) ORDER BY quantity DESC, wallet_id) AS shares
    FROM (
      SELECT wallet_id, quantity FROM held
      CROSS JOIN LATERAL (SELECT coalesce(openings[1 + width_bucket(d.day - 1, opening_days)], now) AS quantity) q
      WHERE key = k.key AND quantity > 0 ORDER BY quantity DESC, wallet_id LIMIT $4) largest) l) x
  ORDER BY x.key, x.day`

/** The newest day last. */
const daysBefore = (head: Head): number[] => {
  const first = dayOf(weekAgo(head).getTime() / 1_000)
  return Array.from({ length: HOLDER_DAYS }, (_, at) => first + 1 + at)
}

/** The days of each token, the newest last, in the order of the tokens. */
export const readHolderDays = (reading: Reading, tokenIds: readonly number[]): Promise<HolderDayRow[][]> =>
  readLists(reading, tokenIds.length, {
    name: 'holder days',
    text: TEXT,
    values: [tokenIds, daysBefore(reading.head), MOST_POSITIONS, DAY_HOLDERS],
  })
