// Asks the chain about new tokens, pools and holders. It asks for a token's metadata, whether a factory confirms a
// pool, and amounts older than the start block (supply, reserves, balances). Each batch asks once, in bulk.
import type { Address } from '../../../base/address.ts'
import type { Scan } from '../../../book/logs/scan.ts'
import { hasShareToken, sharesAddress } from '../../../book/pools/pools.ts'
import { own } from '../../../book/rows/new-rows.ts'
import type { RowStore } from '../../../book/rows/row-store.ts'
import { holdingKey, type Learnt } from '../../../book/rows/working-set.ts'
import { isPairKey } from '../../../chain/contracts/coin-pool.ts'
import type { ChainReader, PoolMetadata } from '../../../chain/contracts/reader.ts'
import type { ChainBlock } from '../../../chain/event.ts'

/** Holders by token. */
export type Pairs = ReadonlyMap<Address, ReadonlySet<Address>>

/** The inputs of these questions. */
export interface ChainSources {
  reader: ChainReader
  store: RowStore
  /** With start block 0 nothing can be older than the start. */
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
  const unknown = [...pools].filter(isUnknown)
  if (unknown.length === 0 || blockBefore(blocks) < 0) return confirmed
  const answers = await reader.readPools(unknown, blockBefore(blocks))
  for (const address of unknown) {
    const pool = answers.get(address)
    if (pool && pool.token0 !== pool.token1) confirmed.set(address, pool)
    else store.refused.add(own(address))
  }
  return confirmed
}

/** Reads new tokens at the batch's last block. Supply that the batch did not mint is older than the start block. */
export async function prefetchTokens(
  { store, reader, startBlock, isTheirs }: ChainSources,
  { tokens, announced, minted }: Scan,
  confirmed: Map<Address, PoolMetadata>,
  blocks: readonly ChainBlock[],
): Promise<Learnt['tokens']> {
  const pools = [...announced, ...confirmed]
  const named = pools.flatMap(([address, pool]) => [
    ...(hasShareToken(pool, address) ? [sharesAddress(pool, address)] : []),
    ...sidesOf(pool),
  ])
  const unknown = [...new Set([...tokens, ...named])].filter(
    (address) => !store.tokens.find(address) && !isTheirs(address),
  )
  const described: Learnt['tokens'] = new Map()
  if (unknown.length === 0) return described
  const answers = await reader.readTokens(unknown, blocks.at(-1)?.number ?? 0)
  for (const address of unknown) {
    const answer = answers.get(address) ?? { name: '', symbol: '', decimals: null, totalSupply: null }
    const older = startBlock > 0 && answer.totalSupply !== null ? answer.totalSupply - (minted.get(address) ?? 0n) : 0n
    described.set(address, { ...answer, openingSupply: older > 0n ? older : 0n })
  }
  return described
}

/** Reads the opening balances of new holders of tokens that are older than the start block. Keys are `holdingKey`s. */
export async function prefetchOpenings(
  { store, reader, isTheirs }: ChainSources,
  pairs: Pairs,
  found: Omit<Learnt, 'openings'>,
  blocks: readonly ChainBlock[],
): Promise<Learnt['openings']> {
  const questions = [...pairs]
    .filter(([token]) => isOlder(store, found.tokens, token))
    .flatMap(([token, holders]) => newHolders(store, token, holders).map((holder) => ({ token, holder })))
    .filter(({ token, holder }) => !isTheirs(token, holder))
  if (questions.length === 0) return new Map()
  const answers = await reader.readBalances(questions, blockBefore(blocks))
  return new Map(
    questions.map(({ token, holder }, index) => [
      holdingKey(token, holder),
      answers[index] ?? reserveOf(found.pools.get(holder), token),
    ]),
  )
}

/** The reserve that a confirmed V3 pool reported, for a token that does not answer. */
function reserveOf(pool: PoolMetadata | undefined, token: Address): bigint {
  if (pool?.kind !== 'v3') return 0n
  return token === pool.token0 ? pool.reserve0 : token === pool.token1 ? pool.reserve1 : 0n
}

/** Whether the token existed before the start block. */
const isOlder = (store: RowStore, described: Learnt['tokens'], token: Address): boolean =>
  store.tokens.find(token)?.partial ?? (described.get(token)?.openingSupply ?? 0n) > 0n

/** The holders that never held the token before. */
function newHolders(store: RowStore, token: Address, holders: ReadonlySet<Address>): Address[] {
  const tokenId = store.tokens.find(token)?.id
  if (tokenId === undefined) return [...holders]
  return [...holders].filter((holder) => {
    const walletId = store.wallets.find(holder)?.id
    return walletId === undefined || store.positions.get(tokenId, walletId) === undefined
  })
}
