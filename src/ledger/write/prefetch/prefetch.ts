// Prefetching: what blocks name is read from the tables and asked of the chain while the blocks before them are worked out, so
// that it is in memory at their turn. Only a saving: what failed, or could not be known yet, is fetched at its turn.
import type { Address } from '../../../base/address.ts'
import type { ChainBlock } from '../../../chain/event.ts'
import { type Batch, type Prefetched, prefetchBatch, type Sources, toBatch } from './batch.ts'
import type { ChainSources } from './chain.ts'

export interface Prefetch {
  /** Starts to prefetch what blocks name that a later append brings. */
  start(sources: Sources, blocks: readonly ChainBlock[]): void
  /** The blocks as a batch, and what was prefetched of it, once that has ended; batches before it are let go. */
  take(sources: Sources, blocks: readonly ChainBlock[]): Promise<TakenBatch>
}

export interface TakenBatch {
  batch: Batch
  /** Null: it is to be fetched now. */
  prefetched: Prefetched | null
}

interface Started {
  batch: Batch
  /** Null: not all of it. */
  prefetched: Promise<Prefetched | null>
  /** Those of the store when it began. */
  rotations: number
}

/** Nothing is prefetched yet. */
export function createPrefetch(): Prefetch {
  let started: Started[] = []
  /** May be being worked out still. */
  let taken: Batch | null = null

  const begin = async (sources: Sources, batch: Batch): Promise<Prefetched | null> => {
    const before = [...(taken ? [taken] : []), ...started.map((each) => each.batch)]
    // Which locks a locker has is told by tokens that a batch before this one may bring.
    let isWhole = batch.scanned.locks.length === 0
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
      // A row outlives one rotation, whether it is used or not.
      return { batch, prefetched: own && sources.store.rotations - own.rotations < 2 ? prefetched : null }
    },
  }
}

/** Whether the pools that batches before this one name were there already, as far as this one's wallets are among them. */
function hasPools({ near }: Prefetched, { scanned: { wallets } }: Batch, before: readonly Batch[]): boolean {
  const known = new Set(near.pools.map(({ address }) => address))
  return before.every(({ scanned: { pools, announced } }) =>
    [...pools, ...announced.keys()].every((address) => known.has(address) || !wallets.has(address)),
  )
}

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
