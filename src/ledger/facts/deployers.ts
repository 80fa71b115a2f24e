// Reads the outcome of the earlier tokens of each token's deployer and of its funder's wallets: the newest of each.
import { int32At } from '../../base/item-at.ts'
import { defineRead, integer, type Reader } from '../../database/column-query.ts'
import { DEPLOYER_RECORDS, type DeployerRecord } from '../deployer-record.ts'

const readRecords = defineRead(
  'facts deployers',
  {
    tokenId: integer('t.id'),
    tokens: integer('r.tokens'),
    pulled: integer('r.pulled'),
    funderTokens: integer('k.tokens'),
    funderPulled: integer('k.pulled'),
  },
  (columns) => `SELECT ${columns} ${DEPLOYER_RECORDS}`,
)

/** Returns a function that gives a token's record; null: the deployer is unknown. */
export async function readDeployerRecords(
  client: Reader,
  tokenIds: readonly number[],
): Promise<(tokenId: number) => DeployerRecord | null> {
  const rows = await readRecords(client, [tokenIds])
  const records = new Map<number, DeployerRecord>()
  for (const [at, tokenId] of rows.tokenId.entries())
    records.set(tokenId, {
      tokens: int32At(rows.tokens, at),
      pulled: int32At(rows.pulled, at),
      funderTokens: int32At(rows.funderTokens, at),
      funderPulled: int32At(rows.funderPulled, at),
    })
  return (tokenId) => records.get(tokenId) ?? null
}
