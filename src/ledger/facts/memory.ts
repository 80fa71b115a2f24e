// What one run of scoring has read of wallets and need not read again: a wallet trades many tokens. Good for one block
// only, and bounded: past its size it starts anew.
import type { TraderFacts } from '../facts.ts'

/** Where a wallet sent tokens or native coin. */
export interface Link {
  toId: number
  kind: 'native' | 'token'
}

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
  wallets: Map<number, TraderFacts>
  /** Links of a wallet; none of a service. */
  links: Map<number, readonly Link[]>
  roles: Map<number, Role>
  /** Sector or launch venue of a token. */
  sectors: Map<number, string>
}

/** Entries of each kind at most: some hundred bytes each. */
const MOST = 300_000

export const createMemory = (): Memory => ({
  wallets: new Map(),
  links: new Map(),
  roles: new Map(),
  sectors: new Map(),
})

/** What is known of the ids; the rest is read, in order, and remembered. Calls may overlap. */
export async function recall<Value>(
  known: Map<number, Value>,
  ids: Iterable<number>,
  read: (missing: number[]) => Promise<Map<number, Value>>,
): Promise<Map<number, Value>> {
  const found = new Map<number, Value>()
  const missing: number[] = []
  for (const id of new Set(ids)) {
    const value = known.get(id)
    if (value === undefined) missing.push(id)
    else found.set(id, value)
  }
  if (missing.length === 0) return found
  const fresh = await read(missing.sort((a, b) => a - b))
  if (known.size + fresh.size > MOST) known.clear()
  for (const [id, value] of fresh) {
    known.set(id, value)
    found.set(id, value)
  }
  return found
}
