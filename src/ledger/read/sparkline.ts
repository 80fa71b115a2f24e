// Prices of the past week at even distances, of many tokens in one statement.
import { type Reading, readLists, type SelectText } from './consistent-read.ts'

/** The past week of a token at so many points. */
export interface SparklineRange {
  id: number
  points: number
}

const WEEK = 604_800

// A point has the close of the last hour that had ended by then. The first point has the last close before the week.
const TEXT: SelectText = `SELECT k.key, c.point, c.close_usd AS "closeUsd"
  FROM unnest($2::int[], $3::int[]) WITH ORDINALITY AS k (id, points, key)
  CROSS JOIN LATERAL (
    SELECT p.point, (array_agg(p.close_usd ORDER BY p.hour DESC))[1] AS close_usd
    FROM (
      SELECT hour, close_usd,
        ceil(((hour + 1) * 3600::float8 - ($1::float8 - ${WEEK})) * (k.points - 1) / ${WEEK})::int AS point
      FROM token_hour WHERE token_id = k.id
        AND (hour + 1) * 3600::float8 > $1::float8 - ${WEEK} AND (hour + 1) * 3600::float8 <= $1::float8
    ) p GROUP BY p.point
    UNION ALL
    (SELECT 0, close_usd FROM token_hour WHERE token_id = k.id AND (hour + 1) * 3600::float8 <= $1::float8 - ${WEEK}
      ORDER BY hour DESC LIMIT 1)
  ) c ORDER BY k.key, c.point`

/** The prices in USD of each range except the last, which is the price now; null: not priced then. */
export async function readSparklines(
  reading: Reading,
  ranges: readonly SparklineRange[],
): Promise<(number | null)[][]> {
  const lists = await readLists<{ point: number; closeUsd: number }>(reading, ranges.length, {
    name: 'sparklines',
    text: TEXT,
    values: [reading.head.time.getTime() / 1000, ranges.map(({ id }) => id), ranges.map(({ points }) => points)],
  })
  return lists.map((rows, at) => spread(rows, (ranges[at]?.points ?? 1) - 1))
}

/** Each point repeats the previous one until another one has its own price. */
function spread(rows: readonly { point: number; closeUsd: number }[], points: number): (number | null)[] {
  let next = 0
  let price: number | null = null
  return Array.from({ length: points }, (_, point) => {
    for (let row = rows[next]; row && row.point <= point; row = rows[++next]) price = row.closeUsd || null
    return price
  })
}
