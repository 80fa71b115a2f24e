// What wallets hold, valued at the head block: the largest holdings of many wallets in one statement.
import { weekAgo } from '../head.ts'
import { type Reading, readLists, type SelectText } from './consistent-read.ts'

/** A holding of an indexed token. */
export interface PositionRow {
  tokenId: number
  walletId: number
  tokenAddress: string
  tokenSymbol: string
  /** Whole tokens. */
  quantity: number
  /** 0: not priced. */
  priceUsd: number
  valueUsd: number
  /** Whole tokens with a known cost, and that cost. */
  costQuantity: number
  costUsd: number
  boughtUsd: number
  soldUsd: number
  realisedUsd: number
  /** The days since 1970 on which the balance changed, and whole tokens held at the start of each; null: not for a week. */
  openingDays: number[] | null
  openings: number[] | null
  swapCount: number
  firstAt: Date
  lastAt: Date
}

/** The first holdings of a wallet, by value. */
export interface PortfolioRange {
  id: number
  limit: number
}

// The order ends in the token's address: total within a wallet.
const TEXT: SelectText = `SELECT k.key, k.wallet_id AS "walletId", p.*
  FROM unnest($1::int[], $2::int[]) WITH ORDINALITY AS k (wallet_id, take, key)
  CROSS JOIN LATERAL (
    SELECT v.*, v.quantity * v."priceUsd" AS "valueUsd" FROM (
      SELECT t.id AS "tokenId", t.address AS "tokenAddress", t.symbol AS "tokenSymbol", t.price_usd AS "priceUsd",
        coalesce(p.balance::float8 / 10::float8 ^ t.decimals, 0) AS quantity,
        p.cost_quantity AS "costQuantity", p.cost_usd AS "costUsd", p.bought_usd AS "boughtUsd",
        p.sold_usd AS "soldUsd", p.realised_usd AS "realisedUsd", 
        CASE WHEN p.last_at >= $3 THEN p.opening_days END AS "openingDays",
        CASE WHEN p.last_at >= $3 THEN p.openings END AS openings,
        p.swap_count AS "swapCount", p.first_at AS "firstAt", p.last_at AS "lastAt"
      FROM position p JOIN token t ON t.id = p.token_id
      WHERE p.wallet_id = k.wallet_id AND p.balance > 0 AND t.indexed
    ) v ORDER BY "valueUsd" DESC, "tokenAddress" LIMIT k.take
  ) p
  ORDER BY k.key, p."valueUsd" DESC, p."tokenAddress"`

/** The holdings of each range, the most valuable first, in the order of the ranges. */
export function readPortfolios(reading: Reading, ranges: readonly PortfolioRange[]): Promise<PositionRow[][]> {
  return readLists(reading, ranges.length, {
    name: 'portfolios',
    text: TEXT,
    values: [ranges.map((r) => r.id), ranges.map((r) => r.limit), weekAgo(reading.head)],
  })
}

/** A wallet's positions added up: what its profit and loss depends on. */
export interface PositionSums {
  walletId: number
  realisedUsd: number
  /** Of what is priced: quantity with a known cost x price - that cost. What is not priced is worth nothing. */
  openUsd: number
  soldUsd: number
  soldKnownUsd: number
  /** Anything bought or sold, also when nothing of it is left. */
  traded: boolean
  /** Value of the holdings with a price; cost of those without one, so that worthless gifts weigh nothing. */
  pricedUsd: number
  unpricedCostUsd: number
}

const SUMS: SelectText = `SELECT p.wallet_id AS "walletId", sum(p.realised_usd) AS "realisedUsd",
    sum(p.cost_quantity * t.price_usd - p.cost_usd) AS "openUsd", sum(p.sold_usd) AS "soldUsd",
    sum(p.sold_known_usd) AS "soldKnownUsd", bool_or(p.bought_usd > 0 OR p.sold_usd > 0) AS traded,
    sum(coalesce(p.balance::float8 / 10::float8 ^ t.decimals, 0) * t.price_usd) AS "pricedUsd",
    sum(CASE WHEN p.balance > 0 AND t.price_usd = 0 THEN p.cost_usd ELSE 0 END) AS "unpricedCostUsd"
  FROM position p JOIN token t ON t.id = p.token_id
  WHERE p.wallet_id = ANY ($1::int[]) GROUP BY p.wallet_id`

/** The sums of wallets with any position, in any order. */
export const readPositionSums = (reading: Reading, walletIds: readonly number[]): Promise<PositionSums[]> =>
  reading.query({ name: 'position sums', text: SUMS, values: [walletIds] })
