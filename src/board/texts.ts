// The symbols and names of the board's tokens as one run of bytes in the order of the rows, so that a part of any is found by
// searching the run once. Pure.
import { isWithin } from './edit-distance.ts'
import { countBits } from './row-set.ts'
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
  /** The texts of a row, folded by `foldCase`. */
  set(row: number, symbol: string, name: string): void
  /** Calls for each row whose symbol or name contains the text, which `foldCase` has folded. */
  find(text: string, found: (row: number) => void): void
  /**
   * Calls for rows whose symbol or name matches at this place, the oldest first, and says how well. True where there are more
   * of them than one question reports.
   */
  match(text: string, place: TextPlace | 'part', found: (row: number, match: number) => void): boolean
  /** Calls for those of the rows that have the text as a part. */
  matchAmong(rows: Int32Array, text: string, found: (row: number, match: number) => void): void
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
/** The entry of a row without texts. */
const NOTHING = Buffer.of(END, END)

/** A bit for each of the 32 classes of bytes that the text has. */
function lettersOf(bytes: Buffer, from: number, to: number): number {
  let letters = 0
  for (let at = from; at < to; at += 1) letters |= 1 << ((bytes[at] as number) & 31)
  return letters
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
  /** Where the entry of each row starts, ascending. */
  let starts = new Uint32Array(0)
  let entries = 0
  /** The hash of the skeleton of each symbol. */
  let looks = new Int32Array(0)
  /** The letters of each symbol, and of the first word of each name. */
  let symbols = new Int32Array(0)
  let words = new Int32Array(0)

  const makeRoom = (bytes: number, rows: number) => {
    if (end + bytes > run.length) {
      const grown = Buffer.alloc(Math.max(end + bytes, run.length + (run.length >>> 3) + 65_536))
      run.copy(grown, 0, 0, end)
      run = grown
    }
    if (rows <= starts.length) return
    const room = rows + (rows >>> 4) + 1_024
    const [from, ...others] = [new Uint32Array(room), new Int32Array(room), new Int32Array(room), new Int32Array(room)]
    from.set(starts)
    for (const [at, column] of [looks, symbols, words].entries()) others[at]?.set(column)
    starts = from
    ;[looks, symbols, words] = others as [Int32Array<ArrayBuffer>, Int32Array<ArrayBuffer>, Int32Array<ArrayBuffer>]
  }
  const endOf = (entry: number) => (entry + 1 < entries ? (starts[entry + 1] as number) : end)

  /** Puts the texts of a row in, at the end or in the place of others. */
  const put = (row: number, symbol: string, text: Buffer): void => {
    const isNew = row >= entries
    const [start, before] = isNew ? [end, end] : [starts[row] as number, endOf(row)]
    const longer = text.length - (before - start)
    makeRoom(Math.max(longer, 0), row + 1)
    if (longer !== 0) {
      run.copyWithin(before + longer, before, end)
      for (let later = row + 1; later < entries; later += 1) starts[later] = (starts[later] as number) + longer
    }
    text.copy(run, start)
    end += longer
    starts[row] = start
    if (isNew) entries += 1
    const [symbolEnd, nameStart] = [text.indexOf(END), text.indexOf(END) + 1]
    looks[row] = hashOf(skeletonOf(symbol))
    symbols[row] = lettersOf(run, start, start + symbolEnd)
    words[row] = lettersOf(run, start + nameStart, wordEnd(start + nameStart, true))
  }

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
  /** The first such place from `from` on and before `to`; -1: none. In a stretch so short, calling out takes longer. */
  const findIn = (part: Buffer, from: number, to: number): number => {
    const first = part[0] as number
    for (let at = from; at <= to - part.length; at += 1) {
      if (run[at] !== first) continue
      let same = 1
      while (same < part.length && run[at + same] === part[same]) same += 1
      if (same === part.length) return at
    }
    return -1
  }
  /** The best match of an entry, of which this is the first place. */
  const bestAt = (entry: number, place: number, part: Buffer, before: number, length: number): number => {
    const to = endOf(entry)
    let best = 0
    for (let at = place - before; at >= 0; at = findIn(part, at + 1, to))
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
      if (found(entry, at + before)) return true
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
      while (entries < row) put(entries, '', NOTHING)
      const text = Buffer.concat([toBytes(symbol), Buffer.of(END), toBytes(name), Buffer.of(END)])
      const isKnown = row < entries && run.subarray(starts[row], endOf(row)).equals(text)
      if (!isKnown) put(row, symbol, text)
    },
    find: (text, found) => {
      walk(text, 'part', (entry) => {
        found(entry)
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
        found(entry, bestAt(entry, at, part, before, length))
        return false
      })
    },
    matchAmong: (rows, text, found) => {
      const part = Buffer.from(text, 'utf8')
      for (const row of rows) {
        if (row >= entries) continue
        const at = findIn(part, starts[row] as number, endOf(row))
        if (at >= 0) found(row, bestAt(row, at, part, 0, part.length))
      }
    },
    resemble: (text, most, found) => {
      const bytes = Buffer.from(text, 'utf8')
      const letters = lettersOf(bytes, 0, bytes.length)
      let left = MOST_CANDIDATES
      const isAlike = (from: number, to: number) =>
        Math.abs(to - from - bytes.length) <= 2 * most &&
        left-- > 0 &&
        isWithin(text, run.toString('utf8', from, to), most)
      for (let row = 0; row < entries && left > 0; row += 1) {
        const asSymbol = countBits(letters ^ (symbols[row] as number)) <= 2 * most
        const asWord = countBits(letters ^ (words[row] as number)) <= 2 * most
        if (!asSymbol && !asWord) continue
        const start = starts[row] as number
        const name = wordEnd(start, false) + 1
        if ((asSymbol && isAlike(start, name - 1)) || (asWord && isAlike(name, wordEnd(name, true)))) found(row)
      }
    },
    lookalikes: (skeletons, found) => {
      const hashes = new Set([...skeletons].map(hashOf))
      let left = MOST_CANDIDATES
      for (let row = 0; row < entries && left > 0; row += 1) {
        if (!hashes.has(looks[row] as number)) continue
        left -= 1
        const start = starts[row] as number
        const skeleton = skeletonOf(run.toString('utf8', start, run.indexOf(END, start)))
        if (skeletons.has(skeleton)) found(row, skeleton)
      }
    },
    bytes: () => run.byteLength + starts.byteLength + looks.byteLength + symbols.byteLength + words.byteLength,
  }
}
