// Candles of many tokens, in one statement a table. Minutes have a table, five minutes another, and hours the third.

import { INTERVAL_SECONDS, type Interval } from '../../base/interval.ts'
import { HOUR_SECONDS } from '../../base/time.ts'
import { type Reading, readLists, type SelectText } from './consistent-read.ts'

/** The trading of a token in an interval. */
export interface CandleRow {
  /** The interval's number since 1970. */
  period: number
  /** Its first moment. */
  start: Date
  /** Null: not priced. */
  openUsd: number | null
  highUsd: number | null
  lowUsd: number | null
  closeUsd: number | null
  /** In whole tokens of the last quote in it; null: not priced in one. */
  openQuote: number | null
  highQuote: number | null
  lowQuote: number | null
  closeQuote: number | null
  quoteSymbol: string | null
  volumeUsd: number
  /** The parts of it that bought and that sold the token. */
  buyVolumeUsd: number
  sellVolumeUsd: number
  buyCount: number
  sellCount: number
  /** At the close. */
  liquidityUsd: number
  holderCount: number
  /** Whole tokens; null: not known. */
  circulatingSupply: number | null
  /** Null: not priced at the close, or not known. */
  marketCapUsd: number | null
}

/** The intervals of a token from the first to the last, by their numbers since 1970. */
export interface CandleRange {
  id: number
  interval: Interval
  first: number
  last: number
  /** Whether intervals without trades repeat the close before them. */
  fill: boolean
}

const CANDLE = `c.bucket AS period, c.open_usd AS "openUsd", c.high_usd AS "highUsd", c.low_usd AS "lowUsd",
    nullif(c.close_usd, 0) AS "closeUsd", c.open_quote AS "openQuote", c.high_quote AS "highQuote", c.low_quote AS "lowQuote",
    c.close_quote AS "closeQuote", q.symbol AS "quoteSymbol", c.volume AS "volumeUsd", c.buy_volume AS "buyVolumeUsd", c.sell_volume AS "sellVolumeUsd", c.buys AS "buyCount",
    c.sells AS "sellCount", c.liquidity_usd AS "liquidityUsd", c.holder_count AS "holderCount",
    c.circulating AS "circulatingSupply", c.market_cap_usd AS "marketCapUsd"`

/** Prices in a quote are those in the last quote of the interval, because prices in two quotes cannot be compared. */
const candlesOf = (table: string, period: string): SelectText => `SELECT k.key, ${CANDLE}
  FROM unnest($1::int[], $2::int[], $3::int[], $4::int[]) WITH ORDINALITY AS k (id, first, last, width, key)
  CROSS JOIN LATERAL (
    SELECT ${period} / k.width AS bucket,
      (array_agg(open_usd ORDER BY ${period}) FILTER (WHERE open_usd > 0))[1] AS open_usd,
      nullif(max(high_usd), 0) AS high_usd, min(low_usd) FILTER (WHERE low_usd > 0) AS low_usd,
      (array_agg(close_usd ORDER BY ${period} DESC))[1] AS close_usd, max(latest) AS quote_id,
      (array_agg(open_quote ORDER BY ${period}) FILTER (WHERE quote_id = latest))[1] AS open_quote,
      max(high_quote) FILTER (WHERE quote_id = latest) AS high_quote,
      min(low_quote) FILTER (WHERE quote_id = latest) AS low_quote,
      (array_agg(close_quote ORDER BY ${period} DESC))[1] AS close_quote,
      sum(volume_micro_usd)::float8 / 1e6 AS volume, sum(buy_volume_micro_usd)::float8 / 1e6 AS buy_volume,
      sum(sell_volume_micro_usd)::float8 / 1e6 AS sell_volume, sum(buy_count)::int AS buys, sum(sell_count)::int AS sells,
      (array_agg(liquidity_usd ORDER BY ${period} DESC))[1] AS liquidity_usd,
      (array_agg(holder_count ORDER BY ${period} DESC))[1] AS holder_count,
      (array_agg(circulating ORDER BY ${period} DESC))[1] AS circulating,
      (array_agg(market_cap_usd ORDER BY ${period} DESC))[1] AS market_cap_usd
    FROM (
      SELECT *, first_value(quote_id) OVER (PARTITION BY ${period} / k.width ORDER BY quote_id IS NULL, ${period} DESC) AS latest
      FROM ${table} WHERE token_id = k.id AND ${period} >= k.first * k.width AND ${period} < (k.last + 1) * k.width
    ) h GROUP BY 1
  ) c LEFT JOIN token q ON q.id = c.quote_id ORDER BY k.key, c.bucket`

/**
 * The last change before a minute, at its close. Candles of minutes may be deleted when the hour is still there.
 */
