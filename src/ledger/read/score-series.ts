// The history of scores at the end of intervals, of many tokens or wallets in one statement.
import { INTERVAL_SECONDS, type Interval } from '../../base/interval.ts'
import { type Reading, readLists, type SelectText } from './consistent-read.ts'

/** A score at the end of an interval. */
export interface ScoreSeriesRow {
  /** The first moment of the interval. */
  time: Date
  /** The block of its computation. */
  blockNumber: number
  /** 0-100. */
  score: number
  level: string
  /** Its details (`score_point.details`). */
  details: (number | null)[] | null
}

/** The intervals of a token's or wallet's score from the first to the last, by their numbers since 1970. */
export interface ScoreSeriesRange {
  id: number
  interval: Interval
  first: number
  last: number
}

const KIND = { token: 1, wallet: 2 } as const

// The last point of each interval, and the last point before all of them.
const TEXT: SelectText = `SELECT k.key, p.bucket, p.block_number AS "blockNumber", p.score, p.level, p.details
  FROM unnest($2::int[], $3::int[], $4::int[], $5::int[]) WITH ORDINALITY AS k (id, first, last, seconds, key)
  CROSS JOIN LATERAL (
    SELECT DISTINCT ON (bucket) * FROM (
      SELECT *, greatest(floor(date_part('epoch', time) / k.seconds)::int, k.first - 1) AS bucket
      FROM score_point WHERE kind = $1::smallint AND id = k.id AND time < to_timestamp((k.last + 1) * k.seconds::float8)
    ) all_points ORDER BY bucket, block_number DESC
  ) p
  ORDER BY k.key, p.bucket`

/** A point per interval from the first that has a score, the oldest first, in the order of the ranges. */
export async function readScoreSeries(
  reading: Reading,
  kind: keyof typeof KIND,
  ranges: readonly ScoreSeriesRange[],
): Promise<ScoreSeriesRow[][]> {
  const lists = await readLists<Omit<ScoreSeriesRow, 'time'> & { bucket: number }>(reading, ranges.length, {
    name: 'score series',
    text: TEXT,
    values: [
      KIND[kind],
      ranges.map(({ id }) => id),
      ranges.map(({ first }) => first),
      ranges.map(({ last }) => last),
      ranges.map(({ interval }) => INTERVAL_SECONDS[interval]),
    ],
  })
  return ranges.map(({ interval, first, last }, at) => {
    const points = lists[at] ?? []
    const series: ScoreSeriesRow[] = []
    let next = 0
    for (let period = first; period <= last; period += 1) {
      while ((points[next]?.bucket ?? Number.POSITIVE_INFINITY) <= period) next += 1
      const point = points[next - 1]
      if (!point) continue
      const { blockNumber, score, level, details } = point
      series.push({ time: new Date(period * INTERVAL_SECONDS[interval] * 1000), blockNumber, score, level, details })
    }
    return series
  })
}
