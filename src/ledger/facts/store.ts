import { float64At, int32At, itemAt } from '../../base/item-at.ts'
// Stores of values by id. A packed store keeps numbers in one long array, because hundreds of thousands of objects
// would keep the garbage collector busy. A full store is replaced by an empty one; a reader of the old one keeps it.

/** The methods of a Map that are used here. */
export interface Store<Value> {
  readonly size: number
  has(id: number): boolean
  get(id: number): Value | undefined
  set(id: number, value: Value): unknown
  delete(id: number): unknown
}

/** A store whose values are a few numbers each. */
export interface PackedStore<Value> extends Store<Value> {
  /** One of a value's numbers; NaN if there is no value for the id. */
  cell(id: number, column: number): number
}

/** A store of short lists of integers. */
export interface ListStore extends Store<readonly number[]> {
  /** Appends the id's list, if there is one, to `into`. Returns the new length of `into`. */
  appendTo(into: number[], id: number): number
}

/** Holds the current store, and makes its successor when it is full. */
export interface Shelf<Kept> {
  store: Kept
  readonly begin: () => Kept
  /** How many entries a store has at most. */
  readonly most: number
}

/** The usual limit of entries, which take some dozen bytes each. */
export const MAX_STORED = 400_000

export const createShelf = <Kept>(begin: () => Kept, most = MAX_STORED): Shelf<Kept> => ({
  store: begin(),
  begin,
  most,
})

/** Places by id are kept in pages of this many ids, created when needed. Ids have few gaps, and a Map takes several times as long. */
const PAGE_BITS = 12
const PAGE = 2 ** PAGE_BITS

/** A whole number per id: a sparse array whose empty pages take no memory. */
interface Places {
  readonly size: number
  /** -1 if the id has none. */
  of(id: number): number
  put(id: number, place: number): void
}

function createPlaces(): Places {
  /** Cells have place + 1; 0 means none. */
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

/**
 * Creates a store whose values are `width` numbers each; ids are integers from 0. The first number is never NaN, which
 * stands for a deleted value. Each `get` unpacks a new value from the numbers that begin at `at`.
 */
export function createPackedStore<Value>(
  width: number,
  pack: (value: Value) => readonly number[],
  unpack: (id: number, numbers: Float64Array, at: number) => Value,
): PackedStore<Value> {
  const rows = createPlaces()
  let cells = new Float64Array(256 * width)
  const isKept = (row: number) => row >= 0 && !Number.isNaN(float64At(cells, row * width))
  return {
    get size() {
      return rows.size
    },
    has: (id) => isKept(rows.of(id)),
    get: (id) => {
      const row = rows.of(id)
      return isKept(row) ? unpack(id, cells, row * width) : undefined
    },
    delete: (id) => {
      const row = rows.of(id)
      if (row >= 0) cells.fill(Number.NaN, row * width, (row + 1) * width)
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
      return row < 0 ? Number.NaN : float64At(cells, row * width + column)
    },
  }
}

const NONE: readonly number[] = []

/** Where a list keeps its room, its length and its first integer, from its start on. The length of a deleted one is -1. */
const [ROOM, LENGTH, FIRST] = [0, 1, 2]

/**
 * Creates a store of short lists of 32-bit integers. Each `get` makes a new list. A list that replaces another takes its
 * room, or twice the room that it needs.
 */
export function createListStore(): ListStore {
  const starts = createPlaces()
  let cells = new Int32Array(1024)
  let end = 0
  /** -1 without a list. */
  const lengthAt = (start: number) => (start < 0 ? -1 : int32At(cells, start + LENGTH))
  /** The start of free room for so many integers. */
  const findRoom = (id: number, length: number): number => {
    const before = starts.of(id)
    if (before >= 0 && int32At(cells, before + ROOM) >= length) return before
    const room = before < 0 ? length : 2 * length
    if (end + FIRST + room > cells.length) {
      const more = new Int32Array(2 * cells.length + room)
      more.set(cells)
      cells = more
    }
    const start = end
    cells[start + ROOM] = room
    starts.put(id, start)
    end += FIRST + room
    return start
  }
  return {
    get size() {
      return starts.size
    },
    has: (id) => lengthAt(starts.of(id)) >= 0,
    get: (id) => {
      const start = starts.of(id)
      const length = lengthAt(start)
      if (length < 0) return undefined
      return length === 0 ? NONE : Array.from(cells.subarray(start + FIRST, start + FIRST + length))
    },
    set: (id, list) => {
      const start = findRoom(id, list.length)
      cells[start + LENGTH] = list.length
      cells.set(list, start + FIRST)
    },
    delete: (id) => {
      const start = starts.of(id)
      if (start >= 0) cells[start + LENGTH] = -1
    },
    appendTo: (into, id) => {
      const from = starts.of(id) + FIRST
      const to = from + lengthAt(from - FIRST)
      for (let at = from; at < to; at += 1) into.push(int32At(cells, at))
      return into.length
    },
  }
}

/** Encodes words as numbers, for packed stores. */
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
    decode: (code) => itemAt(words, code),
  }
}

/**
 * Returns a store with the values of all these ids. Missing ones are read, in ascending order of id, and added. Calls
 * may overlap.
 */
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
    for (let at = 0; at < ids.length; at += 1) if (!store.has(itemAt(ids, at))) missing.add(itemAt(ids, at))
  }
  return [...missing].sort((a, b) => a - b)
}
