// The symbols and names of the board's tokens as one run of bytes, so that a part of any is found by searching the run once. Pure.
// An entry is written when a row's texts are new; an entry that was written over stays in the run and no longer counts.
import { isWithin } from './edit-distance.ts'
import { skeletonOf } from './skeleton.ts'

/** Bytes of a symbol or name that are kept; what is longer is found by its beginning alone. */
const MOST_BYTES = 96
/**
 * Rows that one search reports of those that match equally well, and texts that it compares letter by letter, at most: to rank
 * all would hold the event loop where every name shares a part. The oldest tokens come first.
 */
export const MOST_CANDIDATES = 20_000
/** Stands after each text, and in none: it is no legal part of one. */
const END = 0

export interface Texts {
  /** The texts of a row, in the letters of `foldCase`. */
  set(row: number, symbol: string, name: string): void
  /** Calls for each row whose symbol or name contains the text, in the letters of `foldCase`. */
  find(text: string, found: (row: number) => void): void
  /**
   * Calls for rows whose symbol or name matches at this place, the oldest first, and says how well. True where there are more
   * of them than one question reports.
   */
  match(text: string, place: TextPlace | 'part', found: (row: number, match: number) => void): boolean
  /** Calls for those of the rows that match at this place. */
  matchAmong(
    rows: Int32Array,
    text: string,
    place: TextPlace | 'part',
    found: (row: number, match: number) => void,
  ): void
  /** Calls for each row whose symbol, or the first word of its name, is the text but for so many mistyped letters. */
  resemble(text: string, most: number, found: (row: number) => void): void
  /** Rows whose symbols look like one of these skeletons, which `skeletonOf` makes. */
  lookalikes(skeletons: ReadonlySet<string>, found: (row: number, skeleton: string) => void): void
  bytes(): number
}

/** How well a text matches: the whole address, symbol or name, the start of either, the start of a word, any part. */
export const MATCH = {
  address: 7,
  symbol: 6,
  name: 5,
  symbolStart: 4,
  nameStart: 3,
  word: 2,
  part: 1,
  typo: 0,
} as const

/** Where in a symbol or name a text stands, by what surrounds it; the best first. */
export const TEXT_PLACES = ['whole', 'start', 'word'] as const
export type TextPlace = (typeof TEXT_PLACES)[number]
const SURROUNDED: Record<TextPlace | 'part', (text: string) => string> = {
  whole: (text) => `\0${text}\0`,
  start: (text) => `\0${text}`,
  word: (text) => ` ${text}`,
  part: (text) => text,
}

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
  // One END stands before the first entry, so that each text has one on either side.
  let run = Buffer.alloc(1)
  let end = 1
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

  /** The bytes to look for, and how many of them stand before the text. */
  const surround = (text: string, place: TextPlace | 'part'): [Buffer, number] => [
    Buffer.from(SURROUNDED[place](text), 'utf8'),
    Number(place !== 'part'),
  ]
  /** The best match of an entry, of which this is the first place. */
  const bestAt = (entry: number, place: number, part: Buffer, before: number, length: number): number => {
    const text = run.subarray(0, endOf(entry))
    let best = 0
    for (let at = place - before; at >= 0; at = text.indexOf(part, at + 1))
      best = Math.max(best, matchAt(entry, at + before, length))
    return best
  }
  /** Calls for the first such place of each entry that counts, until it is told to stop; true where it was. */
  const walk = (text: string, place: TextPlace | 'part', found: (entry: number, at: number) => boolean): boolean => {
    const [part, before] = surround(text, place)
    const used = run.subarray(0, end)
    // Places come in the order of the entries, so the entry of one is looked for from that of the last one on.
    let entry = 0
    for (let at = used.indexOf(part); at >= 0 && at < end; ) {
      entry = entryFrom(entry, at + before)
      if (entryOf[owners[entry] as number] === entry && found(entry, at + before)) return true
      at = used.indexOf(part, endOf(entry) - Number(place === 'whole' || place === 'start'))
    }
    return false
  }
  /** The entry that a place in the run belongs to, which is none before `entry`. */
  const entryFrom = (entry: number, place: number): number => {
    let [low, step] = [entry, 1]
    while (low + step < entries && (starts[low + step] as number) <= place) {
      low += step
      step *= 2
    }
    let high = Math.min(low + step, entries)
    while (high - low > 1) {
      const middle = (low + high) >>> 1
      if ((starts[middle] as number) <= place) low = middle
      else high = middle
    }
    return low
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
      walk(text, 'part', (entry) => {
        found(owners[entry] as number)
        return false
      })
    },
    match: (text, place, found) => {
      const [part, before] = surround(text, place)
      const { length } = Buffer.from(text, 'utf8')
      let left = MOST_CANDIDATES
      return walk(text, place, (entry, at) => {
        if (left === 0) return true
        left -= 1
        found(owners[entry] as number, bestAt(entry, at, part, before, length))
        return false
      })
    },
    matchAmong: (rows, text, place, found) => {
      const [part, before] = surround(text, place)
      const { length } = Buffer.from(text, 'utf8')
      for (const row of rows) {
        const entry = entryOf[row] ?? -1
        if (entry < 0) continue
        // From the END before the entry on.
        const from = (starts[entry] as number) - 1
        const at = run.subarray(from, endOf(entry)).indexOf(part)
        if (at >= 0) found(row, bestAt(entry, from + at + before, part, before, length))
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
