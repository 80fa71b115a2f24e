// Reads the outcome of the earlier tokens of tokens' deployers: how many there were, and which.
import { DEPLOYER_RECORDS, type DeployerRecord, EARLIER_TOKENS, RECORD_COLUMNS } from '../deployer-record.ts'
import { type Reading, readLists } from './consistent-read.ts'

export interface DeployerRecordRow extends DeployerRecord {
  /** Of the token. */
  id: number
}

/** The records of the tokens whose deployer is known, in any order. */
export const readDeployerRecordRows = (reading: Reading, tokenIds: readonly number[]): Promise<DeployerRecordRow[]> =>
  reading.query({
    name: 'deployer records',
    text: `SELECT t.id, ${RECORD_COLUMNS} ${DEPLOYER_RECORDS}`,
    values: [tokenIds],
  })

/** An earlier token of the deployer of a token. */
export interface EarlierTokenRow {
  id: number
  pulled: boolean
}

export interface EarlierTokenRange {
  /** Of the later token. */
  id: number
  limit: number
}

/** The earlier tokens of each range, pulled ones first, then the newest, in the order of the ranges. */
export const readEarlierTokens = (
  reading: Reading,
  ranges: readonly EarlierTokenRange[],
): Promise<EarlierTokenRow[][]> =>
  readLists(reading, ranges.length, {
    name: 'earlier tokens',
    text: `SELECT k.key, e.id, e.pulled ${EARLIER_TOKENS} ORDER BY k.key, e.pulled DESC, e.id DESC`,
    values: [ranges.map(({ id }) => id), ranges.map(({ limit }) => limit)],
  })
