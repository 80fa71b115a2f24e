// Values under ids, for as long as they hold. A packed store keeps numbers in one long array: objects by the hundred
// thousand would keep the garbage collector busy. Bounded: a store that is full is left to whoever reads it, and a new one begun.

/** What of a Map is needed. */
export interface Store<Value> {
  readonly size: number
  has(id: number): boolean
  get(id: number): Value | undefined
  set(id: number, value: Value): unknown
}

/** Where the store is that is filled at present. */
export interface Shelf<Value> {
  store: Store<Value>
  readonly begin: () => Store<Value>
}

export const createShelf = <Value>(begin: () => Store<Value>): Shelf<Value> => ({ store: begin(), begin })

/** Entries at most: some dozen bytes each. */
export const MOST = 400_000

/** A store of values that are a few numbers each; `get` makes a new value. */
export function createPackedStore<Value>(
  width: number,
  pack: (value: Value) => readonly number[],
  unpack: (id: number, numbers: Float64Array) => Value,
): Store<Value> {
  const rows = new Map<number, number>()
  let cells = new Float64Array(256 * width)
  return {
    get size() {
      return rows.size
    },
    has: (id) => rows.has(id),
    get: (id) => {
      const row = rows.get(id)
      return row === undefined ? undefined : unpack(id, cells.subarray(row * width, (row + 1) * width))
    },
    set: (id, value) => {
      const row = rows.get(id) ?? rows.size
      if ((row + 1) * width > cells.length) {
        const more = new Float64Array(2 * cells.length)
        more.set(cells)
        cells = more
      }
      cells.set(pack(value), row * width)
      rows.set(id, row)
    },
  }
}

/** Words by number and numbers by word, for packing. */
export interface Words<Word extends string> {
  encode(word: Word): number
  decode(code: number): Word
}

export function createWords<Word extends string>(): Words<Word> {
  const words: Word[] = []
  const codes = new Map<Word, number>()
  return {
    encode: (word) => {
      const code = codes.get(word) ?? words.push(word) - 1
      codes.set(word, code)
      return code
    },
    decode: (code) => words[code] as Word,
  }
}

/** A store that holds what there is under the ids: what is not known is read, in order, and remembered. Calls may overlap. */
export async function recall<Value>(
  shelf: Shelf<Value>,
  ids: readonly Iterable<number>[],
  read: (missing: number[]) => Promise<Map<number, Value>>,
): Promise<Store<Value>> {
  let missing = listMissing(shelf.store, ids)
  if (shelf.store.size + missing.length > MOST) {
    shelf.store = shelf.begin()
    missing = listMissing(shelf.store, ids)
  }
  const { store } = shelf
  if (missing.length > 0) for (const [id, value] of await read(missing)) store.set(id, value)
  return store
}

function listMissing(store: Store<unknown>, lists: readonly Iterable<number>[]): number[] {
  const missing = new Set<number>()
  for (const ids of lists) for (const id of ids) if (!store.has(id)) missing.add(id)
  return [...missing].sort((a, b) => a - b)
}