const LAST: SelectText = `SELECT k.key, 0 AS period, nullif(c.close_usd, 0) AS "closeUsd", c.close_quote AS "closeQuote",
    q.symbol AS "quoteSymbol", c.liquidity_usd AS "liquidityUsd", c.holder_count AS "holderCount",
    c.circulating AS "circulatingSupply", c.market_cap_usd AS "marketCapUsd"
  FROM unnest($1::int[], $2::int[]) WITH ORDINALITY AS k (id, minute, key)
  CROSS JOIN LATERAL (
    (SELECT 0 AS rank, close_usd, close_quote, quote_id, liquidity_usd, holder_count, circulating, market_cap_usd FROM token_minute
      WHERE token_id = k.id AND minute < k.minute ORDER BY minute DESC LIMIT 1)
    UNION ALL
    (SELECT 1, close_usd, close_quote, quote_id, liquidity_usd, holder_count, circulating, market_cap_usd FROM token_five_minutes
      WHERE token_id = k.id AND slot < k.minute / 5 ORDER BY slot DESC LIMIT 1)
    UNION ALL
    (SELECT 2, close_usd, close_quote, quote_id, liquidity_usd, holder_count, circulating, market_cap_usd FROM token_hour
      WHERE token_id = k.id AND hour < k.minute / 60 ORDER BY hour DESC LIMIT 1)
    ORDER BY rank LIMIT 1
  ) c LEFT JOIN token q ON q.id = c.quote_id`

const MINUTES = { table: 'token_minute', period: 'minute', seconds: 60 } as const
const SLOTS = { table: 'token_five_minutes', period: 'slot', seconds: 300 } as const
const HOURS = { table: 'token_hour', period: 'hour', seconds: HOUR_SECONDS } as const

/** The table whose rows make the candles of an interval. */
const TABLE_OF: Readonly<Record<Interval, typeof MINUTES | typeof SLOTS | typeof HOURS>> = {
  m1: MINUTES,
  m5: SLOTS,
  m15: SLOTS,
  h1: HOURS,
  h4: HOURS,
  d1: HOURS,
}

/** The candles of each range, the oldest first, in the order of the ranges. */
export async function readCandles(reading: Reading, ranges: readonly CandleRange[]): Promise<CandleRow[][]> {
  const lists = ranges.map((): CandleRow[] => [])
  const [lasts] = await Promise.all([
    readLast(reading, ranges),
    ...[MINUTES, SLOTS, HOURS].map(async (from) => {
      const { table, period, seconds } = from
      const own = [...ranges.entries()].filter(([, { interval }]) => TABLE_OF[interval] === from)
      if (own.length === 0) return
      const rows = await readLists<CandleRow>(reading, own.length, {
        name: `candles ${table}`,
        text: candlesOf(table, period),
        values: [
          own.map(([, { id }]) => id),
          own.map(([, { first }]) => first),
          own.map(([, { last: to }]) => to),
          own.map(([, { interval }]) => INTERVAL_SECONDS[interval] / seconds),
        ],
      })
      for (const [at, [index]] of own.entries()) lists[index] = rows[at] ?? []
    }),
  ])
  return ranges.map((range, at) => finish(range, lists[at] ?? [], lasts.get(at)))
}

type Close = Pick<
  CandleRow,
  'closeUsd' | 'closeQuote' | 'quoteSymbol' | 'liquidityUsd' | 'holderCount' | 'circulatingSupply' | 'marketCapUsd'
>

/** By place among the ranges: the values that fill gaps at the beginning. */
async function readLast(reading: Reading, ranges: readonly CandleRange[]): Promise<Map<number, Close>> {
  const filled = [...ranges.entries()].filter(([, { fill }]) => fill)
  if (filled.length === 0) return new Map()
  const rows = await readLists<Close>(reading, filled.length, {
    name: 'candles before',
    text: LAST,
    values: [
      filled.map(([, { id }]) => id),
      filled.map(([, { first, interval }]) => (first * INTERVAL_SECONDS[interval]) / 60),
    ],
  })
  return new Map(filled.flatMap(([index], at) => (rows[at]?.[0] ? [[index, rows[at][0]] as const] : [])))
}

function finish({ interval, first, last, fill }: CandleRange, rows: CandleRow[], before?: Close): CandleRow[] {
  const seconds = INTERVAL_SECONDS[interval]
  const startOf = (period: number) => new Date(period * seconds * 1000)
  for (const row of rows) row.start = startOf(row.period)
  if (!fill) return rows
  const filled: CandleRow[] = []
  let close: Close | undefined = before
  let next = 0
  for (let period = first; period <= last; period += 1) {
    const row = rows[next]?.period === period ? rows[next] : undefined
    if (row) {
      filled.push(row)
      close = row
      next += 1
    } else if (close) filled.push({ period, start: startOf(period), ...repeat(close) })
  }
  return filled
}

/** An interval without trades after a close. */
const repeat = ({ closeUsd, closeQuote, quoteSymbol, ...rest }: Close) => ({
  openUsd: closeUsd,
  highUsd: closeUsd,
  lowUsd: closeUsd,
  closeUsd,
  openQuote: closeQuote,
  highQuote: closeQuote,
  lowQuote: closeQuote,
  closeQuote,
  quoteSymbol,
  volumeUsd: 0,
  buyVolumeUsd: 0,
  sellVolumeUsd: 0,
  buyCount: 0,
  sellCount: 0,
  liquidityUsd: rest.liquidityUsd,
  holderCount: rest.holderCount,
  circulatingSupply: rest.circulatingSupply,
  marketCapUsd: rest.marketCapUsd,
})
