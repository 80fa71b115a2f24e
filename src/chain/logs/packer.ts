// Writes columns value by value, most of them straight from the hex digits of an answer: no text and no bigint is made on
// the way. Comes in: values, or places of 64 digits in bytes; goes out: columns. What does not fit says so, and whoever
// asked takes back what was written of it.
import type { Bytes } from './bytes.ts'
import { type Columns, NEGATIVE, NOTHING } from './columns.ts'
import { LANE_DIGITS, WORD_DIGITS } from './hex.ts'
import { AddressPlaces } from './places.ts'

/** Lanes of a word. */
const LANES = WORD_DIGITS / LANE_DIGITS
/** Digits of a word before an address. */
const BEFORE_ADDRESS = 24
const ZERO = 48
const ZEROS = 0x3030_3030
/** Digits of the largest whole number that a double holds. */
const NUMBER_DIGITS = 13

/** A class, not closures: V8 compiles a method once, and a closure for every packer. */
export class Packer {
  #numbers: Float64Array<ArrayBuffer>
  #count = 0
  /** Words in halves, the lower first: what 64-bit words are in memory. */
  #lanes: Uint32Array<ArrayBuffer>
  #laneCount = 0
  readonly #texts: string[] = []
  readonly #places = new Map<string, number>()
  readonly #addresses = new AddressPlaces(this.#texts)
  #lastText: string | null = null
  #lastPlace = NOTHING
  readonly #digits = new Uint32Array(LANES)

  /** `size`: about how many numbers there will be. */
  constructor(size: number) {
    this.#numbers = new Float64Array(size)
    this.#lanes = new Uint32Array(size)
  }

  /** Numbers so far. */
  get count(): number {
    return this.#count
  }

  /** Words so far. */
  get wordCount(): number {
    return this.#laneCount / 2
  }

