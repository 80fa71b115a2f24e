// What one run of scoring has read of wallets and tokens and need not read again: a wallet trades many tokens. Good for one
// block only, and bounded.
import { type DayHours, MOST_DAYS } from './aftermath.ts'
import type { FactRules } from './facts.ts'
import { createHoldingsStore, type TokenTerms } from './holdings.ts'
import { createMarks, type Marks } from './marks.ts'
import { createListStore, createPackedStore, createShelf, type ListStore, type Shelf, type Store } from './store.ts'
import { createTraderStore, type TraderStore } from './traders.ts'

/** What links to an address say of who owns it. */
export interface LinkRole {
  /** A pool, an exchange, or whoever is linked to too many: joins nobody. */
  service: boolean
  /** Too many sent it tokens. */
  crowded: boolean
  /** It swapped at least once. */
  trades: boolean
}

const createRoleStore = () =>
  createPackedStore<LinkRole>(
    1,
    ({ service, crowded, trades }) => [Number(service) + 2 * Number(crowded) + 4 * Number(trades)],
    (_, cells, at) => {
      const role = cells[at] as number
      return { service: (role & 1) !== 0, crowded: (role & 2) !== 0, trades: (role & 4) !== 0 }
    },
  )

export interface Memory {
  /** What was read was read by these rules. */
  rules: FactRules
  /** Without what they hold. */
  wallets: Shelf<TraderStore>
  /** Links of a wallet as in facts/links; none of a service. */
  links: Shelf<ListStore>
  roles: Shelf<Store<LinkRole>>
  /** For working out links; none is left. */
  marks: Marks
  tokens: Shelf<Store<TokenTerms>>
  /** Hours by token and day. */
  days: Shelf<Store<DayHours>>
}

/** Nothing was read yet. Marks of an earlier memory are used again: they take a byte a wallet. */
export const createMemory = (rules: FactRules, marks: Marks = createMarks()): Memory => ({
  rules,
  marks,
  wallets: createShelf(() => createTraderStore(rules)),
  links: createShelf(createListStore),
  roles: createShelf(createRoleStore),
  tokens: createShelf(createHoldingsStore),
  days: createShelf(() => new Map<number, DayHours>(), MOST_DAYS),
})
