// Reads the newest scores of tokens, by id or address. Summaries and explanations, which are long, have a read of their own.
import type { Confidence, NetActivity, RiskFlag } from '../../base/vocabulary.ts'
import type { Reason } from '../explanation.ts'
import { PACKED_VERDICT, type PackedExplanation, type PackedVerdict, unpackVerdict } from '../explanation-pack.ts'
import type { Reading, SelectText } from './consistent-read.ts'

/** The newest score of a token. A token that was never scored has the prior, with the lowest confidence, and no dimensions. */
export interface TokenScoreRow {
  id: number
  address: string
  riskScore: number
  flags: RiskFlag[]
  confidence: Confidence
  /**
   * Null: its holders, the wallets that could withdraw its liquidity, its trades, or those of wallets with a good
   * record are unknown.
   */
  holderConcentrationScore: number | null
  liquidityStabilityScore: number | null
  washTradeScore: number | null
  smartMoneyFlowScore: number | null
  /** Null: not scored yet. */
  earlyMoverCount: number | null
  earlyMoverNetActivity: NetActivity | null
  avgReputationTop10: number | null
  /** Null: unknown. */
  organicVolume24hUsd: number | null
  updatedAt: Date
  blockNumber: number
}

/** The long columns of a score, read only on request. */
export interface TokenScoreDetailRow {
  id: number
  summary: string
  /** facts | model */
  summarySource: string
  /** The block of the summary's facts. May be older than the score if a model wrote it and it is still valid. */
  summaryBlock: number
  /** Null: never scored. */
  explanation: PackedExplanation | null
  withdrawerId: number | null
}

// A token that is not scored yet gets the priors, as of the head block ($2 is its time, $3 its number).
const TEXT: SelectText = `SELECT t.id, t.address, t.risk_score AS "riskScore", t.risk_flags AS flags,
    coalesce(s.confidence, 'low') AS confidence,
    s.holder_concentration_score AS "holderConcentrationScore",
    s.liquidity_stability_score AS "liquidityStabilityScore",
    s.wash_trade_score AS "washTradeScore",
    s.smart_money_flow_score AS "smartMoneyFlowScore",
    s.early_mover_count AS "earlyMoverCount",
    s.early_mover_net_activity AS "earlyMoverNetActivity",
    s.avg_reputation_top10 AS "avgReputationTop10",
    s.organic_volume_24h_usd AS "organicVolume24hUsd",
    coalesce(s.updated_at, $2::timestamptz) AS "updatedAt", coalesce(s.block_number, $3::int) AS "blockNumber"
  FROM token t LEFT JOIN token_score s ON s.token_id = t.id
  WHERE t.indexed AND`

/** Scores of the tokens with these ids that are indexed, in any order. */
export const readTokenScores = (reading: Reading, ids: readonly number[]): Promise<TokenScoreRow[]> =>
  reading.query({
    name: 'token scores',
    text: `${TEXT} t.id = ANY ($1::int[])`,
    values: [ids, reading.head.time, reading.head.number],
  })

/** Scores of the tokens with these addresses that are indexed, in any order. */
export const readTokenScoresByAddress = (reading: Reading, addresses: readonly string[]): Promise<TokenScoreRow[]> =>
  reading.query({
    name: 'token scores by address',
    text: `${TEXT} t.address = ANY ($1::text[])`,
    values: [addresses, reading.head.time, reading.head.number],
  })

const DETAIL: SelectText = `SELECT t.id, coalesce(s.summary, 'This token has not been scored yet.') AS summary,
    coalesce(s.summary_source, 'facts') AS "summarySource",
    coalesce(m.block_number, s.block_number, $2::int) AS "summaryBlock", s.explanation::json AS explanation,
    s.withdrawer_id AS "withdrawerId"
  FROM token t LEFT JOIN token_score s ON s.token_id = t.id
    LEFT JOIN token_summary m ON m.token_id = t.id AND s.summary_source = 'model'
  WHERE t.id = ANY ($1::int[])`

/** Details of the scores of tokens with these ids, in any order. */
export const readTokenScoreDetails = (reading: Reading, ids: readonly number[]): Promise<TokenScoreDetailRow[]> =>
  reading.query({ name: 'token score details', text: DETAIL, values: [ids, reading.head.number] })

export interface VerdictRow {
  id: number
  /** Null: never scored. */
  verdict: StoredVerdict | null
}

/** The parts of a verdict that a score stores. */
export interface StoredVerdict {
  riskScore: number
  confidence: Confidence
  findings: Reason[]
  headline: string
  checkedAt: number | null
  /** The gaps that lower the confidence. */
  gaps: string[]
  chainId: number
  /** In seconds since 1970; null: it never had liquidity. */
  firstLiquidityAt: number | null
}

interface PackedRow {
  id: number
  riskScore: number
  confidence: Confidence | null
  packed: PackedVerdict | null
  chainId: number
  firstLiquidityAt: number | null
}

const VERDICT: SelectText = `SELECT t.id, s.risk_score AS "riskScore", s.confidence, ${PACKED_VERDICT} AS packed,
    (SELECT chain_id::float8 FROM chain) AS "chainId", date_part('epoch', t.first_liquidity_at) AS "firstLiquidityAt"
  FROM token t LEFT JOIN token_score s ON s.token_id = t.id WHERE t.id = ANY ($1::int[])`

/** The verdicts of the newest scores of tokens with these ids, in any order. */
export async function readVerdicts(reading: Reading, ids: readonly number[]): Promise<VerdictRow[]> {
  const rows = await reading.query<PackedRow>({ name: 'token verdicts', text: VERDICT, values: [ids] })
  return rows.map(({ id, confidence, packed, ...row }) => ({
    id,
    verdict: packed && { ...row, confidence: confidence ?? 'low', ...unpackVerdict(packed) },
  }))
}
