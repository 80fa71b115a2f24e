// The facts of tokens for the filter of a list, for all of them or for the changed ones, in chunks by identifier.
import type { KeptCap } from '../../base/present.ts'
import type { ScreenFacts } from '../../base/screen-match.ts'
import type { pg } from '../../database/client.ts'
import { keptCap, unitOf } from '../present.ts'

/** The reader adds the facts that depend on the block: its time and the prices of the units. */
export interface FilteredToken extends Omit<ScreenFacts, 'nowMs' | 'marketCapUsd'>, KeptCap {
  id: number
}

/** Tokens in one read. */
const CHUNK = 10_000

const COLUMNS = `t.id, t.address, t.symbol, t.name, t.launchpad, t.liquidity_usd AS "liquidityUsd", ${keptCap('t')} AS "marketCap", ${unitOf('t')} AS unit,
  coalesce((SELECT c.marks FROM token_safety c WHERE c.token_id = t.id), 0) AS "contractMarks",
  t.risk_score AS "riskScore", t.risk_flags AS "riskFlags", t.volume_24h_micro_usd::float8 / 1e6 AS "volume24hUsd",
  coalesce((SELECT s.confidence FROM token_score s WHERE s.token_id = t.id), 'low') AS confidence,
  t.holder_count AS "holderCount", t.funded_holder_count AS "fundedHolderCount",
  t.funded_holder_count_1h_ago AS "fundedHolderCount1hAgo", date_part('epoch', t.created_at) * 1000 AS "createdAtMs"`

/** The newest reorganisation and its fork block; block -1: there was none, or the index was emptied. */
export interface ForkPoint {
  generation: number
  forkBlock: number
}

const FORK = `(SELECT coalesce(max(id), 0) AS generation FROM reorg) g
  LEFT JOIN LATERAL (SELECT fork_block FROM reorg WHERE id = g.generation) f ON true`

/** Indexed tokens that changed in a block from `sinceBlock` on, or are among `ids`; 10,000 after an identifier at most. */
export async function readChangedFacts(
  pool: Pick<pg.Pool, 'query'>,
  { sinceBlock, ids, afterId }: { sinceBlock: number; ids: readonly number[]; afterId: number },
): Promise<{ fork: ForkPoint; facts: FilteredToken[]; isAll: boolean }> {
  const { rows } = await pool.query<FilteredToken & { generation: number; fork_block: number | null }>({
    name: 'token facts',
    text: `SELECT g.generation, f.fork_block, t.* FROM ${FORK} LEFT JOIN LATERAL (SELECT ${COLUMNS} FROM token t
      WHERE t.indexed AND (t.updated_block >= $1 OR t.id = ANY($2::int[])) AND t.id > $3 ORDER BY t.id LIMIT ${CHUNK}) t ON true
      ORDER BY t.id`,
    values: [sinceBlock, ids, afterId],
  })
  const facts = rows.filter(({ id }) => id !== null).map(({ generation: _, fork_block: __, ...row }) => row)
  const { generation = 0, fork_block: forkBlock = null } = rows[0] ?? {}
  return { fork: { generation, forkBlock: forkBlock ?? -1 }, facts, isAll: facts.length < CHUNK }
}
