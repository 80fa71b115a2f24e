// Fetches the rows that a batch names: known rows from the tables, and facts about new ones from the chain. None of it
// depends on changes of earlier batches, so it can be fetched while those are being applied.

import type { Address } from '../../../base/address.ts'
import { put, type Scan } from '../../../book/logs/scan.ts'
import { holderOf, ownAddress, sharesAddress } from '../../../book/pools/pools.ts'
import type { Known } from '../../../book/rows/known.ts'
import type { RowStore } from '../../../book/rows/row-store.ts'
import type { PoolRecord } from '../../../book/rows/rows.ts'
import type { Learnt } from '../../../book/rows/working-set.ts'
import type { PoolMetadata } from '../../../chain/contracts/reader.ts'
import type { pg } from '../../../database/client.ts'
import { loadLocks } from '../load/locks.ts'
import { loadPositionTokens } from '../load/position-tokens.ts'
import { loadPools, loadPositions, loadTokens, loadWallets } from '../load/rows.ts'
import { loadStakes } from '../load/stakes.ts'
import { type ChainSources, prefetchPools, prefetchTokens, prefetchTold, sidesOf } from './chain.ts'
import { prefetchCodes } from './codes.ts'
import type { Batch } from './grouped.ts'
import { type Pairs, prefetchOpenings } from './openings.ts'

/** The sources of a prefetch. */
export interface Sources extends ChainSources {
  client: pg.ClientBase
}

/** The names in a batch, with the pools around it. */
export interface Near {
  scanned: Scan
  /** Known pools that are named by the batch's logs or are among its wallets. */
  pools: readonly PoolRecord[]
  /** The tokens of new pools. */
  sides: readonly Address[]
}

type Confirmed = ReadonlyMap<Address, PoolMetadata>

/** The result of a prefetch. Its rows are in the store. */
export interface Prefetched {
  near: Near
  found: Learnt
}

/** Fetches everything that the batch names. */
export async function prefetchBatch(sources: Sources, batch: Batch): Promise<Prefetched> {
  const { client, store } = sources
  const { blocks, scanned } = batch
  const held = [...(await loadNamed(sources, scanned)), ...(await loadPositionTokens(client, store, scanned))]
  await loadLocks(client, store, scanned.locks)
  await loadStakes(client, store, scanned.stakes.values())
  const pools = await prefetchPools(sources, scanned, blocks)
  const near: Near = { scanned, pools: poolsAtHand(store, scanned, held), sides: sidesOfNew(scanned, pools) }
  await loadNeighbours(sources, near, pools)
  const [tokens, codes] = await Promise.all([
    prefetchTokens(sources, scanned, pools),
    prefetchCodes(sources, scanned),
    prefetchTold(sources, scanned, blocks),
  ])
  const pairs = completePairs(sources.known, store, near, pools)
  await loadPositions(client, store, knownPairs(store, pairs))
  const openings = await prefetchOpenings(sources, pairs, { pools, tokens }, batch)
  return { near, found: { pools, tokens, openings, codes } }
}

/** Loads the rows of the addresses that the blocks name. Returns those wallets that are pools. */
async function loadNamed(
  { client, store, known }: Sources,
  { tokens, pools, wallets, announced, locks }: Scan,
): Promise<Address[]> {
  const sides = [...announced.values()].flatMap(sidesOf)
  const locked = locks.flatMap((log) => ('token' in log ? [log.token] : []))
  const quotes = known.quoteRank.keys()
  const shares = [...announced].map(([address, pool]) => sharesAddress(pool, address))
  await loadTokens(client, store, 'address', [...tokens.keys(), ...shares, ...sides, ...locked, ...quotes])
  const keys = [...pools.keys(), ...announced.keys()]
  await loadWallets(client, store, 'address', [...wallets, ...keys, ...keys.map(ownAddress)])
  // A transfer to or from a V3 pool changes its reserves, so the pools among the wallets are needed too.
  const held = [...wallets].filter((address) => store.wallets.find(address)?.kind === 'pool')
  await loadPools(client, store, 'address', [...pools.keys(), ...announced.keys(), ...held])
  return held
}

/** Loads both tokens, the liquidity token and the wallet of each pool in `near`, and the tokens of new pools. */
async function loadNeighbours({ client, store }: Sources, { pools, sides }: Near, confirmed: Confirmed): Promise<void> {
  const tokens = pools.flatMap((pool) => [pool.token0Id, pool.token1Id, pool.lpTokenId])
  const wallets = pools.map((pool) => pool.walletId)
  const shares = [...confirmed].map(([address, pool]) => sharesAddress(pool, address))
  await loadTokens(client, store, 'address', [...sides, ...shares])
  await loadTokens(client, store, 'id', tokens)
  await loadWallets(client, store, 'id', wallets)
}

const poolsAtHand = (store: RowStore, { pools, announced }: Scan, held: readonly Address[]): PoolRecord[] =>
  [...new Set([...pools.keys(), ...held, ...announced.keys()])]
    .map((address) => store.pools.find(address))
    .filter((pool) => pool !== undefined)

const sidesOfNew = ({ announced, sides }: Scan, confirmed: Confirmed): Address[] => [
  ...sides,
  ...[...announced.values(), ...confirmed.values()].flatMap(sidesOf),
]

/**
 * Every pair of token and holder that the batch may need. It adds the pairs that pools imply to the scan's `holdings`.
 */
function completePairs(known: Known, store: RowStore, { scanned, pools }: Near, confirmed: Confirmed): Pairs {
  const { holdings, signers, providers, announced } = scanned
  const add = (token: Address | undefined, holders: Iterable<Address>) => {
    if (token) for (const holder of holders) put(holdings, token, holder)
  }
  for (const pool of pools) {
    const { address, token0Id, token1Id, baseId, quoteId } = pool
    const who = signers.get(address)
    if (!who) continue
    const quote = quoteId === null ? undefined : store.tokens.get(quoteId)?.address
    const isPaidInCash = quote !== undefined && known.cash.has(quote)
    for (const id of [token0Id, token1Id]) {
      const token = store.tokens.get(id)?.address
      add(token, [holderOf(known, pool, address)])
      // A pool's events are about its base token, or about both tokens unless one of them is the chain's money.
      if (!isPaidInCash || baseId === id) add(token, who)
    }
  }
  for (const [address, pool] of [...announced, ...confirmed])
    for (const token of sidesOf(pool)) add(token, [holderOf(known, pool, address), ...(signers.get(address) ?? [])])
  for (const [address, who] of providers) add(address, who)
  return holdings
}

/** The ids of the pairs that may have a row and are not in the store. */
function knownPairs(store: RowStore, pairs: Pairs): [tokens: number[], wallets: number[]] {
  const known: [number[], number[]] = [[], []]
  for (const [token, holders] of pairs) {
    const tokenId = store.tokens.find(token)?.id
    if (tokenId === undefined) continue
    for (const holder of holders) {
      const walletId = store.wallets.find(holder)?.id
      if (walletId === undefined || store.positions.isKnown(tokenId, walletId)) continue
      known[0].push(tokenId)
      known[1].push(walletId)
    }
  }
  return known
}
