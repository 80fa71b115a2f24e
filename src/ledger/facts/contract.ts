// Reads the facts of each token's newest contract check that a score uses.
import { defineRead, integer, type Reader, seconds, text } from '../../database/column-query.ts'
import { unpackReport } from '../../safety/pack.ts'
import type { ContractFacts } from './facts.ts'

const readRows = defineRead(
  'facts contracts',
  { tokenId: integer('token_id'), checkedAt: seconds('checked_at'), report: text('report') },
  (columns) => `SELECT ${columns} FROM token_safety WHERE token_id = ANY($1::int[]) ORDER BY token_id`,
)

/** Returns a function that gives a token's contract facts; null: it was never checked. */
export async function readContractFacts(
  client: Reader,
  tokenIds: readonly number[],
): Promise<(tokenId: number) => ContractFacts | null> {
  const rows = await readRows(client, [tokenIds])
  const known = new Map<number, ContractFacts>()
  for (const [at, tokenId] of rows.tokenId.entries()) {
    const { sellCheck, powers, findings, complete } = unpackReport(rows.report[at] ?? '')
    known.set(tokenId, { checkedAt: rows.checkedAt[at] ?? 0, sellCheck, powers, findings, complete })
  }
  return (tokenId) => known.get(tokenId) ?? null
}
