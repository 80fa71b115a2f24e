// Reads the newest scores of wallets, by id or address. Explanations, which are long, have their own read.
import type { Classification, Confidence } from '../../base/vocabulary.ts'
import { selectOf } from '../../fields/noun.ts'
import { DIMENSION_ROWS, type WalletDimensions } from '../../fields/wallet.ts'
import type { PackedExplanation } from '../explanation-pack.ts'
import type { Reading, SelectText } from './consistent-read.ts'
import { WALLET_SCORE_COLUMNS } from './wallet.ts'

/** The newest score of a wallet. A wallet that was never scored has the prior, with the lowest confidence. */
export interface WalletScoreRow extends WalletDimensions {
  id: number
  address: string
  reputationScore: number
  reputationConfidence: Confidence
  classification: Classification
  ownClasses: string | null
  tradeCount: number
  updatedAt: Date
  blockNumber: number
}

/** How a score was computed; null: never scored. Read only on request. */
export interface WalletExplanationRow {
  id: number
  explanation: PackedExplanation | null
}

const TEXT: SelectText = `SELECT w.id, w.address, ${WALLET_SCORE_COLUMNS}, ${selectOf(DIMENSION_ROWS)}, w.swap_count AS "tradeCount",
    coalesce(s.updated_at, $2::timestamptz) AS "updatedAt", coalesce(s.block_number, $3::int) AS "blockNumber"
  FROM wallet w LEFT JOIN wallet_score s ON s.wallet_id = w.id WHERE`

/** Scores of the wallets with these ids, in any order. */
export const readWalletScores = (reading: Reading, ids: readonly number[]): Promise<WalletScoreRow[]> =>
  reading.query({
    name: 'wallet scores',
    text: `${TEXT} w.id = ANY ($1::int[])`,
    values: [ids, reading.head.time, reading.head.number],
  })

/** Scores of the wallets with these addresses that are indexed, in any order. */
export const readWalletScoresByAddress = (reading: Reading, addresses: readonly string[]): Promise<WalletScoreRow[]> =>
  reading.query({
    name: 'wallet scores by address',
    text: `${TEXT} w.indexed AND w.address = ANY ($1::text[])`,
    values: [addresses, reading.head.time, reading.head.number],
  })

const EXPLANATIONS: SelectText = `SELECT w.id, s.explanation::json AS explanation FROM wallet w LEFT JOIN wallet_score s ON s.wallet_id = w.id
  WHERE w.id = ANY ($1::int[])`

/** Explanations of the scores of wallets with these ids, in any order. */
export const readWalletExplanations = (reading: Reading, ids: readonly number[]): Promise<WalletExplanationRow[]> =>
  reading.query({ name: 'wallet explanations', text: EXPLANATIONS, values: [ids] })
