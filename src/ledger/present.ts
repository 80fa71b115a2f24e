// Prices and market caps at the current price of their unit, as SQL over a row of `token`. The deepest pool of a token
// may be quoted in the native coin or in a hub. Its price is then stored in that unit, times the unit's price now.
// Stablecoins stand still, so every other price is that of its last change. `src/base/present.ts` has the same
// arithmetic.

/** A value of the newest block, which PostgreSQL computes once per statement. */
const newest = (column: string) => `(SELECT ${column} FROM block ORDER BY number DESC LIMIT 1)`

/** Dollars of the token's unit; 0 without a price. */
const unitUsd = (token: string) =>
  `coalesce((${newest('unit_usd')})[array_position(${newest('unit_ids')}, ${token}.unit_id)], 0)`

/** The token in which it is stored; 0: dollars. */
export const unitOf = (token: string): string => `coalesce(${token}.unit_id, 0)`

const kept = (token: string, inUnit: string, dollars: string) =>
  `CASE WHEN ${token}.unit_id IS NULL THEN ${dollars} ELSE ${inUnit} END`

const capInUnit = (token: string) => `${token}.market_cap_usd * ${token}.price_unit / ${token}.price_usd`

/** The price in the unit or in dollars, and the market cap likewise. */
export const keptPrice = (token: string): string => kept(token, `${token}.price_unit`, `${token}.price_usd`)
export const keptCap = (token: string): string => kept(token, capInUnit(token), `${token}.market_cap_usd`)

/** The price in USD at the newest block, and the market cap likewise. */
export const priceAtHead = (token: string): string =>
  kept(token, `${token}.price_unit * ${unitUsd(token)}`, `${token}.price_usd`)

/**
 * Dollars that the token's pools could pay for a holding: their quote sides, or all of a launch curve, whose depth no
 * log shows. Money counts in full. A token that its newest contract check could not sell counts as 0.
 */
export const payableUsd = (token: string): string =>
  `CASE WHEN ${token}.price_hops = 0 THEN 'Infinity'::float8
    WHEN NOT (SELECT s.sellable FROM token_safety s WHERE s.token_id = ${token}.id) THEN 0
    WHEN ${token}.depth_2pct_usd = 0 THEN ${token}.liquidity_usd ELSE ${token}.liquidity_usd / 2 END`

/**
 * The counted value of a whole token of a holding: its price, or less if the pools could not pay that for all of them.
 */
export const unitWorth = (quantity: string, price: string, payable: string): string =>
  `CASE WHEN ${quantity} * ${price} > ${payable} THEN ${payable} / (${quantity}) ELSE ${price} END`

/** What one share of a pool is worth: 0 where the position has none with a known cost. */
export const shareUsd = (position: string, token: string, pool: string): string =>
  `CASE WHEN ${position}.cost_quantity > 0 AND ${token}.supply > 0
    THEN coalesce(${pool}.liquidity_usd / (${token}.supply::float8 / 10::float8 ^ ${token}.decimals), 0) ELSE 0 END`

/**
 * The part of a pool's value that is its quote side: half of a V2 pair. Elsewhere it follows from the sides, the base
 * side at most three times the quote side, as in the value.
 */
const quotePart = (pool: string): string =>
  `CASE WHEN ${pool}.kind = 'v2' AND NOT ${pool}.stable THEN 0.5 ELSE (
    SELECT coalesce(s.quote / nullif(s.quote + least(s.base * ${pool}.price, 3 * s.quote), 0), 0.5) FROM (
      SELECT (CASE WHEN q.id = ${pool}.token0_id THEN ${pool}.reserve0 ELSE ${pool}.reserve1 END)::float8 / 10::float8 ^ coalesce(q.decimals, 0) AS quote,
        (CASE WHEN q.id = ${pool}.token0_id THEN ${pool}.reserve1 ELSE ${pool}.reserve0 END)::float8 / 10::float8 ^ coalesce(b.decimals, 0) AS base
      FROM token q, token b WHERE q.id = ${pool}.quote_id AND b.id = ${pool}.base_id) s) END`

/** The shares of a position whose value has no cost: the base side of those whose token came without one. */
export const uncostedShares = (position: string, pool: string): string =>
  `CASE WHEN coalesce(${position}.free_shares, 0) = 0 THEN 0 ELSE ${position}.free_shares * coalesce(1 - ${quotePart(pool)}, 0.5) END`

export const capAtHead = (token: string): string =>
  kept(
    token,
    `least(floor(${capInUnit(token)} * ${unitUsd(token)} * 1e6 + 0.5) / 1e6, 1e15)`,
    `${token}.market_cap_usd`,
  )
