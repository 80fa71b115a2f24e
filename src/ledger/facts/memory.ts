// Caches the rows about wallets and tokens during a scoring run, because a wallet trades many tokens. Bounded, and valid
// for one block only. Rows of wallets stay valid while their changes are told: see `forgetChanged`.
import { float64At } from '../../base/item-at.ts'
import { type DayHours, MOST_DAYS } from './aftermath.ts'
import type { FactRules } from './facts.ts'
import { createHoldingsStore, type TokenTerms } from './holdings.ts'
import { createMarks, type Marks } from './marks.ts'
import type { RecentSwaps } from './recent-swaps.ts'
import {
  createListStore,
  createPackedStore,
  createShelf,
  type ListStore,
  MAX_STORED,
  type Shelf,
  type Store,
} from './store.ts'
import { createTraderStore, type TraderStore } from './traders.ts'

/** The evidence of the links to an address about its owner. */
export interface LinkRole {
  /** It is a pool, an exchange, or linked to too many wallets, so it connects nobody. */
  service: boolean
  /** Too many wallets sent it tokens, or received tokens from it, for these transfers to be evidence. */
  crowded: boolean
  /** It has swapped at least once. */
  trades: boolean
}

const createRoleStore = () =>
  createPackedStore<LinkRole>(
    1,
    ({ service, crowded, trades }) => [Number(service) + 2 * Number(crowded) + 4 * Number(trades)],
    (_, cells, at) => {
      const role = float64At(cells, at)
      return { service: (role & 1) !== 0, crowded: (role & 2) !== 0, trades: (role & 4) !== 0 }
    },
  )

export interface Memory {
  /** The rules of all these reads. */
  rules: FactRules
  /** Wallets, without their balances. */
  wallets: Shelf<TraderStore>
  /** Outgoing links by wallet, as facts/links encodes them; empty for a service. */
  links: Shelf<ListStore>
  roles: Shelf<Store<LinkRole>>
  /** Scratch array of facts/links. */
  marks: Marks
  /** Undefined: swaps are read anew. */
  recentSwaps?: RecentSwaps | undefined
  /** The times at which the launches of much traded tokens were read, oldest first. They outlive a block. */
  launches: Map<number, number>
  tokens: Shelf<Store<TokenTerms>>
  /** Traded hours by token and day. */
  days: Shelf<Store<DayHours>>
}

/** Rows of wallets, and of their links. */
export type KnownWallets = Pick<Memory, 'wallets' | 'links' | 'roles'>

export const createKnownWallets = (rules: FactRules, most = MAX_STORED): KnownWallets => ({
  wallets: createShelf(() => createTraderStore(rules), most),
  links: createShelf(createListStore, most),
  roles: createShelf(createRoleStore, most),
})

/** Rows that a block changed: of wallets, with their first funders, and links between two. */
export interface ChangedWallets {
  wallets: Iterable<{ id: number; firstFunderId: number | null }>
  links: ReadonlyMap<string, { fromId: number; toId: number }>
}

/** Forgets what the changes may have made untrue, so that it is read anew. */
export function forgetChanged({ wallets, links, roles }: KnownWallets, changed: ChangedWallets): void {
  for (const { id, firstFunderId } of changed.wallets) {
    wallets.store.delete(id)
    roles.store.delete(id)
    // Whoever was the first to fund too many is a service.
    if (firstFunderId !== null) roles.store.delete(firstFunderId)
  }
  for (const { fromId, toId } of changed.links.values()) {
    links.store.delete(fromId)
    roles.store.delete(fromId)
    roles.store.delete(toId)
  }
}

/** What outlives a cache: `marks` has one byte per wallet, whose memory is reused. */
export type Lasting = Pick<Memory, 'marks' | 'launches' | 'recentSwaps'> & Partial<KnownWallets>
export const createLasting = (): Lasting => ({ marks: createMarks(), launches: new Map() })

/** Creates an empty cache. */
export const createMemory = (rules: FactRules, lasting: Lasting = createLasting()): Memory => ({
  rules,
  ...createKnownWallets(rules),
  ...lasting,
  tokens: createShelf(createHoldingsStore),
  days: createShelf(() => new Map<number, DayHours>(), MOST_DAYS),
})
