// What one run of scoring has read of wallets and tokens and need not read again: a wallet trades many tokens. Good for one
// block only, and bounded: past its size it starts anew.
import type { TraderFacts } from '../facts.ts'
import { createHoldingsStore, type TokenTerms } from './holdings.ts'
import type { Store } from './store.ts'
import { createTraderStore } from './traders.ts'

/** What links to an address say of who owns it. */
export interface Role {
  /** A pool, an exchange, or whoever is linked to too many: joins nobody. */
  service: boolean
  /** Too many sent it tokens. */
  crowded: boolean
  /** It swapped at least once. */
  trades: boolean
}

export interface Memory {
  /** Without what they hold. */
  wallets: Store<TraderFacts>
  /** Links of a wallet as in facts/links; none of a service. */
  links: Store<readonly number[]>
  roles: Store<Role>
  tokens: Store<TokenTerms>
}

export const createMemory = (): Memory => ({
  wallets: createTraderStore(),
  links: new Map(),
  roles: new Map(),
  tokens: createHoldingsStore(),
})
