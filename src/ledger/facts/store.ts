// Values under ids, for as long as they hold. A packed store keeps numbers in one long array: objects by the hundred
// thousand would keep the garbage collector busy. Bounded: what is full starts anew.

/** What of a Map is needed. */
export interface Store<Value> {
  readonly size: number
  get(id: number): Value | undefined
  set(id: number, value: Value): unknown
  clear(): void
}

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
    clear: () => rows.clear(),
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

/** What is known of the ids; the rest is read, in order, and remembered. Calls may overlap. */
export async function recall<Value>(
  known: Store<Value>,
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
