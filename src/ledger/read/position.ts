// Reads the holdings of wallets, valued at the head block: the largest holdings of many wallets in one statement.

import { sideOfDepth } from '../../book/prices/pool-depth.ts'
import { weekAgo } from '../head.ts'
import { payableUsd, priceAtHead, shareUsd, uncostedShares, unitWorth } from '../present.ts'
import { type Reading, readLists, type SelectText } from './consistent-read.ts'

/** A holding of an indexed token. */
export interface PositionRow {
  tokenId: number
  walletId: number
  tokenAddress: string
  tokenSymbol: string
  /** Whole tokens; raw ones if `hasDecimals` is false, like the openings. */
  quantity: number
  /** Whether the token has decimals. */
  hasDecimals: boolean
  /** 0: the price is unknown. */
  priceUsd: number
  /** At most the sum that the pools of the token could pay. In whole micro-dollars. */
  valueUsd: number
  /** The counted value of a whole token of the holding. */
  unitUsd: number
  payableUsd: number
  /** The basis of the price. */
  depth2PctUsd: number
  /** The whole tokens with a known cost, and their cost together. */
  costQuantity: number
  costUsd: number
  boughtUsd: number
  soldUsd: number
  realisedUsd: number
  /** Days since 1970 on which the balance changed, and whole tokens held at the start of each. Null: no change for a week. */
  openingDays: number[] | null
  openings: number[] | null
  swapCount: number
  firstAt: Date
  lastAt: Date
}

/** Asks for the `limit` most valuable holdings of a wallet. */
export interface PortfolioRange {
  id: number
  limit: number
}

/**
 * Positions with their values, of a wallet or token that `where` names: a query to be ordered and cut. `weekAgo` is the
 * placeholder of that time.
 */
export const positionsWhere = (where: string, weekAgo: string): string =>
  `SELECT v.*, round(least(v.quantity * v."priceUsd", v."payableUsd") * 1e6) / 1e6 AS "valueUsd",
      ${unitWorth('v.quantity', 'v."priceUsd"', 'v."payableUsd"')} AS "unitUsd" FROM (
      SELECT t.id AS "tokenId", t.address AS "tokenAddress", t.symbol AS "tokenSymbol", ${priceAtHead('t')} AS "priceUsd",
        ${payableUsd('t')} AS "payableUsd", p.balance::float8 / 10::float8 ^ coalesce(t.decimals, 0) AS quantity, t.decimals IS NOT NULL AS "hasDecimals",
        p.wallet_id AS "walletId", t.depth_2pct_usd AS "depth2PctUsd",
        p.cost_quantity AS "costQuantity", p.cost_usd AS "costUsd", p.bought_usd AS "boughtUsd",
        p.sold_usd AS "soldUsd", p.realised_usd AS "realisedUsd",
        CASE WHEN p.last_at >= ${weekAgo} THEN p.opening_days END AS "openingDays",
        CASE WHEN p.last_at >= ${weekAgo} THEN p.openings END AS openings,
        p.swap_count AS "swapCount", p.first_at AS "firstAt", p.last_at AS "lastAt"
      FROM position p JOIN token t ON t.id = p.token_id
      WHERE t.indexed AND ${where}
    ) v`

const HELD = 'p.wallet_id = k.wallet_id AND p.balance > 0'
// The order ends in the token's address, so that no two holdings of a wallet tie.
const portfolios = (positions: string): SelectText => `SELECT k.key, p.*
  FROM unnest($1::int[], $2::int[]) WITH ORDINALITY AS k (wallet_id, take, key)
  CROSS JOIN LATERAL (
    ${positions}
    ORDER BY "valueUsd" DESC, "tokenAddress" LIMIT k.take
  ) p
  ORDER BY k.key, p."valueUsd" DESC, p."tokenAddress"`
const PORTFOLIOS = portfolios(positionsWhere(HELD, '$3'))

/** The holdings of each range, the most valuable first, in the order of the ranges. */
export function readPortfolios(reading: Reading, ranges: readonly PortfolioRange[]): Promise<PositionRow[][]> {
  return readLists(reading, ranges.length, {
    name: 'portfolios',
    text: PORTFOLIOS,
    values: [ranges.map((r) => r.id), ranges.map((r) => r.limit), weekAgo(reading.head)],
  })
}

/** The most positions of a wallet that are counted; one more means that there are more. */
export const COUNTED_POSITIONS = 2_000

/** How many positions each of the wallets has, up to the most counted. */
export const readPositionCounts = (
  reading: Reading,
  ids: readonly number[],
): Promise<{ id: number; count: number }[]> =>
  reading.query({
    name: 'position numbers',
    text: `SELECT k.id, (SELECT count(*) FROM (SELECT FROM position p WHERE p.wallet_id = k.id LIMIT ${COUNTED_POSITIONS + 1}) p) AS count
      FROM unnest($1::int[]) AS k (id)`,
    values: [ids],
  })

