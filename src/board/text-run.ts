// The symbols and names of the board's tokens as one run of bytes, in the order of the rows. Pure.
import { uint8At, uint32At } from '../base/item-at.ts'
import { signatureOf } from './signature.ts'
import { skeletonOf } from './skeleton.ts'

/** The stored bytes of a symbol or name; only the beginning of a longer one is searched. */
const MOST_BYTES = 96
/** Ends each text; no text can have this byte. */
export const END = 0
export const SPACE = 32
/** The rows per stored place: others are found from the first one. */
const GROUP = 2
/** The entry of a row without texts. */
const NOTHING = Buffer.of(END, END)

/** The texts of a row: from `start` up to `to`. */
export interface TextEntry {
  row: number
  start: number
  to: number
}

export interface TextRun {
  /** One END stands before the first entry, so that each text has one on either side. */
  run: Buffer
  /** The used bytes of the run. */
  end: number
  /** Where the entry of the first row of each group starts, ascending. */
  starts: Uint32Array
  /** The rows that have an entry. */
  entries: number
  /** The hash of the skeleton of each symbol. */
  looks: Uint16Array
  /** The signature of each symbol, and of the first word of each name. */
  symbols: Uint16Array
  words: Uint16Array
}

/** A run of no rows. */
export const newTextRun = (): TextRun => ({
  run: Buffer.alloc(1),
  end: 1,
  starts: new Uint32Array(0),
  entries: 0,
  looks: new Uint16Array(0),
  symbols: new Uint16Array(0),
  words: new Uint16Array(0),
})

export const bytesOfRun = ({ run, starts, looks, symbols, words }: TextRun): number =>
  run.byteLength + starts.byteLength + looks.byteLength + symbols.byteLength + words.byteLength

/** A number of 16 bits that equal skeletons share, and few others. */
export function hashOf(skeleton: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < skeleton.length; at += 1) hash = Math.imul(hash ^ skeleton.charCodeAt(at), 0x01000193)
  return (hash ^ (hash >>> 16)) & 0xffff
}

/** Cuts a text after so many bytes, between two characters. */
function toBytes(text: string): Buffer {
  const bytes = Buffer.from(text.replaceAll('\0', ''), 'utf8')
  if (bytes.length <= MOST_BYTES) return bytes
  let end = MOST_BYTES
  while ((uint8At(bytes, end) & 0xc0) === 0x80) end -= 1
  return bytes.subarray(0, end)
}

function widen(column: Uint16Array, room: number): Uint16Array {
  const wider = new Uint16Array(room)
  wider.set(column)
  return wider
}

function makeRoom(texts: TextRun, bytes: number, rows: number): void {
  if (texts.end + bytes > texts.run.length) {
    const grown = Buffer.alloc(Math.max(texts.end + bytes, texts.run.length + (texts.run.length >>> 4) + 65_536))
    texts.run.copy(grown, 0, 0, texts.end)
    texts.run = grown
  }
  if (rows <= texts.looks.length) return
  const room = rows + (rows >>> 4) + 1_024
  const grown = new Uint32Array(Math.ceil(room / GROUP))
  grown.set(texts.starts)
  texts.starts = grown
  texts.looks = widen(texts.looks, room)
  texts.symbols = widen(texts.symbols, room)
  texts.words = widen(texts.words, room)
}

/** Where the entry that starts here ends: after the second END. */
export function endFrom({ run }: TextRun, start: number): number {
  let at = start
  while (run[at] !== END) at += 1
  at += 1
  while (run[at] !== END) at += 1
  return at + 1
}

export function startOf(texts: TextRun, entry: number): number {
  let start = uint32At(texts.starts, Math.floor(entry / GROUP))
  for (let left = entry % GROUP; left > 0; left -= 1) start = endFrom(texts, start)
  return start
}

/** Where the word that starts here ends. */
export function wordEnd({ run, end }: TextRun, start: number, atSpace: boolean): number {
  let at = start
  while (at < end && run[at] !== END && !(atSpace && run[at] === SPACE)) at += 1
  return at
}

/** Puts the texts of a row in, at the end or in the place of others. */
function put(texts: TextRun, row: number, symbol: string, text: Buffer): void {
  const isNew = row >= texts.entries
  const start = isNew ? texts.end : startOf(texts, row)
  const before = isNew ? texts.end : endFrom(texts, start)
  const longer = text.length - (before - start)
  makeRoom(texts, Math.max(longer, 0), row + 1)
  if (longer !== 0) {
    texts.run.copyWithin(before + longer, before, texts.end)
    const groups = Math.ceil(texts.entries / GROUP)
    for (let later = Math.floor(row / GROUP) + 1; later < groups; later += 1)
      texts.starts[later] = uint32At(texts.starts, later) + longer
  }
  text.copy(texts.run, start)
  texts.end += longer
  if (isNew) {
    if (row % GROUP === 0) texts.starts[row / GROUP] = start
    texts.entries += 1
  }
  const nameStart = start + text.indexOf(END) + 1
  texts.looks[row] = hashOf(skeletonOf(symbol))
  texts.symbols[row] = signatureOf(texts.run, start, nameStart - 1)
  texts.words[row] = signatureOf(texts.run, nameStart, wordEnd(texts, nameStart, true))
}

/** Moves an entry forward to the one that contains a place in the run. */
export function advance(texts: TextRun, entry: TextEntry, place: number): void {
  const groups = Math.ceil(texts.entries / GROUP)
  const here = Math.floor(entry.row / GROUP)
  let [low, step] = [here, 1]
  while (low + step < groups && uint32At(texts.starts, low + step) <= place) {
    low += step
    step *= 2
  }
  let high = Math.min(low + step, groups)
  while (high - low > 1) {
    const middle = (low + high) >>> 1
    if (uint32At(texts.starts, middle) <= place) low = middle
    else high = middle
  }
  if (low > here) {
    entry.row = low * GROUP
    entry.start = uint32At(texts.starts, low)
    entry.to = endFrom(texts, entry.start)
  }
  while (entry.to <= place) {
    entry.row += 1
    entry.start = entry.to
    entry.to = endFrom(texts, entry.start)
  }
}

export function isAscii({ run }: TextRun, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (uint8At(run, at) > 127) return false
  return true
}

export function setTexts(texts: TextRun, row: number, symbol: string, name: string): void {
  while (texts.entries < row) put(texts, texts.entries, '', NOTHING)
  const text = Buffer.concat([toBytes(symbol), Buffer.of(END), toBytes(name), Buffer.of(END)])
  if (row < texts.entries) {
    const start = startOf(texts, row)
    if (texts.run.subarray(start, endFrom(texts, start)).equals(text)) return
  }
  put(texts, row, symbol, text)
}

export function readTexts(texts: TextRun, row: number): { symbol: string; name: string } {
  if (row >= texts.entries) return { symbol: '', name: '' }
  const start = startOf(texts, row)
  const [symbol = '', name = ''] = texts.run.toString('utf8', start, endFrom(texts, start)).split('\0')
  return { symbol, name }
}
