// Batches that are looked up before their turn, while those before them are worked out: what the tables and the chain say
// of them is then at hand. Only a saving: what failed, or could not be known yet, is looked up at its turn.
import type { Address } from '../../../base/address.ts'
import type { ChainBlock } from '../../../chain/event.ts'
import { type Batch, type LookedUp, lookUp, type Sources, toBatch } from './batch.ts'
import type { Asking } from './chain.ts'

export interface Ahead {
  /** Begins to look up blocks that a later append brings. */
  expect(sources: Sources, blocks: readonly ChainBlock[]): void
  /** The blocks as a batch, and what was found of it, once what was begun has ended; nothing before them is expected any more. */
  take(sources: Sources, blocks: readonly ChainBlock[]): Promise<Taken>
}

export interface Taken {
  batch: Batch
  /** Null: it is to be looked up now. */
  lookedUp: LookedUp | null
}

interface Expected {
  batch: Batch
  /** Null: not all of it. */
  lookedUp: Promise<LookedUp | null>
  /** Those of the store when it began. */
  rotations: number
}

/** Nothing is expected yet. */
export function createAhead(): Ahead {
  let expected: Expected[] = []
  /** May be being worked out still. */
  let taken: Batch | null = null

  const begin = async (sources: Sources, batch: Batch): Promise<LookedUp | null> => {
    const before = [...(taken ? [taken] : []), ...expected.map((each) => each.batch)]
    // Which locks a locker has is told by tokens that a batch before this one may bring.
    let isWhole = batch.scanned.locks.length === 0
    const isTheirs: Asking['isTheirs'] = (address, holder) => {
      const isNamed = before.some((each) => names(each, address, holder))
      if (isNamed) isWhole = false
      return isNamed
    }
    const found = await lookUp({ ...sources, isTheirs }, batch)
    return isWhole && hasPools(found, batch, before) ? found : null
  }

  return {
    expect: (sources, blocks) => {
      const batch = toBatch(sources.known, blocks)
      const lookedUp = begin(sources, batch).catch(() => null)
      expected.push({ batch, lookedUp, rotations: sources.store.rotations })
    },
    take: async (sources, blocks) => {
      const own = expected.find(({ batch }) => isSame(batch.blocks, blocks))
      const last = blocks.at(-1)?.number ?? 0
      expected = expected.filter(({ batch }) => (batch.blocks.at(-1)?.number ?? 0) > last)
      const batch = own?.batch ?? toBatch(sources.known, blocks)
      taken = batch
      const lookedUp = (await own?.lookedUp) ?? null
      // A row outlives one rotation, whether it is used or not.
      return { batch, lookedUp: own && sources.store.rotations - own.rotations < 2 ? lookedUp : null }
    },
  }
}

/** Whether the pools that batches before this one name were there already, as far as this one's wallets are among them. */
function hasPools({ near }: LookedUp, { scanned: { wallets } }: Batch, before: readonly Batch[]): boolean {
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
