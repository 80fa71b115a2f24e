// The symbols and names of the board's tokens as one run of bytes, in the order of the rows. One search of the run
// finds a part of any name. Pure.
import { createNearness, MOST_TYPED } from './edit-distance.ts'
import { likelyWithin, signatureOf } from './signature.ts'
import { skeletonOf } from './skeleton.ts'

/** The stored bytes of a symbol or name; only the beginning of a longer one is searched. */
const MOST_BYTES = 96
/**
 * The most rows of equal match quality that one search reports: ranking all would block the event loop if every name
 * shared a part. The oldest tokens come first.
 */
export const MOST_CANDIDATES = 20_000
/** The most texts that one search compares letter by letter; each takes a tenth of a microsecond. */
const MOST_COMPARED = 20_000
/** Ends each text; no text can have this byte. */
const END = 0

/** The texts of a row: from `start` up to `to`. */
interface Entry {
  row: number
  start: number
  to: number
}

export interface Texts {
  /** The texts of a row, folded by `foldCase`. */
  set(row: number, symbol: string, name: string): void
  /** The texts of a row. */
  read(row: number): { symbol: string; name: string }
  /** Calls back for each row with the text in its symbol or name. `foldCase` must have folded the text. */
  find(text: string, found: (row: number) => void): void
  /**
   * Calls back for rows whose symbol or name matches at this place, the oldest first, with the quality. True if there
   * are more than one question reports.
   */
  match(text: string, place: TextPlace | 'part', found: (row: number, match: number) => void): boolean
  /** Calls back for those of the rows that have the text as a part. */
  matchAmong(rows: Int32Array, text: string, found: (row: number, match: number) => void): void
  /** Calls back for each row whose symbol, or the first word of its name, is the text except for this many typos. */
  resemble(text: string, most: number, found: (row: number) => void): void
  /** Rows whose symbols look like one of these skeletons from `skeletonOf`. */
  lookalikes(skeletons: ReadonlySet<string>, found: (row: number, skeleton: string) => void): void
  bytes(): number
}

/**
 * The quality of a match. The order: the whole address, symbol or name, the start of either, the start of a word, any
 * part, a lookalike, a typo.
 */
export const MATCH = {
  address: 7,
  symbol: 6,
  name: 5,
  symbolStart: 4,
  nameStart: 3,
  word: 2,
  part: 1,
  look: 0.5,
  typo: 0,
} as const

/** The place of a text in a symbol or name, by its neighbours; the best first. */
export const TEXT_PLACES = ['whole', 'start', 'word'] as const
export type TextPlace = (typeof TEXT_PLACES)[number]
const SURROUNDED: Record<TextPlace | 'part', (text: string) => string> = {
  whole: (text) => `\0${text}\0`,
  start: (text) => `\0${text}`,
  word: (text) => ` ${text}`,
  part: (text) => text,
}

const SPACE = 32
/** The rows per stored place: others are found from the first one. */
const GROUP = 2
/** The entry of a row without texts. */
const NOTHING = Buffer.of(END, END)

/** The UTF-16 units of a text. */
const toUnits = (text: string): Uint16Array => Uint16Array.from({ length: text.length }, (_, at) => text.charCodeAt(at))

/** A number of 16 bits that equal skeletons share, and few others. */
function hashOf(skeleton: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < skeleton.length; at += 1) hash = Math.imul(hash ^ skeleton.charCodeAt(at), 0x01000193)
  return (hash ^ (hash >>> 16)) & 0xffff
}

/** Cuts a text after so many bytes, between two characters. */
function toBytes(text: string): Buffer {
  const bytes = Buffer.from(text.replaceAll('\0', ''), 'utf8')
  if (bytes.length <= MOST_BYTES) return bytes
  let end = MOST_BYTES
  while (((bytes[end] as number) & 0xc0) === 0x80) end -= 1
  return bytes.subarray(0, end)
}

/** The first row from `row` on, and before `end`, whose number in either column is marked. A walk that does nothing else is a third faster. */
function nextMarked(marked: Uint8Array, one: Uint16Array, other: Uint16Array, row: number, end: number): number {
  let at = row
  while (at < end && ((marked[one[at] as number] as number) | (marked[other[at] as number] as number)) === 0) at += 1
  return at
}

