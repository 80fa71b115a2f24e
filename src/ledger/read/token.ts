// Reads tokens by id or address. The statements are hand-written and prepared, for speed.
import type { RiskFlag } from '../../base/vocabulary.ts'
import type { Token } from '../../database/generated/client.ts'
import { capAtHead, priceAtHead } from '../present.ts'
import type { Reading, SelectText } from './consistent-read.ts'

/** The columns of a token that lists often show, as of the head block. */
export interface TokenRow
  extends Pick<
    Token,
    | 'id'
    | 'address'
    | 'name'
    | 'symbol'
    | 'createdAt'
    | 'launchpad'
    | 'priceUsd'
    | 'marketCapUsd'
    | 'liquidityUsd'
    | 'holderCount'
    | 'riskScore'
    | 'trendingScore'
  > {
  /** In USD, at the last change of its pools; `priceUsd` and the market cap use the current price of its quote. */
  lastPriceUsd: number
  volume24hUsd: number
  riskFlags: RiskFlag[]
  aiSummary: string
  /** At the time of the head block. */
  ageHours: number
  /** Percent over the past hour. */
  holderGrowth1hPct: number
}

/** $1 of every statement is the head block's time in milliseconds. AGE and GROWTH compute exactly what base/filter computes. */
const AGE = `floor(($1::float8 - date_part('epoch', t.created_at) * 1000) / 360 + 0.5) / 1e4`
const GROWTH =
  'floor(1e6::float8 * (t.funded_holder_count - t.funded_holder_count_1h_ago) / greatest(t.funded_holder_count_1h_ago, 1) + 0.5) / 1e4'

const COLUMNS = `t.id, t.address, t.name, t.symbol, t.created_at AS "createdAt", t.launchpad, t.price_usd AS "lastPriceUsd",
  ${priceAtHead('t')} AS "priceUsd", ${capAtHead('t')} AS "marketCapUsd", t.liquidity_usd AS "liquidityUsd", t.holder_count AS "holderCount",
  t.risk_score AS "riskScore", t.risk_flags AS "riskFlags",
  t.trending_score AS "trendingScore", t.volume_24h_micro_usd::float8 / 1e6 AS "volume24hUsd",
  coalesce(s.summary, 'This token has not been scored yet.') AS "aiSummary", ${AGE} AS "ageHours",
  ${GROWTH} AS "holderGrowth1hPct"`

const FROM = 'FROM token t LEFT JOIN token_score s ON s.token_id = t.id'

/** The tokens with these ids that are indexed, in any order. */
export function readTokensById(reading: Reading, ids: readonly number[]): Promise<TokenRow[]> {
  const text: SelectText = `SELECT ${COLUMNS} ${FROM} WHERE t.indexed AND t.id = ANY ($2::int[])`
  return reading.query({ name: 'tokens by id', text, values: [reading.head.time.getTime(), ids] })
}

/** The tokens with these addresses that are indexed, in any order. */
export function readTokensByAddress(reading: Reading, addresses: readonly string[]): Promise<TokenRow[]> {
  const text: SelectText = `SELECT ${COLUMNS} ${FROM} WHERE t.indexed AND t.address = ANY ($2::text[])`
  return reading.query({ name: 'tokens by address', text, values: [reading.head.time.getTime(), addresses] })
}
