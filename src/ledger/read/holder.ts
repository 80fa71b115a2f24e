// Reads who holds a token: pages of holders by share, of many tokens in one statement.
import type { Classification, Confidence, WalletKind } from '../../base/vocabulary.ts'
import { weekAgo } from '../head.ts'
import { priceAtHead } from '../present.ts'
import { type Reading, readLists, type SelectText } from './consistent-read.ts'
import { WALLET_SCORE_COLUMNS } from './wallet.ts'

/** A wallet's share of a token, with what is known of the wallet. */
export interface HolderRow {
  tokenId: number
  walletId: number
  address: string
  kind: WalletKind
  classification: Classification
  ownClasses: string | null
  /** 0-100. */
  reputationScore: number
  reputationConfidence: Confidence
  /** Whole tokens. */
  quantity: number
  /** In whole micro-dollars. */
  valueUsd: number
  /** What the price of the token rests on. */
  priceUsd: number
  depth2PctUsd: number
  pricePoolCount: number
  /** Percent of the supply. */
  holdingPct: number
  /** Days since 1970 on which the balance changed, and whole tokens held at the start of each. Null: no change for a week. */
  openingDays: number[] | null
  openings: number[] | null
  firstAt: Date
  lastAt: Date
}

/** Asks for a range of a token's holders, ordered by share, the largest first. */
export interface HolderRange {
  tokenId: number
  offset: number
  limit: number
}

// The order ends in the wallet's id, so that no two holders of a token tie and pages do not overlap.
const TEXT: SelectText = `SELECT k.key, t.id AS "tokenId", w.id AS "walletId", w.address, w.kind, ${WALLET_SCORE_COLUMNS},
    p.quantity, round(p.quantity * v.price * 1e6) / 1e6 AS "valueUsd",
    v.price AS "priceUsd", t.depth_2pct_usd AS "depth2PctUsd", t.price_pool_count AS "pricePoolCount",
    coalesce(100 * p.balance::float8 / nullif(t.supply, 0)::float8, 0) AS "holdingPct",
    CASE WHEN p.last_at >= $4 THEN p.opening_days END AS "openingDays",
    CASE WHEN p.last_at >= $4 THEN p.openings END AS openings, p.first_at AS "firstAt", p.last_at AS "lastAt"
  FROM unnest($1::int[], $2::int[], $3::int[]) WITH ORDINALITY AS k (token_id, skip, take, key)
  JOIN token t ON t.id = k.token_id
  CROSS JOIN LATERAL (SELECT ${priceAtHead('t')} AS price) v
  CROSS JOIN LATERAL (
    SELECT *, coalesce(balance::float8 / 10::float8 ^ t.decimals, 0) AS quantity FROM position
    WHERE token_id = k.token_id AND balance > 0 ORDER BY balance DESC, wallet_id LIMIT k.take OFFSET k.skip
  ) p
  JOIN wallet w ON w.id = p.wallet_id
  LEFT JOIN wallet_score s ON s.wallet_id = w.id
  ORDER BY k.key, p.balance DESC, p.wallet_id`

/** The holders of each range, in the order of the ranges. */
export function readHolders(reading: Reading, ranges: readonly HolderRange[]): Promise<HolderRow[][]> {
  return readLists(reading, ranges.length, {
    name: 'holders',
    text: TEXT,
    values: [
      ranges.map((r) => r.tokenId),
      ranges.map((r) => r.offset),
      ranges.map((r) => r.limit),
      weekAgo(reading.head),
    ],
  })
}
