// Reads the openings of tokens by launch venues: the pool, the creator, and the holder of the liquidity with the end of
// its lock. If the venue moved the token, the pool is the newest. The creator is the one named first.
import { heldLocks } from '../held-locks.ts'
import type { Reading, SelectText } from './consistent-read.ts'

export interface LaunchRow {
  tokenId: number
  /** The launch venue, in snake_case. */
  venue: string
  creatorId: number | null
  poolId: number
  /** The holder of most of the pool's liquidity at the launch; null: unknown. */
  liquidityHolder: string | null
  /** Whether that is the creator. */
  isCreators: boolean
  /** Its current part of the pool's shares. */
  liquidityPct: number | null
  /** The end of its lock, in seconds since 1970; null: unknown. */
  endsAt: number | null
}

const TEXT: SelectText = `SELECT t.id AS "tokenId", t.launchpad AS venue, l.pool_id AS "poolId", w.address AS "liquidityHolder",
    coalesce(w.id IN (t.deployer_id, l.creator_id), false) AS "isCreators",
    CASE WHEN w.id IS NOT NULL AND lp.supply > 0 THEN 100 * coalesce(s.balance, 0)::float8 / lp.supply::float8 END AS "liquidityPct",
    (SELECT date_part('epoch', min(h.ends_at))::float8 FROM ${heldLocks('lp.id')} h WHERE h.locker_id = w.id AND h.held > 0) AS "endsAt",
    (SELECT creator_id FROM launch first WHERE first.token_id = t.id AND creator_id IS NOT NULL ORDER BY pool_id LIMIT 1) AS "creatorId"
  FROM unnest($1::int[]) AS k (id)
  JOIN token t ON t.id = k.id
  CROSS JOIN LATERAL (SELECT * FROM launch WHERE token_id = t.id ORDER BY pool_id DESC LIMIT 1) l
  JOIN pool p ON p.id = l.pool_id
  JOIN token lp ON lp.id = p.lp_token_id
  LEFT JOIN wallet w ON w.id = l.holder_id
  LEFT JOIN position s ON s.token_id = lp.id AND s.wallet_id = w.id`

/** The launches of those of the tokens that a launch venue opened, in any order. */
export const readLaunches = (reading: Reading, tokenIds: readonly number[]): Promise<LaunchRow[]> =>
  reading.query({ name: 'launches', text: TEXT, values: [tokenIds] })
