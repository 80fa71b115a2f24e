// Reads hours of trading, of many tokens in one statement.
import { type Reading, readLists, type SelectText } from './consistent-read.ts'

/** One hour in which a token traded. */
export interface HourRow {
  tokenId: number
  /** Hours since 1970. */
  hour: number
  /** When the hour begins. */
  start: Date
  openUsd: number
  highUsd: number
  lowUsd: number
  closeUsd: number
  volumeUsd: number
  buyCount: number
  sellCount: number
  /** At the end of the hour. */
  liquidityUsd: number
  holderCount: number
}

/** Asks for the newest `limit` hours of a token. */
export interface HourRange {
  id: number
  limit: number
}

const TEXT: SelectText = `SELECT k.key, h.token_id AS "tokenId", h.hour, to_timestamp(h.hour * 3600::float8) AS start, h.open_usd AS "openUsd", h.high_usd AS "highUsd",
    h.low_usd AS "lowUsd", h.close_usd AS "closeUsd", h.volume_micro_usd::float8 / 1e6 AS "volumeUsd",
    h.buy_count AS "buyCount", h.sell_count AS "sellCount", h.liquidity_usd AS "liquidityUsd",
    h.holder_count AS "holderCount"
  FROM unnest($1::int[], $2::int[]) WITH ORDINALITY AS k (id, take, key)
  CROSS JOIN LATERAL (SELECT * FROM token_hour WHERE token_id = k.id ORDER BY hour DESC LIMIT k.take) h
  ORDER BY k.key, h.hour DESC`

/** The hours of each range, newest first, in the order of the ranges. */
export function readHours(reading: Reading, ranges: readonly HourRange[]): Promise<HourRow[][]> {
  return readLists(reading, ranges.length, {
    name: 'hours',
    text: TEXT,
    values: [ranges.map((r) => r.id), ranges.map((r) => r.limit)],
  })
}
