// Searches the symbols and names of the board's tokens. One search of their run of bytes finds a part of any name.
// Pure.
import { uint8At, uint16At } from '../base/item-at.ts'
import { createNearness, MOST_TYPED } from './edit-distance.ts'
import { likelyWithin, signatureOf } from './signature.ts'
import { skeletonOf } from './skeleton.ts'
import {
  advance,
  bytesOfRun,
  END,
  endFrom,
  hashOf,
  isAscii,
  newTextRun,
  readTexts,
  SPACE,
  setTexts,
  startOf,
  type TextEntry,
  type TextRun,
  wordEnd,
} from './text-run.ts'

/**
 * The most rows of equal match quality that one search reports: ranking all would block the event loop if every name
 * shared a part. The oldest tokens come first.
 */
export const MOST_CANDIDATES = 20_000
/** The most texts that one search compares letter by letter; each takes a tenth of a microsecond. */
const MOST_COMPARED = 20_000

export interface Texts {
  /** The texts of a row, folded by `foldCase`. */
  set(row: number, symbol: string, name: string): void
  /** The texts of a row. */
  read(row: number): { symbol: string; name: string }
  /** Calls back for each row with the text in its symbol or name. `foldCase` must have folded the text. */
  find(text: string, found: (row: number) => void): void
  /**
   * Calls back with each row whose symbol or name matches at this place, and with the quality; the oldest rows first.
   * Returns true if more rows match than one search reports.
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

/** The UTF-16 units of a text. */
const toUnits = (text: string): Uint16Array => Uint16Array.from({ length: text.length }, (_, at) => text.charCodeAt(at))

/** The first row from `row` on, and before `end`, whose number in either column is marked. A walk that does nothing else is a third faster. */
function nextMarked(marked: Uint8Array, one: Uint16Array, other: Uint16Array, row: number, end: number): number {
  let at = row
  while (at < end && (uint8At(marked, uint16At(one, at)) | uint8At(marked, uint16At(other, at))) === 0) at += 1
  return at
}

function matchAt({ run }: TextRun, start: number, place: number, length: number): number {
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
function findIn({ run }: TextRun, part: Buffer, from: number, to: number): number {
  const first = uint8At(part, 0)
  for (let at = from; at <= to - part.length; at += 1) {
    if (run[at] !== first) continue
    let same = 1
    while (same < part.length && run[at + same] === part[same]) same += 1
    if (same === part.length) return at
  }
  return -1
}

/** The best match of an entry; this is its first place. */
function bestAt(
  texts: TextRun,
  { start, to }: TextEntry,
  place: number,
  part: Buffer,
  before: number,
  length: number,
): number {
  let best = 0
  for (let at = place - before; at >= 0; at = findIn(texts, part, at + 1, to))
    best = Math.max(best, matchAt(texts, start, at + before, length))
  return best
}

/** Calls back for the first such place of each entry that counts, until the callback returns true; true if it did. */
function walk(
  texts: TextRun,
  text: string,
  place: TextPlace | 'part',
  found: (entry: TextEntry, at: number) => boolean,
): boolean {
  const [part, before] = surround(text, place)
  const used = texts.run.subarray(0, texts.end)
  // Places come in the order of the entries, so each entry is searched from that of the last place on.
  const entry: TextEntry = { row: 0, start: 1, to: texts.entries > 0 ? endFrom(texts, 1) : 1 }
  for (let at = used.indexOf(part); at >= 0 && at < texts.end; ) {
    advance(texts, entry, at + before)
    if (found(entry, at + before)) return true
    at = used.indexOf(part, entry.to - Number(place === 'whole' || place === 'start'))
  }
  return false
}

function findText(texts: TextRun, text: string, found: (row: number) => void): void {
  walk(texts, text, 'part', ({ row }) => {
    found(row)
    return false
  })
}

function matchTexts(
  texts: TextRun,
  text: string,
  place: TextPlace | 'part',
  found: (row: number, match: number) => void,
): boolean {
  const [part, before] = surround(text, place)
  const { length } = Buffer.from(text, 'utf8')
  let left = MOST_CANDIDATES
  return walk(texts, text, place, (entry, at) => {
    if (left === 0) return true
    left -= 1
    found(entry.row, bestAt(texts, entry, at, part, before, length))
    return false
  })
}

function matchAmong(texts: TextRun, rows: Int32Array, text: string, found: (row: number, match: number) => void): void {
  const part = Buffer.from(text, 'utf8')
  for (const row of rows) {
    if (row >= texts.entries) continue
    const start = startOf(texts, row)
    const entry = { row, start, to: endFrom(texts, start) }
    const at = findIn(texts, part, start, entry.to)
    if (at >= 0) found(row, bestAt(texts, entry, at, part, 0, part.length))
  }
}

function resemble(texts: TextRun, text: string, most: number, found: (row: number) => void): void {
  const bytes = Buffer.from(text, 'utf8')
  const likely = likelyWithin(signatureOf(bytes, 0, bytes.length), most)
  const units = toUnits(text)
  if (units.length === 0 || units.length > MOST_TYPED) return
  const isNear = createNearness(units, most)
  let [left, toCompare] = [MOST_CANDIDATES, MOST_COMPARED]
  const isAlike = (from: number, to: number) => {
    if (toCompare-- <= 0) return false
    // Bytes are letters if all are ASCII, as nearly always.
    if (isAscii(texts, from, to)) return isNear(texts.run, from, to)
    const other = toUnits(texts.run.toString('utf8', from, to))
    return isNear(other, 0, other.length)
  }
  const next = (row: number) => nextMarked(likely, texts.symbols, texts.words, row, texts.entries)
  for (let row = next(0); row < texts.entries && left > 0 && toCompare > 0; row = next(row + 1)) {
    const asSymbol = uint8At(likely, uint16At(texts.symbols, row))
    const asWord = uint8At(likely, uint16At(texts.words, row))
    const start = startOf(texts, row)
    const name = wordEnd(texts, start, false) + 1
    if ((asSymbol === 1 && isAlike(start, name - 1)) || (asWord === 1 && isAlike(name, wordEnd(texts, name, true)))) {
      found(row)
      left -= 1
    }
  }
}

function lookalikes(
  texts: TextRun,
  skeletons: ReadonlySet<string>,
  found: (row: number, skeleton: string) => void,
): void {
  const wanted = new Uint8Array(0x10000)
  for (const skeleton of skeletons) wanted[hashOf(skeleton)] = 1
  let left = MOST_CANDIDATES
  const next = (row: number) => nextMarked(wanted, texts.looks, texts.looks, row, texts.entries)
  for (let row = next(0); row < texts.entries && left > 0; row = next(row + 1)) {
    left -= 1
    const start = startOf(texts, row)
    const skeleton = skeletonOf(texts.run.toString('utf8', start, texts.run.indexOf(END, start)))
    if (skeletons.has(skeleton)) found(row, skeleton)
  }
}

/** Texts of no rows. */
export function createTexts(): Texts {
  const texts = newTextRun()
  return {
    set: (row, symbol, name) => setTexts(texts, row, symbol, name),
    read: (row) => readTexts(texts, row),
    find: (text, found) => findText(texts, text, found),
    match: (text, place, found) => matchTexts(texts, text, place, found),
    matchAmong: (rows, text, found) => matchAmong(texts, rows, text, found),
    resemble: (text, most, found) => resemble(texts, text, most, found),
    lookalikes: (skeletons, found) => lookalikes(texts, skeletons, found),
    bytes: () => bytesOfRun(texts),
  }
}
