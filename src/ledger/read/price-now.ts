// Prices of tokens at the present price of what they are quoted in, of many tokens in one statement.
import type { Reading, SelectText } from './consistent-read.ts'

/** A token's price in its quote, and what the quote costs now. */
export interface PriceNowRow {
  id: number
  /** USD: the price in the token's quote times the price of that quote; null where it is not priced. */
  priceUsd: number | null
}

const TEXT: SelectText = `SELECT t.id, CASE WHEN t.price_usd > 0 THEN coalesce(nullif(t.price_quote * q.price_usd, 0), t.price_usd) END AS "priceUsd"
  FROM token t LEFT JOIN token q ON q.id = t.quote_id
  WHERE t.id = ANY ($1::int[])`

/** The tokens with these identifiers, in any order. */
export const readPricesNow = (reading: Reading, ids: readonly number[]): Promise<PriceNowRow[]> =>
  reading.query({ name: 'prices now', text: TEXT, values: [ids] })
