// Reads the shares of pools that wallets hold, with their cost and profit. No position in a token has this part of a
// wallet's profit.
import { shareUsd, uncostedShares } from '../present.ts'
import { type Reading, readLists, type SelectText } from './consistent-read.ts'
import type { PortfolioRange } from './position.ts'

/** A wallet's shares of one pool. */
export interface LiquidityPositionRow {
  poolId: number
  /** Percent of the pool's shares, including those that a locker or gauge keeps for the wallet. */
  sharePct: number
  /** Of the shares with a known cost. */
  valueUsd: number
  costUsd: number
  /** The part of the value whose tokens came without a cost: `openUsd` is the value less this and the cost. */
  uncostedUsd: number
  openUsd: number
  realisedUsd: number
  /** Whether a locker or gauge has shares with a known cost. */
  isLocked: boolean
}

const micro = (usd: string) => `round((${usd})::numeric, 6)::float8`

// The values are those that `readPositionSums` adds up.
const LIQUIDITY: SelectText = `SELECT k.key, v.*
  FROM unnest($1::int[], $2::int[]) WITH ORDINALITY AS k (wallet_id, take, key)
  CROSS JOIN LATERAL (
    SELECT l.id AS "poolId", ${micro('p.cost_quantity * s.usd')} AS "valueUsd", ${micro('p.cost_usd')} AS "costUsd",
      ${micro(`${uncostedShares('p', 'l')} * s.usd`)} AS "uncostedUsd",
      ${micro(`(p.cost_quantity - ${uncostedShares('p', 'l')}) * s.usd - p.cost_usd`)} AS "openUsd",
      ${micro('p.realised_usd')} AS "realisedUsd",
      coalesce(100 * greatest(q.held, p.cost_quantity) / nullif(q.supply, 0), 0) AS "sharePct",
      p.cost_quantity > q.held * (1 + 1e-9) AS "isLocked"
    FROM position p JOIN token t ON t.id = p.token_id AND t.kind = 'lp'
    JOIN pool l ON l.lp_token_id = t.id
    CROSS JOIN LATERAL (SELECT ${shareUsd('p', 't', 'l')} AS usd) s
    CROSS JOIN LATERAL (SELECT p.balance::float8 / 10::float8 ^ coalesce(t.decimals, 0) AS held,
      t.supply::float8 / 10::float8 ^ coalesce(t.decimals, 0) AS supply) q
    WHERE p.wallet_id = k.wallet_id AND (p.balance > 0 OR p.cost_quantity > 0 OR p.cost_usd <> 0 OR p.realised_usd <> 0)
    ORDER BY "valueUsd" DESC, l.id LIMIT k.take
  ) v
  ORDER BY k.key, v."valueUsd" DESC, v."poolId"`

/** The shares of each range, the most valuable first, in the order of the ranges. */
export const readLiquidityPositions = (
  reading: Reading,
  ranges: readonly PortfolioRange[],
): Promise<LiquidityPositionRow[][]> =>
  readLists(reading, ranges.length, {
    name: 'liquidity positions',
    text: LIQUIDITY,
    values: [ranges.map(({ id }) => id), ranges.map(({ limit }) => limit)],
  })
