// Reads the outcome of the earlier tokens of tokens' deployers.
import { DEPLOYER_RECORDS, type DeployerRecord } from '../deployer-record.ts'
import type { Reading } from './consistent-read.ts'

export interface DeployerRecordRow extends DeployerRecord {
  /** Of the token. */
  id: number
}

/** The records of the tokens whose deployer is known, in any order. */
export const readDeployerRecordRows = (reading: Reading, tokenIds: readonly number[]): Promise<DeployerRecordRow[]> =>
  reading.query({
    name: 'deployer records',
    text: `SELECT t.id, r.tokens, r.pulled ${DEPLOYER_RECORDS}`,
    values: [tokenIds],
  })
