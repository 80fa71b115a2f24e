// Reads the pools of many tokens in one statement.
import { selectOf } from '../../fields/noun.ts'
import { SHOWN_POOL, type ShownPool } from '../../fields/pool.ts'
import { type Reading, readLists, type SelectText } from './consistent-read.ts'

/** A pool that trades a token. */
export interface PoolRow extends ShownPool {
  id: number
  address: string
  /** The id of the pool's liquidity token, whose holders own the pool's shares. */
  lpTokenId: number
  /** v2 | v3 | v4 | coins | curve */
  kind: string
  /** Ids of the token of the pool's events, and of its quote token; null if neither side is a quote. */
  baseId: number | null
  quoteId: number | null
  hookRights: number
  liquidityUsd: number
  /** 0: unknown. */
  depth2PctUsd: number
}

const COLUMNS = `p.id, p.address, p.lp_token_id AS "lpTokenId", p.kind, p.base_id AS "baseId", p.quote_id AS "quoteId",
    p.hook_rights AS "hookRights", p.liquidity_usd AS "liquidityUsd", p.depth_2pct_usd AS "depth2PctUsd", ${selectOf(SHOWN_POOL)}`

/** Asks for a range of the pools of a token. */
export interface PoolRange {
  tokenId: number
  offset: number
  limit: number
}

const OF_TOKEN = (columns: string) => `SELECT ${columns} FROM pool WHERE token0_id = k.id
      UNION ALL SELECT ${columns} FROM pool WHERE token1_id = k.id AND token0_id <> k.id`

const TEXT: SelectText = `SELECT k.key, ${COLUMNS}, p.total
  FROM unnest($1::int[], $2::int[], $3::int[]) WITH ORDINALITY AS k (id, skip, take, key)
  CROSS JOIN LATERAL (
    SELECT *, count(*) OVER () AS total FROM (${OF_TOKEN('*')}) both_sides ORDER BY liquidity_usd DESC, id OFFSET k.skip LIMIT k.take
  ) p
  ORDER BY k.key, p.liquidity_usd DESC, p.id`

const COUNT: SelectText = `SELECT k.key, (SELECT count(*) FROM (${OF_TOKEN('id')}) both_sides) AS total
  FROM unnest($1::int[]) WITH ORDINALITY AS k (id, key)`

/** The pools of each range, the deepest first, with the number of all, in the order of the ranges. */
export async function readPools(
  reading: Reading,
  ranges: readonly PoolRange[],
): Promise<{ items: PoolRow[]; total: number }[]> {
  const lists = await readLists<PoolRow & { total: number }>(reading, ranges.length, {
    name: 'pools',
    text: TEXT,
    values: [ranges.map((r) => r.tokenId), ranges.map((r) => r.offset), ranges.map((r) => r.limit)],
  })
  // A range past the end has no row that tells the total.
  const past = ranges.filter(({ offset }, at) => offset > 0 && lists[at]?.length === 0)
  const counts = await countPools(reading, past)
  return lists.map((items, at) => {
    const range = ranges[at]
    return { items, total: items[0]?.total ?? (range && counts.get(range)) ?? 0 }
  })
}

async function countPools(reading: Reading, ranges: readonly PoolRange[]): Promise<Map<PoolRange, number>> {
  if (ranges.length === 0) return new Map()
  const text = { name: 'pool counts', text: COUNT, values: [ranges.map(({ tokenId }) => tokenId)] }
  const lists = await readLists<{ total: number }>(reading, ranges.length, text)
  return new Map(ranges.map((range, at) => [range, lists[at]?.[0]?.total ?? 0]))
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
