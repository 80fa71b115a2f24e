// Fetches the rows of blocks, from the tables and from the chain, while the previous blocks are being applied. This
// only saves time: a failed or impossible prefetch is repeated at the blocks' turn.
import type { Address } from '../../../base/address.ts'
import type { ChainBlock } from '../../../chain/event.ts'
import { type Prefetched, prefetchBatch, type Sources } from './batch.ts'
import type { ChainSources } from './chain.ts'
import { type Batch, toBatch } from './grouped.ts'

export interface Prefetch {
  /** Starts to fetch the rows of these blocks; a later `take` asks for them. */
  start(sources: Sources, blocks: readonly ChainBlock[]): void
  /**
   * Returns the blocks as a batch with its prefetched rows, once the prefetch has ended. Drops the batches before it.
   */
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
    // Locks are found by their token, which an earlier batch may be about to create, so a batch with locks is never
    // complete. A batch is not complete either if an earlier one names its position tokens or stakes, because that
    // decides their owners.
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

/** Whether every pool in earlier batches was known, among this batch's wallets. */
function hasPools({ near }: Prefetched, { scanned: { wallets } }: Batch, before: readonly Batch[]): boolean {
  const known = new Set(near.pools.map(({ address }) => address))
  return before.every(({ scanned: { pools, announced } }) =>
    [...pools.keys(), ...announced.keys()].every((address) => known.has(address) || !wallets.has(address)),
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
