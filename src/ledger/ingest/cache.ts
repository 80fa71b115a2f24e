// Rows kept in memory between batches: two generations, so that what is used stays and what is not goes, at the price of
// a Map. Rows are never dropped within a batch: `rotate` is called between batches only.

/** Rows by a numeric key and, where they have one, by address. */
export interface Cache<Row> {
  get(key: number): Row | undefined
  find(address: string): Row | undefined
  add(key: number, row: Row, address?: string): void
  /** Starts a new generation when the young one is full; the old one goes. */
  rotate(): void
  clear(): void
}

/** A cache of `limit` to twice `limit` rows. */
export function createCache<Row>(limit: number): Cache<Row> {
  let young = newGeneration<Row>()
  let old = newGeneration<Row>()
  const add = (key: number, row: Row, address?: string) => {
    young.byKey.set(key, row)
    if (address !== undefined) young.byAddress.set(address, [key, row])
  }
  return {
    add,
    get: (key) => {
      const row = young.byKey.get(key)
      if (row !== undefined) return row
      const kept = old.byKey.get(key)
      if (kept !== undefined) add(key, kept, addressOf(kept))
      return kept
    },
    find: (address) => {
      const entry = young.byAddress.get(address)
      if (entry) return entry[1]
      const kept = old.byAddress.get(address)
      if (kept) add(kept[0], kept[1], address)
      return kept?.[1]
    },
    rotate: () => {
      if (young.byKey.size < limit) return
      old = young
      young = newGeneration()
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
  add(first: number, second: number, row: Row): void
  /** Starts a new generation when the young one is full; the old one goes. */
  rotate(): void
  clear(): void
}

/** A cache of `limit` to twice `limit` rows. Small integers as keys of nested maps look up faster than one wide key. */
export function createPairCache<Row>(limit: number): PairCache<Row> {
  let young = new Map<number, Map<number, Row>>()
  let old = new Map<number, Map<number, Row>>()
  let size = 0
  const add = (first: number, second: number, row: Row) => {
    const rows = young.get(first)
    if (rows) rows.set(second, row)
    else young.set(first, new Map([[second, row]]))
    size += 1
  }
  return {
    add,
    get: (first, second) => {
      const row = young.get(first)?.get(second)
      if (row !== undefined) return row
      const kept = old.get(first)?.get(second)
      if (kept !== undefined) add(first, second, kept)
      return kept
    },
    rotate: () => {
      if (size < limit) return
      old = young
      young = new Map()
      size = 0
    },
    clear: () => {
      young = new Map()
      old = new Map()
      size = 0
    },
  }
}

interface Generation<Row> {
  byKey: Map<number, Row>
  byAddress: Map<string, [number, Row]>
}

const newGeneration = <Row>(): Generation<Row> => ({ byKey: new Map(), byAddress: new Map() })

const addressOf = (row: unknown): string | undefined =>
  typeof row === 'object' && row !== null && 'address' in row && typeof row.address === 'string'
    ? row.address
    : undefined
