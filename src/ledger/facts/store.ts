// Values under ids, for as long as they hold. A packed store keeps numbers in one long array: objects by the hundred
// thousand would keep the garbage collector busy. Bounded: a store that is full is left to whoever reads it, and a new one begun.

/** What of a Map is needed. */
export interface Store<Value> {
  readonly size: number
  has(id: number): boolean
  get(id: number): Value | undefined
  set(id: number, value: Value): unknown
}

/** A store of values that are a few numbers each. */
export interface PackedStore<Value> extends Store<Value> {
  /** One of a value's numbers; NaN: nothing is there under the id. */
  cell(id: number, column: number): number
}

/** A store of short lists of integers. */
export interface ListStore extends Store<readonly number[]> {
  /** Appends the list under the id, if there is one, and tells how long it is altogether now. */
  appendTo(into: number[], id: number): number
}

/** Where the store is that is filled at present. */
export interface Shelf<Kept> {
  store: Kept
  readonly begin: () => Kept
  /** Entries at most. */
  readonly most: number
}

/** Entries at most, where one takes some dozen bytes. */
export const MAX_STORED = 400_000

export const createShelf = <Kept>(begin: () => Kept, most = MAX_STORED): Shelf<Kept> => ({
  store: begin(),
  begin,
  most,
})

/** Rows by id are kept in pages of so many ids, made as they are needed: ids are dense, and a map takes several times as long. */
const PAGE_BITS = 12
const PAGE = 2 ** PAGE_BITS

/** Whole numbers under ids, as an array with holes that takes no memory for them. */
interface Places {
  readonly size: number
  /** -1: none. */
  of(id: number): number
  put(id: number, place: number): void
}

function createPlaces(): Places {
  /** Place + 1; 0: none. */
  const pages: (Int32Array | undefined)[] = []
  let size = 0
  return {
    get size() {
      return size
    },
    of: (id) => (pages[id >>> PAGE_BITS]?.[id & (PAGE - 1)] ?? 0) - 1,
    put: (id, place) => {
      const page = pages[id >>> PAGE_BITS] ?? new Int32Array(PAGE)
      pages[id >>> PAGE_BITS] = page
      if (page[id & (PAGE - 1)] === 0) size += 1
      page[id & (PAGE - 1)] = place + 1
    },
  }
}

/** A store of values that are a few numbers each, under integers from zero on; `get` makes a new value of the numbers from `at` on. */
export function createPackedStore<Value>(
  width: number,
  pack: (value: Value) => readonly number[],
  unpack: (id: number, numbers: Float64Array, at: number) => Value,
): PackedStore<Value> {
  const rows = createPlaces()
  let cells = new Float64Array(256 * width)
  return {
    get size() {
      return rows.size
    },
    has: (id) => rows.of(id) >= 0,
    get: (id) => {
      const row = rows.of(id)
      return row < 0 ? undefined : unpack(id, cells, row * width)
    },
    set: (id, value) => {
      if (rows.of(id) < 0) rows.put(id, rows.size)
      const row = rows.of(id)
      if ((row + 1) * width > cells.length) {
        const more = new Float64Array(2 * cells.length)
        more.set(cells)
        cells = more
      }
      cells.set(pack(value), row * width)
    },
    cell: (id, column) => {
      const row = rows.of(id)
      return row < 0 ? Number.NaN : (cells[row * width + column] as number)
    },
  }
}

const NONE: readonly number[] = []

/** A store of short lists of integers of four bytes; `get` makes a new list. What a list that is replaced took is not used again. */
export function createListStore(): ListStore {
  const starts = createPlaces()
  /** From the start of a list on: how long it is, and what it holds. */
  let cells = new Int32Array(1024)
  let end = 0
  return {
    get size() {
      return starts.size
    },
    has: (id) => starts.of(id) >= 0,
    get: (id) => {
      const start = starts.of(id)
      if (start < 0) return undefined
      const length = cells[start] as number
      return length === 0 ? NONE : Array.from(cells.subarray(start + 1, start + 1 + length))
    },
    set: (id, list) => {
      if (end + 1 + list.length > cells.length) {
        const more = new Int32Array(2 * cells.length + list.length)
        more.set(cells)
        cells = more
      }
      cells[end] = list.length
      cells.set(list, end + 1)
      starts.put(id, end)
      end += 1 + list.length
    },
    appendTo: (into, id) => {
      const start = starts.of(id)
      const to = start < 0 ? 0 : start + 1 + (cells[start] as number)
      for (let at = start + 1; at < to; at += 1) into.push(cells[at] as number)
      return into.length
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
export async function recall<Value, Kept extends Store<Value>>(
  shelf: Shelf<Kept>,
  ids: readonly ArrayLike<number>[],
  read: (missing: number[]) => Promise<Map<number, Value>>,
): Promise<Kept> {
  let missing = listMissing(shelf.store, ids)
  if (shelf.store.size + missing.length > shelf.most) {
    shelf.store = shelf.begin()
    missing = listMissing(shelf.store, ids)
  }
  const { store } = shelf
  if (missing.length > 0) for (const [id, value] of await read(missing)) store.set(id, value)
  return store
}

function listMissing(store: Pick<Store<unknown>, 'has'>, lists: readonly ArrayLike<number>[]): number[] {
  const missing = new Set<number>()
  for (const ids of lists) {
    for (let at = 0; at < ids.length; at += 1) if (!store.has(ids[at] as number)) missing.add(ids[at] as number)
  }
  return [...missing].sort((a, b) => a - b)
}
