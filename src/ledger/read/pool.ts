// Reads the pools of many tokens in one statement.
import { type Reading, readLists, type SelectText } from './consistent-read.ts'

/** A pool that trades a token. */
export interface PoolRow {
  id: number
  address: string
  /** The id of the pool's liquidity token, whose holders own the pool's shares. */
  lpTokenId: number
  /** v2 | v3 | v4 | coins | curve */
  kind: string
  factory: string
  launchpad: string
  /** Ids of the token of the pool's events, and of its quote token; null if neither side is a quote. */
  baseId: number | null
  quoteId: number | null
  /** Percent of a trade; null if it changes from trade to trade. */
  feePct: number | null
  stable: boolean
  hooks: string | null
  hookRights: number
  /** Whole quote tokens for one whole base token. */
  priceInQuote: number
  liquidityUsd: number
  /** 0: unknown. */
  depth2PctUsd: number
  peakLiquidityUsd: number
  createdAt: Date
  /** Of a curve: the percent of its tokens that are sold; null: unknown. */
  curveProgressPct: number | null
}

/** How many pools of a token are read at most. */
export const MAX_POOLS = 20

const COLUMNS = `p.id, p.address, p.lp_token_id AS "lpTokenId", p.kind, p.factory, p.launchpad, p.base_id AS "baseId", p.quote_id AS "quoteId",
    p.fee / 10000::float8 AS "feePct", p.stable, p.hooks, p.hook_rights AS "hookRights", p.price AS "priceInQuote", p.liquidity_usd AS "liquidityUsd", p.depth_2pct_usd AS "depth2PctUsd",
    p.peak_liquidity_usd AS "peakLiquidityUsd", p.created_at AS "createdAt",
    CASE WHEN p.kind = 'curve' AND p.offered > 0 THEN greatest(0, least(100, (100 - 100 * p.reserve0 / p.offered)))::float8 END AS "curveProgressPct"`

const TEXT: SelectText = `SELECT k.key, ${COLUMNS}
  FROM unnest($1::int[]) WITH ORDINALITY AS k (id, key)
  CROSS JOIN LATERAL (
    SELECT * FROM (
      SELECT * FROM pool WHERE token0_id = k.id UNION ALL SELECT * FROM pool WHERE token1_id = k.id AND token0_id <> k.id
    ) both_sides ORDER BY liquidity_usd DESC, id LIMIT ${MAX_POOLS}
  ) p
  ORDER BY k.key, p.liquidity_usd DESC, p.id`

/** The deepest pools of each token, in the order of the tokens. */
export function readPools(reading: Reading, tokenIds: readonly number[]): Promise<PoolRow[][]> {
  return readLists(reading, tokenIds.length, { name: 'pools', text: TEXT, values: [tokenIds] })
}

/** The pools with these ids, in any order. */
export const readPoolsById = (reading: Reading, ids: readonly number[]): Promise<PoolRow[]> =>
  reading.query({
    name: 'pools by id',
    text: `SELECT ${COLUMNS} FROM pool p WHERE p.id = ANY ($1::int[])`,
    values: [ids],
  })

/** The pools with these addresses, or with these keys at their managers, in any order. */
export const readPoolsByAddress = (reading: Reading, addresses: readonly string[]): Promise<PoolRow[]> =>
  reading.query({
    name: 'pools by address',
    text: `SELECT ${COLUMNS} FROM pool p WHERE p.address = ANY ($1::text[])`,
    values: [addresses],
  })
