// Reads the newest reports on tokens' contracts, and how many tokens have the same code.
import { unpackReport } from '../../safety/pack.ts'
import type { BalancesDiffer, SafetyReport, SellCheck } from '../../safety/report.ts'
import { type UncheckedReason, whyUnchecked } from '../first-check.ts'
import type { Reading, SelectText } from './consistent-read.ts'

export interface SafetyRow {
  tokenId: number
  report: SafetyReport
  /** Tokens with the same code, including this one; 0 if the code was not read. */
  sameCode: number
}

/** The count stops at this many tokens of one code. */
const MOST_CLONES = 10_000

const TEXT: SelectText = `SELECT s.token_id AS "tokenId", s.report, (
    SELECT count(*)::int FROM (SELECT FROM token_safety o WHERE o.code_hash = s.code_hash LIMIT ${MOST_CLONES}) x) AS "sameCode"
  FROM token_safety s WHERE s.token_id = ANY($1::int[])`

/** The reports of the tokens that were checked, in any order. */
export async function readSafety(reading: Reading, tokenIds: readonly number[]): Promise<SafetyRow[]> {
  const rows = await reading.query<Omit<SafetyRow, 'report'> & { report: string }>({
    name: 'safety reports',
    text: TEXT,
    values: [tokenIds],
  })
  return rows.map((row) => ({ ...row, report: unpackReport(row.report) }))
}

/** The part of a report that lists show: the rest of a report is long. Null: the token was never checked. */
export interface SellCheckRow {
  tokenId: number
  sellCheck: SellCheck | null
  checkedAt: number | null
  balancesDiffer: BalancesDiffer | null
  /** The check in the form of `contract-marks.ts`; 0: there was none. */
  contractMarks: number
  /** Why it was never checked. */
  why: UncheckedReason
  /** The operator's word; null: there is none. */
  vouchReason: string | null
  vouchSource: string | null
  vouchSince: Date | null
}

const SELL_CHECK: SelectText = `SELECT t.id AS "tokenId", r.report->'sellCheck' AS "sellCheck", (r.report->>'checkedAt')::float8 AS "checkedAt",
    r.report->'balancesDiffer' AS "balancesDiffer", coalesce(s.marks, 0) AS "contractMarks",
    ${whyUnchecked('t', 'c')} AS why, v.reason AS "vouchReason", v.source AS "vouchSource", v.since AS "vouchSince"
  FROM token t LEFT JOIN chain c ON true LEFT JOIN token_safety s ON s.token_id = t.id LEFT JOIN token_vouch v ON v.address = t.address
  LEFT JOIN LATERAL (SELECT s.report::json AS report) r ON true WHERE t.id = ANY($1::int[])`

/** In any order. */
export const readSellChecks = (reading: Reading, tokenIds: readonly number[]): Promise<SellCheckRow[]> =>
  reading.query({ name: 'sell checks', text: SELL_CHECK, values: [tokenIds] })
