// The bytes of an answer, and what stands in them at a place: ASCII, mostly hex. Four bytes are looked at at once where it
// can be done, since bytes one by one cost as much as all the rest of reading a chain.
import { DIGIT, NO_HEX, PAIR } from './hex.ts'

/** What tells a small letter from a capital; digits have it too. */
const SMALL = 32
const FOUR = 0x0101_0101
const HIGH = 0x8080_8080
const [SPACE, QUOTE, BACKSLASH] = [0x20, 0x22, 0x5c]
const [ZERO, X] = [0x30, 0x78]

export class Bytes {
  readonly length: number
  readonly #buffer: Buffer
  readonly #view: DataView

  constructor(buffer: Buffer) {
    this.#buffer = buffer
    this.#view = new DataView(buffer.buffer, buffer.byteOffset, buffer.length)
    this.length = buffer.length
  }

  /** The byte; undefined after the last one. */
  at(place: number): number | undefined {
    return this.#buffer[place]
  }

  /** Whether 0x stands there. */
  isHex(place: number): boolean {
    return this.#buffer[place] === ZERO && this.#buffer[place + 1] === X
  }

  /** The digit there; above 15: none. */
  digit(place: number): number {
    return DIGIT[this.#buffer[place] as number] as number
  }

  /** As many hex digits as a double holds exactly, 13 of them, as a number; `NO_HEX`: not all are digits. */
  number(from: number, to: number): number {
    let value = 0
    for (let at = from; at < to; at++) {
      const digit = this.digit(at)
      if (digit > 15) return NO_HEX
      value = value * 16 + digit
    }
    return value
  }

  /** Four bytes, the first one lowest; they must be there. */
  four(place: number): number {
    return this.#view.getInt32(place, true)
  }

  /** Eight hex digits as an unsigned number of 32 bits, or `NO_HEX`. In pairs: digit by digit takes three times as long. */
  lane(place: number): number {
    const upper = this.four(place)
    const lower = this.four(place + 4)
    const a = PAIR[upper & 0xffff] as number
    const b = PAIR[upper >>> 16] as number
    const c = PAIR[lower & 0xffff] as number
    const d = PAIR[lower >>> 16] as number
    return (a | b | c | d) < 0 ? NO_HEX : ((a << 24) | (b << 16) | (c << 8) | d) >>> 0
  }

  /** The text between two places. */
  text(from: number, to: number): string {
    return this.#buffer.toString('latin1', from, to)
  }

  /** The same in lower case. */
  lowerCase(from: number, to: number): string {
    const text = this.text(from, to)
    for (let at = from; at < to; at++) if (((this.#buffer[at] as number) & SMALL) === 0) return text.toLowerCase()
    return text
  }

  /** Whether as many bytes at two places are equal; four of them at least. */
  areSame(one: number, other: number, length: number): boolean {
    return this.#areAt(this, one, other, length)
  }

  /** Whether all of these, four of them at least, stand at a place of others. */
  isAt(others: Bytes, place: number): boolean {
    return this.#areAt(others, 0, place, this.length)
  }

  #areAt(others: Bytes, one: number, other: number, length: number): boolean {
    // The last four once more instead of what is left over.
    const last = length - 4
    for (let i = 0; i < last; i += 4) if (this.four(one + i) !== others.four(other + i)) return false
    return this.four(one + last) === others.four(other + last)
  }

  /** The first place from this one whose byte can't stand in a JSON text as itself: a quote, a backslash, or no ASCII. */
  endOfPlain(from: number): number {
    let at = from
    for (; at + 4 <= this.length; at += 4) {
      const found = unplain(this.four(at))
      if (found !== 0) return at + (firstBit(found) >> 3)
    }
    while (at < this.length && unplain((this.#buffer[at] as number) | (FOUR * SPACE - SPACE)) === 0) at += 1
    return at
  }
}

/** The high bit of bytes that a JSON text can't hold as they are; bits above the lowest one may be wrong. ("Bit Twiddling Hacks", Anderson, "Determine if a word has a zero byte".) */
function unplain(four: number): number {
  const quotes = four ^ (FOUR * QUOTE)
  const backslashes = four ^ (FOUR * BACKSLASH)
  const isQuote = (quotes - FOUR) & ~quotes
  const isBackslash = (backslashes - FOUR) & ~backslashes
  const isControl = (four - FOUR * SPACE) & ~four
  return (isQuote | isBackslash | isControl | four) & HIGH
}

const firstBit = (bits: number): number => 31 - Math.clz32(bits & -bits)
