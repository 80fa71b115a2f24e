// Fetches what a batch names: rows of the tables into the store, and from the chain what was never seen. None of it depends on
// what the batches before it change, so it may be fetched while they are worked out.

import type { Address } from '../../../base/address.ts'
import { type Grouped, group } from '../../../book/group.ts'
import type { PoolRecord } from '../../../book/rows.ts'
import type { Known, Learnt, RowStore } from '../../../book/working-set.ts'
import type { PoolMetadata } from '../../../chain/contracts/reader.ts'
import type { ChainBlock } from '../../../chain/event.ts'
import type { pg } from '../../../database/client.ts'
import { loadPools, loadPositions, loadTokens, loadWallets } from '../load.ts'
import { loadLocks } from '../load-locks.ts'
import { type ChainSources, type Pairs, prefetchOpenings, prefetchPools, prefetchTokens, sidesOf } from './chain.ts'
import { put, type Scan, scan } from './scan.ts'

/** What is fetched from. */
export interface Sources extends ChainSources {
  client: pg.ClientBase
  known: Known
}

/** Blocks that belong together, their transactions, and what they name. */
export interface Batch {
  blocks: readonly ChainBlock[]
  transactions: readonly Grouped[]
  scanned: Scan
}

/** The blocks as a batch. */
export function toBatch(known: Known, blocks: readonly ChainBlock[]): Batch {
  const transactions = blocks.map(group)
  return { blocks, transactions, scanned: scan(known, transactions) }
}

/** What a batch names, and what of it is known. */
export interface Near {
  scanned: Scan
  /** Known pools that a log or a wallet of the batch names. */
  pools: readonly PoolRecord[]
  /** Tokens of pools that are new. */
  sides: readonly Address[]
}

type Confirmed = ReadonlyMap<Address, PoolMetadata>

/** What was fetched. */
export interface Prefetched {
  near: Near
  found: Learnt
}

/** Fetches everything that the batch names. */
export async function prefetchBatch(sources: Sources, { blocks, scanned }: Batch): Promise<Prefetched> {
  const { client, store } = sources
  const held = await loadNamed(sources, scanned)
  await loadLocks(client, store, scanned.locks)
  const pools = await prefetchPools(sources, scanned, blocks)
  const near: Near = { scanned, pools: poolsAtHand(store, scanned, held), sides: sidesOfNew(scanned, pools) }
  await loadNeighbours(sources, near, pools)
  const tokens = await prefetchTokens(sources, scanned, pools, blocks)
  const pairs = completePairs(store, near, pools)
  await loadPositions(client, store, knownPairs(store, pairs))
  const openings = await prefetchOpenings(sources, pairs, { pools, tokens }, blocks)
  return { near, found: { pools, tokens, openings } }
}

/** Rows of the addresses that the blocks name; returns the pools among the wallets. */
async function loadNamed(
  { client, store, known }: Sources,
  { tokens, pools, wallets, announced, locks }: Scan,
): Promise<Address[]> {
  const sides = [...announced.values()].flatMap(sidesOf)
  const locked = locks.flatMap((log) => ('token' in log ? [log.token] : []))
  const quotes = known.quoteRank.keys()
  await loadTokens(client, store, 'address', [...tokens, ...announced.keys(), ...sides, ...locked, ...quotes])
  await loadWallets(client, store, 'address', [...wallets, ...pools, ...announced.keys()])
  // A transfer to or from a V3 pool changes its reserves, so the pools among the wallets are needed too.
  const held = [...wallets].filter((address) => store.wallets.find(address)?.kind === 'pool')
  await loadPools(client, store, 'address', [...pools, ...announced.keys(), ...held])
  return held
}

/** The tokens, share tokens and wallets of the pools at hand. */
async function loadNeighbours({ client, store }: Sources, { pools, sides }: Near, confirmed: Confirmed): Promise<void> {
  const tokens = pools.flatMap((pool) => [pool.token0Id, pool.token1Id, pool.lpTokenId])
  const wallets = pools.map((pool) => pool.walletId)
  await loadTokens(client, store, 'address', [...sides, ...confirmed.keys()])
  await loadTokens(client, store, 'id', tokens)
  await loadWallets(client, store, 'id', wallets)
}

const poolsAtHand = (store: RowStore, { pools, announced }: Scan, held: readonly Address[]): PoolRecord[] =>
  [...new Set([...pools, ...held, ...announced.keys()])]
    .map((address) => store.pools.find(address))
    .filter((pool) => pool !== undefined)

const sidesOfNew = ({ announced }: Scan, confirmed: Confirmed): Address[] =>
  [...announced.values(), ...confirmed.values()].flatMap(sidesOf)

/** Every token and holder that the batch may bring together: the scan's holdings, which it completes. */
function completePairs(store: RowStore, { scanned, pools }: Near, confirmed: Confirmed): Pairs {
  const { holdings, signers, providers, announced } = scanned
  const add = (token: Address | undefined, holders: Iterable<Address>) => {
    if (token) for (const holder of holders) put(holdings, token, holder)
  }
  for (const { address, kind, factory, token0Id, token1Id, baseId } of pools) {
    const who = signers.get(address)
    if (!who) continue
    for (const id of [token0Id, token1Id]) {
      const token = store.tokens.get(id)?.address
      add(token, [kind === 'v4' ? factory : address])
      // What the pool logs is about its base, or about both tokens where neither is a quote.
      if (baseId === null || baseId === id) add(token, who)
    }
  }
  for (const [address, pool] of [...announced, ...confirmed])
    for (const token of sidesOf(pool))
      add(token, [pool.kind === 'v4' ? pool.factory : address, ...(signers.get(address) ?? [])])
  for (const [address, who] of providers) add(address, who)
  return holdings
}

/** The pairs that may have a row, as identifiers. */
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
