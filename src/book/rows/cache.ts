// Caches rows between batches. Two generations of Maps keep the recently used rows and drop the others cheaply. Rows
// are never dropped within a batch, because `rotate` is called between batches only. Absent rows are cached too, and
// adding the row overrides that.

/** Rows by a numeric key and, if they have one, by address. */
export interface Cache<Row> {
  get(key: number): Row | undefined
  find(address: string): Row | undefined
  /** Whether the row is cached, or known to be absent from the table. By key or address. */
  isKnown(key: number | string): boolean
  /** A row that has an address has its key as `id`. */
  add(key: number, row: Row, address?: string): void
  /** Records that the table has no such row, unless it was added meanwhile. */
  miss(key: number | string): void
  /** Starts a new generation if the young one is full and drops the old one; returns whether it did. */
  rotate(): boolean
  clear(): void
}

/** Creates a cache that holds `limit` to twice `limit` rows. */
export function createCache<Row>(limit: number): Cache<Row> {
  let young = newGeneration<Row>()
  let old = newGeneration<Row>()
  const add = (key: number, row: Row, address?: string) => {
    young.byKey.set(key, row)
    if (address !== undefined) young.byAddress.set(address, row)
  }
  const get = (key: number) => {
    const row = young.byKey.get(key)
    if (row !== undefined) return row
    const kept = old.byKey.get(key)
    if (kept !== undefined) add(key, kept, addressOf(kept))
    return kept
  }
  const find = (address: string) => {
    const row = young.byAddress.get(address)
    if (row !== undefined) return row
    const kept = old.byAddress.get(address)
    if (kept !== undefined) add(idOf(kept), kept, address)
    return kept
  }
  const has = (key: number | string) => (typeof key === 'string' ? find(key) : get(key)) !== undefined
  return {
    add,
    get,
    find,
    isKnown: (key) => has(key) || young.missing.has(key) || old.missing.has(key),
    miss: (key) => {
      if (!has(key)) young.missing.add(key)
    },
    rotate: () => {
      if (young.byKey.size + young.missing.size < limit) return false
      old = young
      young = newGeneration()
      return true
    },
    clear: () => {
      young = newGeneration()
      old = newGeneration()
    },
  }
}

/** Rows by two numeric keys. */
export interface PairCache<Row> {
  get(first: number, second: number): Row | undefined
  /** Whether the row is cached, or known to be absent from the table. */
  isKnown(first: number, second: number): boolean
  add(first: number, second: number, row: Row): void
  /** Records that the table has no such row, unless it was added meanwhile. */
  miss(first: number, second: number): void
  /** Starts a new generation if the young one is full and drops the old one; returns whether it did. */
  rotate(): boolean
}

/**
 * Creates a cache that holds `limit` to twice `limit` rows. Nested maps with small integer keys are faster than one map
 * with a combined key.
 */
export function createPairCache<Row>(limit: number): PairCache<Row> {
  let young = newPairs<Row>()
  let old = newPairs<Row>()
  const add = (first: number, second: number, row: Row) => {
    const rows = young.rows.get(first)
    if (rows) rows.set(second, row)
    else young.rows.set(first, new Map([[second, row]]))
    young.size += 1
  }
  const get = (first: number, second: number) => {
    const row = young.rows.get(first)?.get(second)
    if (row !== undefined) return row
    const kept = old.rows.get(first)?.get(second)
    if (kept !== undefined) add(first, second, kept)
    return kept
  }
  const isMissing = ({ missing }: Pairs<Row>, first: number, second: number) => missing.get(first)?.has(second) === true
  return {
    add,
    get,
    isKnown: (first, second) =>
      get(first, second) !== undefined || isMissing(young, first, second) || isMissing(old, first, second),
    miss: (first, second) => {
      if (get(first, second) !== undefined) return
      const missing = young.missing.get(first)
      if (missing) missing.add(second)
      else young.missing.set(first, new Set([second]))
      young.size += 1
    },
    rotate: () => {
      if (young.size < limit) return false
      old = young
      young = newPairs()
      return true
    },
  }
}

interface Generation<Row> {
  byKey: Map<number, Row>
  byAddress: Map<string, Row>
  missing: Set<number | string>
}

const newGeneration = <Row>(): Generation<Row> => ({ byKey: new Map(), byAddress: new Map(), missing: new Set() })

interface Pairs<Row> {
  rows: Map<number, Map<number, Row>>
  missing: Map<number, Set<number>>
  size: number
}

const newPairs = <Row>(): Pairs<Row> => ({ rows: new Map(), missing: new Map(), size: 0 })

function idOf(row: unknown): number {
  if (typeof row === 'object' && row !== null && 'id' in row && typeof row.id === 'number') return row.id
  throw new Error('a cached row with an address has no id')
}

const addressOf = (row: unknown): string | undefined =>
  typeof row === 'object' && row !== null && 'address' in row && typeof row.address === 'string'
    ? row.address
    : undefined