  number(value: number): void {
    if (this.#count === this.#numbers.length) {
      const wider = new Float64Array(2 * this.#count)
      wider.set(this.#numbers)
      this.#numbers = wider
    }
    this.#numbers[this.#count++] = value
  }

  none(): void {
    this.number(NOTHING)
  }

  text(text: string | null): void {
    this.number(text === null ? NOTHING : this.#placeOf(text))
  }

  /** A text that mostly is that of the call before. */
  hash(text: string): void {
    if (text !== this.#lastText) {
      this.#lastText = text
      this.#lastPlace = this.#placeOf(text)
    }
    this.number(this.#lastPlace)
  }

  /** Of 256 bits at most, signed or not. */
  integer(value: bigint): void {
    const isNegative = value < 0n
    let size = 0
    for (let rest = isNegative ? -value : value; rest !== 0n; rest >>= 32n)
      this.#digits[size++] = Number(rest & 0xffff_ffffn)
    this.#integer(size, isNegative ? NEGATIVE : 0)
  }

  /** The address of 40 digits: its text, or null where they are none. */
  addressAt(bytes: Bytes, at: number): string | null {
    const place = this.#addresses.add(bytes, at)
    if (place === NOTHING) return null
    this.number(place)
    return this.#texts[place] as string
  }

  /** The address in a word whose upper twelve bytes are zero. */
  addressWord(bytes: Bytes, at: number): boolean {
    for (let i = 0; i < BEFORE_ADDRESS; i += 4) if (bytes.four(at + i) !== ZEROS) return false
    const place = this.#addresses.add(bytes, at + BEFORE_ADDRESS)
    this.number(place)
    return place !== NOTHING
  }

  /** An unsigned integer of so many bits at most. */
  uintWord(bytes: Bytes, at: number, bits: number): boolean {
    const zeros = countZeros(bytes, at)
    if (bitsAfter(bytes, at, zeros) > bits) return false
    const size = Math.ceil((WORD_DIGITS - zeros) / LANE_DIGITS)
    if (!this.#readDigits(bytes, at, size)) return false
    this.#integer(size, 0)
    return true
  }

  /** A signed integer of 256 bits, in two's complement. */
  intWord(bytes: Bytes, at: number): boolean {
    if (!this.#readDigits(bytes, at, LANES)) return false
    const isNegative = ((this.#digits[LANES - 1] as number) & 0x8000_0000) !== 0
    let carry = 1
    for (let i = 0; isNegative && i < LANES; i++) {
      const flipped = (~(this.#digits[i] as number) >>> 0) + carry
      this.#digits[i] = flipped
      carry = flipped > 0xffff_ffff ? 1 : 0
    }
    this.#integer(LANES, isNegative ? NEGATIVE : 0)
    return true
  }

  /** A whole number of so many bits at most, 52 of them at most. */
  numberWord(bytes: Bytes, at: number, bits: number): boolean {
    const zeros = countZeros(bytes, at)
    if (bitsAfter(bytes, at, zeros) > bits) return false
    const value = bytes.number(at + zeros, at + WORD_DIGITS)
    this.number(value)
    return value >= 0
  }

  /** A whole number; what is more counts as `most`. */
  clampedWord(bytes: Bytes, at: number, most: number): boolean {
    const zeros = countZeros(bytes, at)
    const isLarge = WORD_DIGITS - zeros > NUMBER_DIGITS
    if (isLarge && !this.#readDigits(bytes, at, LANES)) return false
    const value = isLarge ? most : bytes.number(at + zeros, at + WORD_DIGITS)
    this.number(Math.min(most, value))
    return value >= 0
  }

  /** A signed integer of 24 bits. */
  tickWord(bytes: Bytes, at: number): boolean {
    if (!this.#readDigits(bytes, at, LANES)) return false
    const value = (this.#digits[0] as number) | 0
    const upper = value < 0 ? 0xffff_ffff : 0
    for (let i = 1; i < LANES; i++) if (this.#digits[i] !== upper) return false
    this.number(value)
    return value >= -8_388_608 && value <= 8_388_607
  }

  /** Forgets what was written since there were so many numbers and words. */
  takeBack(count: number, wordCount: number): void {
    this.#count = count
    this.#laneCount = 2 * wordCount
  }

  /** What was written so far, where it stands. */
  view(): Columns {
    return { numbers: this.#numbers, words: new BigUint64Array(this.#lanes.buffer), texts: this.#texts }
  }

  take(): Columns {
    return {
      numbers: this.#numbers.slice(0, this.#count),
      words: new BigUint64Array(this.#lanes.slice(0, this.#laneCount).buffer),
      texts: this.#texts,
    }
  }

  #placeOf(text: string): number {
    const known = this.#places.get(text)
    if (known !== undefined) return known
    this.#places.set(text, this.#texts.length)
    return this.#texts.push(text) - 1
  }

  #lane(value: number): void {
    if (this.#laneCount === this.#lanes.length) {
      const wider = new Uint32Array(2 * this.#laneCount)
      wider.set(this.#lanes)
      this.#lanes = wider
    }
    this.#lanes[this.#laneCount++] = value
  }

  /** The first so many of `digits`, the lowest first, in whole words. */
  #integer(size: number, sign: number): void {
    let used = size
    while (used > 0 && this.#digits[used - 1] === 0) used -= 1
    for (let i = 0; i < used; i++) this.#lane(this.#digits[i] as number)
    if (used % 2 === 1) this.#lane(0)
    this.number(Math.ceil(used / 2) + sign)
  }

  /** The word's lanes from the lowest, so many of them; whether all were digits. */
  #readDigits(bytes: Bytes, at: number, size: number): boolean {
    for (let i = 0; i < size; i++) {
      const value = bytes.lane(at + WORD_DIGITS - LANE_DIGITS * (i + 1))
      if (value < 0) return false
      this.#digits[i] = value
    }
    return true
  }
}

/** Zeros that the word begins with. */
function countZeros(bytes: Bytes, at: number): number {
  let zeros = 0
  while (zeros < WORD_DIGITS && bytes.four(at + zeros) === ZEROS) zeros += 4
  while (zeros < WORD_DIGITS && bytes.at(at + zeros) === ZERO) zeros += 1
  return zeros
}

/** Bits of the word after its zeros. */
function bitsAfter(bytes: Bytes, at: number, zeros: number): number {
  if (zeros === WORD_DIGITS) return 0
  const first = bytes.digit(at + zeros)
  return 4 * (WORD_DIGITS - zeros) - Math.clz32(first) + 28
}