/** A position by the addresses of its token and wallet. */
export type PairedPosition = PositionRow & { pair: string }

const PAIRS: SelectText = `SELECT k.token || ':' || k.wallet AS pair, p.*
  FROM unnest($1::text[], $2::text[]) AS k (token, wallet)
  JOIN token pt ON pt.address = k.token JOIN wallet pw ON pw.address = k.wallet AND pw.indexed
  CROSS JOIN LATERAL (${positionsWhere('p.token_id = pt.id AND p.wallet_id = pw.id', '$3')}) p`

/** The positions of these pairs (`token:wallet`, by address), in any order. */
export const readPositionsOf = (reading: Reading, pairs: readonly string[]): Promise<PairedPosition[]> => {
  const [tokens, wallets] = [0, 1].map((at) => pairs.map((pair) => pair.split(':')[at]))
  return reading.query({ name: 'positions of', text: PAIRS, values: [tokens, wallets, weekAgo(reading.head)] })
}

/** Sums over a wallet's positions, from which its profit and loss is computed. */
export interface PositionSums {
  walletId: number
  realisedUsd: number
  /**
   * Unrealised profit: quantity with a known cost x the counted value of one - that cost. Without a price, the price
   * counts as 0.
   */
  openUsd: number
  soldUsd: number
  soldKnownUsd: number
  /** Whether the wallet ever bought or sold, even if it holds nothing of it now. */
  traded: boolean
  /** Whether it ever bought or sold a token, besides adding and removing liquidity. */
  swapped: boolean
  /** Whether it pulled the liquidity of a token, and did not bring it back. */
  pulled: boolean
  /**
   * Value of the holdings with a price, at most the sum that their pools could pay, and cost of those without one. A
   * gift without a price therefore counts as 0.
   */
  pricedUsd: number
  unpricedCostUsd: number
  /** The proceeds of selling each holding at once; one with an unknown depth counts as 0. */
  sellableUsd: number
  /** Cost of tokens that left without a result: not priced then, or shares of a pool that were given away. */
  leftCostUsd: number
}

// Sums of numerics, which are exact in any order: sums of doubles differ in their last digits with the order of the rows. A
// pool share is worth its part of the pool; of shares whose token came without a cost the quote side of that has one. What a holding
// would bring is `sellable.ts`'s formula.
const SUMS: SelectText = `SELECT p.wallet_id AS "walletId", sum(p.realised_usd::numeric)::float8 AS "realisedUsd",
    sum(((p.cost_quantity - ${uncostedShares('p', 'l')}) * v.unit - p.cost_usd)::numeric)::float8 AS "openUsd",
    sum(p.sold_usd::numeric)::float8 AS "soldUsd", sum(p.sold_known_usd::numeric)::float8 AS "soldKnownUsd",
    bool_or(p.bought_usd > 0 OR p.sold_usd > 0 OR p.realised_usd <> 0 OR p.cost_quantity > 0) AS traded,
    bool_or(t.kind <> 'lp' AND (p.bought_usd > 0 OR p.sold_usd > 0)) AS swapped, bool_or(coalesce(p.pulled_usd > 0, false)) AS pulled,
    sum(h.worth::numeric)::float8 AS "pricedUsd",
    sum((CASE WHEN q.payable = 'Infinity' OR h.worth = 0 THEN h.worth
      ELSE least(h.priced * d.side / (h.priced + d.side), h.worth) END)::numeric)::float8 AS "sellableUsd",
    sum((CASE WHEN p.balance > 0 AND v.unit = 0 AND q.price = 0 THEN p.cost_usd ELSE 0 END)::numeric)::float8 AS "unpricedCostUsd",
    coalesce(sum(p.left_cost_usd::numeric), 0)::float8 AS "leftCostUsd"
  FROM position p JOIN token t ON t.id = p.token_id
  LEFT JOIN pool l ON t.kind = 'lp' AND l.lp_token_id = t.id
  CROSS JOIN LATERAL (SELECT ${priceAtHead('t')} AS price, ${payableUsd('t')} AS payable,
    coalesce(p.balance::float8 / 10::float8 ^ t.decimals, 0) AS quantity) q
  CROSS JOIN LATERAL (SELECT q.quantity * q.price AS priced, least(q.quantity * q.price, q.payable) AS worth) h
  CROSS JOIN LATERAL (SELECT CASE WHEN t.kind <> 'lp' THEN ${unitWorth('q.quantity', 'q.price', 'q.payable')}
    ELSE ${shareUsd('p', 't', 'l')} END AS unit) v
  CROSS JOIN LATERAL (SELECT t.depth_2pct_usd / ${1 / sideOfDepth(1)} AS side) d
  WHERE p.wallet_id = ANY ($1::int[]) GROUP BY p.wallet_id`

/** The sums of the wallets that have positions, in any order. */
export const readPositionSums = (reading: Reading, walletIds: readonly number[]): Promise<PositionSums[]> =>
  reading.query({ name: 'position sums', text: SUMS, values: [walletIds] })
