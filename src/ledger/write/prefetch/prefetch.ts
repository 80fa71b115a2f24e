// Fetches what blocks name, from the tables and from the chain, while the blocks before them are being applied. This only
// saves time: what failed, or could not be known yet, is fetched again when it is the blocks' turn.
import type { Address } from '../../../base/address.ts'
import type { ChainBlock } from '../../../chain/event.ts'
import { type Batch, type Prefetched, prefetchBatch, type Sources, toBatch } from './batch.ts'
import type { ChainSources } from './chain.ts'

export interface Prefetch {
  /** Starts to fetch what these blocks name; a later `take` asks for them. */
  start(sources: Sources, blocks: readonly ChainBlock[]): void
  /** Returns the blocks as a batch with what was prefetched, once that has ended. Drops the batches before it. */
  take(sources: Sources, blocks: readonly ChainBlock[]): Promise<TakenBatch>
}

export interface TakenBatch {
  batch: Batch
  /** Null: must be fetched now. */
  prefetched: Prefetched | null
}

interface Started {
  batch: Batch
  /** Null: not everything could be fetched. */
  prefetched: Promise<Prefetched | null>
  /** The store's count of rotations when the prefetch began. */
  rotations: number
}

/** Keeps track of the prefetches of one writer. */
export function createPrefetch(): Prefetch {
  let started: Started[] = []
  /** The batch taken last, which may still be being applied. */
  let taken: Batch | null = null

  const begin = async (sources: Sources, batch: Batch): Promise<Prefetched | null> => {
    const before = [...(taken ? [taken] : []), ...started.map((each) => each.batch)]
    // Locks are found by their token, which an earlier batch may be about to create. So a batch with locks is never complete.
    // Nor is one whose position tokens or stakes an earlier batch names, which decides whose they are.
    let isWhole = batch.scanned.locks.length === 0 && !before.some((each) => isOfSamePositions(each, batch))
    const isTheirs: ChainSources['isTheirs'] = (address, holder) => {
      const isNamed = before.some((each) => names(each, address, holder))
      if (isNamed) isWhole = false
      return isNamed
    }
    const found = await prefetchBatch({ ...sources, isTheirs }, batch)
    return isWhole && hasPools(found, batch, before) ? found : null
  }

  return {
    start: (sources, blocks) => {
      const batch = toBatch(sources.known, blocks)
      const prefetched = begin(sources, batch).catch(() => null)
      started.push({ batch, prefetched, rotations: sources.store.rotations })
    },
    take: async (sources, blocks) => {
      const own = started.find(({ batch }) => isSame(batch.blocks, blocks))
      const last = blocks.at(-1)?.number ?? 0
      started = started.filter(({ batch }) => (batch.blocks.at(-1)?.number ?? 0) > last)
      const batch = own?.batch ?? toBatch(sources.known, blocks)
      taken = batch
      const prefetched = (await own?.prefetched) ?? null
      // An unused row stays in the store for one rotation; after two, prefetched rows may be gone.
      return { batch, prefetched: own && sources.store.rotations - own.rotations < 2 ? prefetched : null }
    },
  }
}

/** Whether every pool that earlier batches name was known, as far as the pool is among this batch's wallets. */
function hasPools({ near }: Prefetched, { scanned: { wallets } }: Batch, before: readonly Batch[]): boolean {
  const known = new Set(near.pools.map(({ address }) => address))
  return before.every(({ scanned: { pools, announced } }) =>
    [...pools, ...announced.keys()].every((address) => known.has(address) || !wallets.has(address)),
  )
}

const isOfSamePositions = ({ scanned: a }: Batch, { scanned: b }: Batch): boolean =>
  [...b.positions.keys()].some((key) => a.positions.has(key)) || [...b.stakes.keys()].some((key) => a.stakes.has(key))

const names = (
  { scanned: { tokens, pools, announced, holdings } }: Batch,
  address: Address,
  holder?: Address,
): boolean =>
  holder === undefined
    ? tokens.has(address) || pools.has(address) || announced.has(address)
    : holdings.get(address)?.has(holder) === true

const isSame = (some: readonly ChainBlock[], others: readonly ChainBlock[]): boolean =>
  some.length === others.length && some[0] === others[0] && some.at(-1) === others.at(-1)
