// Reads the pools of tokens in the form of the scores, with the wallets that can withdraw from them, at the block of an
// answer.
import type { Reader } from '../database/column-query.ts'
import type { FactRules, PoolFacts } from '../ledger/facts/facts.ts'
import { readPoolFacts } from '../ledger/facts/pools.ts'
import type { Reading } from '../ledger/read/consistent-read.ts'

export interface PoolFactsRow {
  tokenId: number
  pools: PoolFacts[]
}

/** The pools of each token, in the order of the tokens. */
export async function readPoolFactsOf(
  { head, send }: Reading,
  tokenIds: readonly number[],
  rules: FactRules,
): Promise<PoolFactsRow[]> {
  const hourTime = Math.floor(head.time.getTime() / 3_600_000) * 3_600
  const poolsOf = await readPoolFacts({ query: send } as Reader, tokenIds, { hourTime }, rules)
  return tokenIds.map((tokenId) => ({ tokenId, pools: poolsOf(tokenId) }))
}
