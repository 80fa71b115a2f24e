// Prices of tokens at the present price of what they are quoted in, of many tokens in one statement.
import type { Reading, SelectText } from './consistent-read.ts'

/** A token's price in its quote, and what the quote costs now. */
export interface PriceNowRow {
  id: number
  /** USD: the price in the deepest pool that tells it, times the price of its quote; null where it is not priced. */
  priceUsd: number | null
}

const TEXT: SelectText = `SELECT t.id, CASE WHEN t.price_usd > 0 THEN coalesce(nullif(p.price * q.price_usd, 0), t.price_usd) END AS "priceUsd"
  FROM token t LEFT JOIN pool p ON p.id = t.pool_id AND t.price_pool_count > 0 LEFT JOIN token q ON q.id = p.quote_id
  WHERE t.id = ANY ($1::int[])`

/** The tokens with these identifiers, in any order. */
export const readPricesNow = (reading: Reading, ids: readonly number[]): Promise<PriceNowRow[]> =>
  reading.query({ name: 'prices now', text: TEXT, values: [ids] })