/** Texts of no rows. */
export function createTexts(): Texts {
  // One END stands before the first entry, so that each text has one on either side.
  let run = Buffer.alloc(1)
  let end = 1
  /** Where the entry of the first row of each group starts, ascending. */
  let starts = new Uint32Array(0)
  let entries = 0
  /** The hash of the skeleton of each symbol. */
  let looks = new Uint16Array(0)
  /** The signature of each symbol, and of the first word of each name. */
  let symbols = new Uint16Array(0)
  let words = new Uint16Array(0)

  const makeRoom = (bytes: number, rows: number) => {
    if (end + bytes > run.length) {
      const grown = Buffer.alloc(Math.max(end + bytes, run.length + (run.length >>> 4) + 65_536))
      run.copy(grown, 0, 0, end)
      run = grown
    }
    if (rows <= looks.length) return
    const room = rows + (rows >>> 4) + 1_024
    const grown = new Uint32Array(Math.ceil(room / GROUP))
    grown.set(starts)
    starts = grown
    ;[looks, symbols, words] = [looks, symbols, words].map((column) => {
      const wider = new Uint16Array(room)
      wider.set(column)
      return wider
    }) as [typeof looks, typeof looks, typeof looks]
  }
  /** Where the entry that starts here ends: after the second END. */
  const endFrom = (start: number): number => {
    let at = start
    while (run[at] !== END) at += 1
    at += 1
    while (run[at] !== END) at += 1
    return at + 1
  }
  const startOf = (entry: number): number => {
    let start = starts[Math.floor(entry / GROUP)] as number
    for (let left = entry % GROUP; left > 0; left -= 1) start = endFrom(start)
    return start
  }

  /** Puts the texts of a row in, at the end or in the place of others. */
  const put = (row: number, symbol: string, text: Buffer): void => {
    const isNew = row >= entries
    const start = isNew ? end : startOf(row)
    const before = isNew ? end : endFrom(start)
    const longer = text.length - (before - start)
    makeRoom(Math.max(longer, 0), row + 1)
    if (longer !== 0) {
      run.copyWithin(before + longer, before, end)
      const groups = Math.ceil(entries / GROUP)
      for (let later = Math.floor(row / GROUP) + 1; later < groups; later += 1)
        starts[later] = (starts[later] as number) + longer
    }
    text.copy(run, start)
    end += longer
    if (isNew) {
      if (row % GROUP === 0) starts[row / GROUP] = start
      entries += 1
    }
    const nameStart = start + text.indexOf(END) + 1
    looks[row] = hashOf(skeletonOf(symbol))
    symbols[row] = signatureOf(run, start, nameStart - 1)
    words[row] = signatureOf(run, nameStart, wordEnd(nameStart, true))
  }

  /** Where the word that starts here ends. */
  const wordEnd = (start: number, atSpace: boolean): number => {
    let at = start
    while (at < end && run[at] !== END && !(atSpace && run[at] === SPACE)) at += 1
    return at
  }
  const matchAt = (start: number, place: number, length: number): number => {
    const isWhole = run[place + length] === END
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
  /**
   * The first such place from `from` on and before `to`; -1: none. In so short a range, a library call takes longer.
   */
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
  /** The best match of an entry; this is its first place. */
  const bestAt = ({ start, to }: Entry, place: number, part: Buffer, before: number, length: number): number => {
    let best = 0
    for (let at = place - before; at >= 0; at = findIn(part, at + 1, to))
      best = Math.max(best, matchAt(start, at + before, length))
    return best
  }
  /** Calls back for the first such place of each entry that counts, until the callback returns true; true if it did. */
  const walk = (text: string, place: TextPlace | 'part', found: (entry: Entry, at: number) => boolean): boolean => {
    const [part, before] = surround(text, place)
    const used = run.subarray(0, end)
    // Places come in the order of the entries, so each entry is searched from that of the last place on.
    const entry: Entry = { row: 0, start: 1, to: entries > 0 ? endFrom(1) : 1 }
    for (let at = used.indexOf(part); at >= 0 && at < end; ) {
      advance(entry, at + before)
      if (found(entry, at + before)) return true
      at = used.indexOf(part, entry.to - Number(place === 'whole' || place === 'start'))
    }
    return false
  }
  /** Turns an entry into the one that a place in the run belongs to, which is none before it. */
  const advance = (entry: Entry, place: number): void => {
    const groups = Math.ceil(entries / GROUP)
    const here = Math.floor(entry.row / GROUP)
    let [low, step] = [here, 1]
    while (low + step < groups && (starts[low + step] as number) <= place) {
      low += step
      step *= 2
    }
    let high = Math.min(low + step, groups)
    while (high - low > 1) {
      const middle = (low + high) >>> 1
      if ((starts[middle] as number) <= place) low = middle
      else high = middle
    }
    if (low > here) {
      entry.row = low * GROUP
      entry.start = starts[low] as number
      entry.to = endFrom(entry.start)
    }
    while (entry.to <= place) {
      entry.row += 1
      entry.start = entry.to
      entry.to = endFrom(entry.start)
    }
  }

  const isAscii = (from: number, to: number): boolean => {
    for (let at = from; at < to; at += 1) if ((run[at] as number) > 127) return false
    return true
  }

  return {
    set: (row, symbol, name) => {
      while (entries < row) put(entries, '', NOTHING)
      const text = Buffer.concat([toBytes(symbol), Buffer.of(END), toBytes(name), Buffer.of(END)])
      if (row < entries) {
        const start = startOf(row)
        if (run.subarray(start, endFrom(start)).equals(text)) return
      }
      put(row, symbol, text)
    },
    read: (row) => {
      if (row >= entries) return { symbol: '', name: '' }
      const start = startOf(row)
      const [symbol = '', name = ''] = run.toString('utf8', start, endFrom(start)).split('\0')
      return { symbol, name }
    },
    find: (text, found) => {
      walk(text, 'part', ({ row }) => {
        found(row)
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
        found(entry.row, bestAt(entry, at, part, before, length))
        return false
      })
    },
    matchAmong: (rows, text, found) => {
      const part = Buffer.from(text, 'utf8')
      for (const row of rows) {
        if (row >= entries) continue
        const start = startOf(row)
        const entry = { row, start, to: endFrom(start) }
        const at = findIn(part, start, entry.to)
        if (at >= 0) found(row, bestAt(entry, at, part, 0, part.length))
      }
    },
    resemble: (text, most, found) => {
      const bytes = Buffer.from(text, 'utf8')
      const likely = likelyWithin(signatureOf(bytes, 0, bytes.length), most)
      const units = toUnits(text)
      if (units.length === 0 || units.length > MOST_TYPED) return
      const isNear = createNearness(units, most)
      let [left, toCompare] = [MOST_CANDIDATES, MOST_COMPARED]
      const isAlike = (from: number, to: number) => {
        if (toCompare-- <= 0) return false
        // Bytes are letters if all are ASCII, as nearly always.
        if (isAscii(from, to)) return isNear(run, from, to)
        const other = toUnits(run.toString('utf8', from, to))
        return isNear(other, 0, other.length)
      }
      const next = (row: number) => nextMarked(likely, symbols, words, row, entries)
      for (let row = next(0); row < entries && left > 0 && toCompare > 0; row = next(row + 1)) {
        const asSymbol = likely[symbols[row] as number] as number
        const asWord = likely[words[row] as number] as number
        const start = startOf(row)
        const name = wordEnd(start, false) + 1
        if ((asSymbol === 1 && isAlike(start, name - 1)) || (asWord === 1 && isAlike(name, wordEnd(name, true)))) {
          found(row)
          left -= 1
        }
      }
    },
    lookalikes: (skeletons, found) => {
      const wanted = new Uint8Array(0x10000)
      for (const skeleton of skeletons) wanted[hashOf(skeleton)] = 1
      let left = MOST_CANDIDATES
      const next = (row: number) => nextMarked(wanted, looks, looks, row, entries)
      for (let row = next(0); row < entries && left > 0; row = next(row + 1)) {
        left -= 1
        const start = startOf(row)
        const skeleton = skeletonOf(run.toString('utf8', start, run.indexOf(END, start)))
        if (skeletons.has(skeleton)) found(row, skeleton)
      }
    },
    bytes: () => run.byteLength + starts.byteLength + looks.byteLength + symbols.byteLength + words.byteLength,
  }
}
