// Asks the chain about new tokens, pools and holders. It asks for a token's metadata, whether a factory confirms a
// pool, and amounts that no log told (supply, reserves, balances). Each batch asks once, in bulk. A question's block
// follows from the chain alone, so the answers do not depend on how many blocks a batch has.

import type { Address } from '../../../base/address.ts'
import { pushTo } from '../../../base/push-to.ts'
import type { Scan } from '../../../book/logs/scan.ts'
import { hasShareToken, sharesAddress } from '../../../book/pools/pools.ts'
import type { Known } from '../../../book/rows/known.ts'
import { own } from '../../../book/rows/new-rows.ts'
import type { RowStore } from '../../../book/rows/row-store.ts'
import { isDue, mayChange } from '../../../book/rows/told.ts'
import type { Learnt } from '../../../book/rows/working-set.ts'
import { isPairKey } from '../../../chain/contracts/coin-pool.ts'
import type { ChainReader, PoolMetadata } from '../../../chain/contracts/reader.ts'
import type { ChainBlock } from '../../../chain/event.ts'

/** The inputs of these questions. */
export interface ChainSources {
  reader: ChainReader
  known: Known
  store: RowStore
  /** The first block of the index. */
  startBlock: number
  /** Whether an earlier batch, not applied yet, asks about this unknown token or pool, or about this holder's first balance. */
  isTheirs(address: Address, holder?: Address): boolean
}

const blockBefore = (blocks: readonly ChainBlock[]): number => (blocks[0]?.number ?? 0) - 1

/** The tokens of a pool; empty without a pool. */
export const sidesOf = (pool: PoolMetadata | undefined): Address[] =>
  pool ? [pool.token0, pool.token1, ...(pool.pairsOfMany ?? []).map(({ token1 }) => token1)] : []

/**
 * Reads pools that no log announced. A factory confirms pools older than the start block; the others are fakes, and are
 * remembered as refused.
 */
export async function prefetchPools(
  { store, reader, isTheirs }: ChainSources,
  { pools, announced }: Scan,
  blocks: readonly ChainBlock[],
): Promise<Map<Address, PoolMetadata>> {
  const confirmed = new Map<Address, PoolMetadata>()
  const isUnknown = (address: Address) =>
    !isPairKey(address) &&
    !store.pools.find(address) &&
    !announced.has(address) &&
    !store.refused.has(address) &&
    !isTheirs(address)
  const unknown = [...pools.keys()].filter(isUnknown)
  if (unknown.length === 0 || blockBefore(blocks) < 0) return confirmed
  const answers = await reader.readPools(unknown, blockBefore(blocks))
  for (const address of unknown) {
    const pool = answers.get(address)
    if (pool && pool.token0 !== pool.token1) confirmed.set(address, pool)
    else store.refused.add(own(address))
  }
  return confirmed
}

/**
 * Reads new tokens at the end of the block that names them first. Supply that this block did not mint is older, or was
 * made without a log.
 */
export async function prefetchTokens(
  { store, reader, isTheirs }: ChainSources,
  { tokens, pools, announced, minted }: Scan,
  confirmed: Map<Address, PoolMetadata>,
): Promise<Learnt['tokens']> {
  const named = new Map(tokens)
  for (const [address, pool] of [...announced, ...confirmed]) {
    const seen = pools.get(address) ?? 0
    for (const token of [...(hasShareToken(pool, address) ? [sharesAddress(pool, address)] : []), ...sidesOf(pool)])
      named.set(token, Math.min(named.get(token) ?? seen, seen))
  }
  const unknown = [...named.keys()].filter((address) => !store.tokens.find(address) && !isTheirs(address))
  const described: Learnt['tokens'] = new Map()
  if (unknown.length === 0) return described
  const blockOf = (address: Address) => named.get(address) ?? 0
  const answers = await askByBlock(unknown, blockOf, reader.readTokens)
  for (const address of unknown) {
    const answer = answers.get(address) ?? { name: '', symbol: '', decimals: null, totalSupply: null }
    // A supply of 0 is no answer about a token that moves.
    const logged = blockOf(address) === tokens.get(address) ? (minted.get(address) ?? 0n) : 0n
    const openingSupply = answer.totalSupply ? answer.totalSupply - logged : null
    described.set(address, { ...answer, openingSupply })
  }
  return described
}

/**
 * Reads the contracts again that are due when the batch first names their tokens. The reader keeps the answers until
 * the batch is applied, which decides.
 */
export async function prefetchTold(
  { store, reader, known }: ChainSources,
  { tokens }: Scan,
  blocks: readonly ChainBlock[],
): Promise<void> {
  const times = new Map(blocks.map(({ number, time }) => [number, time]))
  const due = [...tokens].flatMap(([address, block]) => {
    const token = store.tokens.find(address)
    return token && mayChange({ known }, token) && isDue(token, times.get(block) ?? 0) ? [address] : []
  })
  await askByBlock(due, (address) => tokens.get(address) ?? 0, reader.readTokens)
}

/** Asks the questions of each block together. */
export async function askByBlock<Question, Answer>(
  questions: readonly Question[],
  blockOf: (question: Question) => number,
  ask: (questions: readonly Question[], block: number) => Promise<ReadonlyMap<Question, Answer>>,
): Promise<Map<Question, Answer>> {
  const byBlock = new Map<number, Question[]>()
  for (const question of questions) {
    const block = blockOf(question)
    pushTo(byBlock, block, question)
  }
  const answers = await Promise.all([...byBlock].map(([block, asked]) => ask(asked, block)))
  return new Map(answers.flatMap((each) => [...each]))
}
