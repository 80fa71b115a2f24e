// The symbols and names of the board's tokens as one run of bytes, so that a part of any is found by searching the run once. Pure.
// An entry is written when a row's texts are new; an entry that was written over stays in the run and no longer counts.
import { isWithin } from './edit-distance.ts'
import { skeletonOf } from './skeleton.ts'

/** Bytes of a symbol or name that are kept; what is longer is found by its beginning alone. */
const MOST_BYTES = 96
/**
 * Rows that one question reports, and texts that it compares letter by letter, at most. A part that every name shares would
 * otherwise hold the event loop for a second at a million tokens. The oldest tokens come first.
 */
export const MOST_CANDIDATES = 20_000
/** Stands after each text, and in none: it is no legal part of one. */
const END = 0

export interface Texts {
  /** The texts of a row, in the letters of `foldCase`. */
  set(row: number, symbol: string, name: string): void
  /** Calls for each row whose symbol or name contains the text, in the letters of `foldCase`, and says how well it matches. */
  find(text: string, found: (row: number, match: number) => void): void
  /** Calls for each row whose symbol, or the first word of its name, is the text but for so many mistyped letters. */
  resemble(text: string, most: number, found: (row: number) => void): void
  /** Rows whose symbols look like one of these skeletons, which `skeletonOf` makes. */
  lookalikes(skeletons: ReadonlySet<string>, found: (row: number, skeleton: string) => void): void
  bytes(): number
}

/** How well a text matches: the whole symbol, the whole name, the start of either, the start of a word, any part. */
export const MATCH = { symbol: 6, name: 5, symbolStart: 4, nameStart: 3, word: 2, part: 1, typo: 0 } as const

const SPACE = 32

/** A bit for each of the 32 classes of bytes that the text has. */
function lettersOf(bytes: Buffer, from: number, to: number): number {
  let letters = 0
  for (let at = from; at < to; at += 1) letters |= 1 << ((bytes[at] as number) & 31)
  return letters
}

function countBits(bits: number): number {
  let [left, count] = [bits, 0]
  for (; left !== 0; left &= left - 1) count += 1
  return count
}

/** A number that equal skeletons share, and few others. */
function hashOf(skeleton: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < skeleton.length; at += 1) hash = Math.imul(hash ^ skeleton.charCodeAt(at), 0x01000193)
  return hash
}

/** Cuts a text after so many bytes, between two characters. */
function toBytes(text: string): Buffer {
  const bytes = Buffer.from(text.replaceAll('\0', ''), 'utf8')
  if (bytes.length <= MOST_BYTES) return bytes
  let end = MOST_BYTES
  while (((bytes[end] as number) & 0xc0) === 0x80) end -= 1
  return bytes.subarray(0, end)
}

/** Texts of no rows. */
export function createTexts(): Texts {
  let run = Buffer.alloc(0)
  let end = 0
  /** Where each entry starts, ascending, and whose it is. */
  let starts = new Uint32Array(0)
  let owners = new Int32Array(0)
  let entries = 0
  /** The entry of each row; -1: none. */
  let entryOf = new Int32Array(0)
  /** The hash of the skeleton of each entry's symbol. */
  let looks = new Int32Array(0)

  const makeRoom = (bytes: number, row: number) => {
    if (end + bytes > run.length) {
      const grown = Buffer.alloc(Math.max(end + bytes, run.length + (run.length >>> 3) + 65_536))
      run.copy(grown, 0, 0, end)
      run = grown
    }
    if (entries >= starts.length) {
      const room = starts.length + (starts.length >>> 3) + 1_024
      const [from, whose, seen] = [new Uint32Array(room), new Int32Array(room), new Int32Array(room)]
      from.set(starts)
      whose.set(owners)
      seen.set(looks)
      starts = from
      owners = whose
      looks = seen
    }
    if (row >= entryOf.length) {
      const grown = new Int32Array(row + (row >>> 3) + 1_024).fill(-1)
      grown.set(entryOf)
      entryOf = grown
    }
  }
  /** The entry that the place in the run belongs to. */
  const entryAt = (place: number): number => {
    let [low, high] = [0, entries]
    while (high - low > 1) {
      const middle = (low + high) >>> 1
      if ((starts[middle] as number) <= place) low = middle
      else high = middle
    }
    return low
  }
  const endOf = (entry: number) => (entry + 1 < entries ? (starts[entry + 1] as number) : end)

  /** Where the word that starts here ends. */
  const wordEnd = (start: number, atSpace: boolean): number => {
    let at = start
    while (at < end && run[at] !== END && !(atSpace && run[at] === SPACE)) at += 1
    return at
  }
  const matchAt = (entry: number, place: number, length: number): number => {
    const isWhole = run[place + length] === END
    const start = starts[entry] as number
    if (place === start) return isWhole ? MATCH.symbol : MATCH.symbolStart
    const before = run[place - 1]
    if (before === END) return isWhole ? MATCH.name : MATCH.nameStart
    return before === SPACE ? MATCH.word : MATCH.part
  }

  return {
    set: (row, symbol, name) => {
      const entry = Buffer.concat([toBytes(symbol), Buffer.of(END), toBytes(name), Buffer.of(END)])
      const known = entryOf[row] ?? -1
      if (known >= 0 && run.subarray(starts[known], endOf(known)).equals(entry)) return
      makeRoom(entry.length, row)
      entry.copy(run, end)
      starts[entries] = end
      owners[entries] = row
      looks[entries] = hashOf(skeletonOf(symbol))
      entryOf[row] = entries
      entries += 1
      end += entry.length
    },
    find: (text, found) => {
      const part = Buffer.from(text, 'utf8')
      const used = run.subarray(0, end)
      let left = MOST_CANDIDATES
      for (let place = used.indexOf(part); place >= 0 && left > 0; left -= 1) {
        const entry = entryAt(place)
        const row = owners[entry] as number
        if (entryOf[row] === entry) found(row, matchAt(entry, place, part.length))
        place = used.indexOf(part, endOf(entry))
      }
    },
    resemble: (text, most, found) => {
      const bytes = Buffer.from(text, 'utf8')
      const letters = lettersOf(bytes, 0, bytes.length)
      let left = MOST_CANDIDATES
      const isAlike = (from: number, to: number) =>
        Math.abs(to - from - bytes.length) <= 2 * most &&
        countBits(letters ^ lettersOf(run, from, to)) <= 2 * most &&
        left-- > 0 &&
        isWithin(text, run.toString('utf8', from, to), most)
      for (let entry = 0; entry < entries && left > 0; entry += 1) {
        const row = owners[entry] as number
        if (entryOf[row] !== entry) continue
        const start = starts[entry] as number
        const symbolEnd = wordEnd(start, false)
        if (isAlike(start, symbolEnd)) found(row)
        else {
          const name = run.indexOf(END, start) + 1
          if (isAlike(name, wordEnd(name, true))) found(row)
        }
      }
    },
    lookalikes: (skeletons, found) => {
      const hashes = new Set([...skeletons].map(hashOf))
      let left = MOST_CANDIDATES
      for (let entry = 0; entry < entries && left > 0; entry += 1) {
        if (!hashes.has(looks[entry] as number)) continue
        left -= 1
        const row = owners[entry] as number
        if (entryOf[row] !== entry) continue
        const skeleton = skeletonOf(run.toString('utf8', starts[entry], run.indexOf(END, starts[entry])))
        if (skeletons.has(skeleton)) found(row, skeleton)
      }
    },
    bytes: () => run.byteLength + starts.byteLength + owners.byteLength + entryOf.byteLength + looks.byteLength,
  }
}
