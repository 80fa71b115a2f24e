// Caches the rows about wallets and tokens during a scoring run, because a wallet trades many tokens. Valid for one
// block only, and bounded.
import { float64At } from '../../base/item-at.ts'
import { type DayHours, MOST_DAYS } from './aftermath.ts'
import type { FactRules } from './facts.ts'
import { createHoldingsStore, type TokenTerms } from './holdings.ts'
import { createMarks, type Marks } from './marks.ts'
import type { RecentSwaps } from './recent-swaps.ts'
import { createListStore, createPackedStore, createShelf, type ListStore, type Shelf, type Store } from './store.ts'
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

/** What outlives a cache: `marks` has one byte per wallet, whose memory is reused. */
export type Lasting = Pick<Memory, 'marks' | 'launches' | 'recentSwaps'>
export const createLasting = (): Lasting => ({ marks: createMarks(), launches: new Map() })

/** Creates an empty cache. */
export const createMemory = (rules: FactRules, lasting: Lasting = createLasting()): Memory => ({
  rules,
  ...lasting,
  wallets: createShelf(() => createTraderStore(rules)),
  links: createShelf(createListStore),
  roles: createShelf(createRoleStore),
  tokens: createShelf(createHoldingsStore),
  days: createShelf(() => new Map<number, DayHours>(), MOST_DAYS),
})
