// Reads earlier scores, of many tokens or wallets in one statement.
import type { RiskFlag } from '../../base/vocabulary.ts'
import { type Reading, readLists, type SelectText } from './consistent-read.ts'

/** A token's or wallet's score at a block. */
export interface ScorePointRow {
  kind: number
  /** Of the token or wallet. */
  id: number
  blockNumber: number
  time: Date
  /** 0-100. */
  score: number
  level: string
  /** Null for a wallet. */
  flags: RiskFlag[] | null
}

/** Asks for the newest `limit` scores of a token or wallet. */
export interface HistoryRange {
  id: number
  limit: number
}

const KIND = { token: 1, wallet: 2 } as const

const TEXT: SelectText = `SELECT k.key, p.kind, p.id, p.block_number AS "blockNumber", p.time, p.score, p.level, p.flags
  FROM unnest($2::int[], $3::int[]) WITH ORDINALITY AS k (id, take, key)
  CROSS JOIN LATERAL (
    SELECT * FROM score_point WHERE kind = $1::smallint AND id = k.id ORDER BY block_number DESC LIMIT k.take
  ) p
  ORDER BY k.key, p.block_number DESC`

/** The scores of each range, newest first, in the order of the ranges. */
export function readHistories(
  reading: Reading,
  kind: keyof typeof KIND,
  ranges: readonly HistoryRange[],
): Promise<ScorePointRow[][]> {
  return readLists(reading, ranges.length, {
    name: 'histories',
    text: TEXT,
    values: [KIND[kind], ranges.map((r) => r.id), ranges.map((r) => r.limit)],
  })
}
