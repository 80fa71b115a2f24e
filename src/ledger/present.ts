// Prices and market caps at the price that the native coin has at the newest block, as SQL over a row of `token`. A token of which
// the deepest pool is quoted in the native coin, or in what leads to it, is worth its price in that, times the price of the native coin now; stablecoins
// stand still, so everything else is as of its last change. `src/base/present.ts` has the same arithmetic.

/** A value of the newest block, which PostgreSQL computes once per statement. */
const newest = (column: string) => `(SELECT ${column} FROM block ORDER BY number DESC LIMIT 1)`

/** Whether it is kept in native coins. */
export const inNative = (token: string): string =>
  `coalesce(${token}.price_native > 0 AND ${token}.price_usd > 0 AND ${newest('native_id')} IS NOT NULL, false)`

const kept = (token: string, native: string, dollars: string) =>
  `CASE WHEN ${inNative(token)} THEN ${native} ELSE ${dollars} END`

/** The price in native coins or in dollars, and the market cap likewise. */
export const keptPrice = (token: string): string => kept(token, `${token}.price_native`, `${token}.price_usd`)
export const keptCap = (token: string): string =>
  kept(token, `${token}.market_cap_usd * ${token}.price_native / ${token}.price_usd`, `${token}.market_cap_usd`)

/** The price in USD at the newest block, and the market cap likewise. */
export const priceAtHead = (token: string): string =>
  kept(token, `${token}.price_native * ${newest('native_usd')}`, `${token}.price_usd`)
export const capAtHead = (token: string): string =>
  kept(
    token,
    `least(floor(${token}.market_cap_usd * ${token}.price_native / ${token}.price_usd * ${newest('native_usd')} * 1e6 + 0.5) / 1e6, 1e15)`,
    `${token}.market_cap_usd`,
  )
