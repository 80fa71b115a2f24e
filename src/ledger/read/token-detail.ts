// What a token's own page shows beyond the lists: read only when it is asked for.
import type { EventType } from '../../base/vocabulary.ts'
import type { Token } from '../../database/generated/client.ts'
import type { Reading, SelectText } from './consistent-read.ts'

/** The rest of a token's row. */
export interface TokenDetailRow
  extends Pick<
    Token,
    'id' | 'decimals' | 'createdBlock' | 'deployerId' | 'partial' | 'peakLiquidityUsd' | 'buyerCount' | 'eventCount'
  > {
  /** Whole tokens. */
  supply: number
  burned: number
  /** Events of each type. */
  countByType: Record<EventType, number>
}

const TEXT: SelectText = `SELECT id, decimals, created_block AS "createdBlock", deployer_id AS "deployerId", partial,
    peak_liquidity_usd AS "peakLiquidityUsd", buyer_count AS "buyerCount", event_count AS "eventCount",
    coalesce(supply::float8 / 10::float8 ^ decimals, 0) AS supply,
    coalesce(burned::float8 / 10::float8 ^ decimals, 0) AS burned,
    json_build_object('swap', swap_count, 'liquidity_add', liquidity_add_count,
      'liquidity_remove', liquidity_remove_count, 'transfer', transfer_count) AS "countByType"
  FROM token WHERE id = ANY ($1::int[])`

/** Tokens by identifier, in any order. */
export const readTokenDetails = (reading: Reading, ids: readonly number[]): Promise<TokenDetailRow[]> =>
  reading.query({ name: 'token details', text: TEXT, values: [ids] })
