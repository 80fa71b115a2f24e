// Writes columns value by value, mostly straight from the hex digits of an answer, without a string or bigint per
// value. Input: values, or places of 64 hex digits in bytes. Output: columns. A method returns false or null for digits
// that do not fit its type; the caller then calls `takeBack`.
import { itemAt, uint32At } from '../../base/item-at.ts'
import type { Bytes } from './bytes.ts'
import { type Columns, NEGATIVE, NOTHING } from './columns.ts'
import { LANE_DIGITS, WORD_DIGITS } from './hex.ts'
import { AddressPlaces } from './places.ts'

/** 32-bit lanes per word. */
const LANES = WORD_DIGITS / LANE_DIGITS
/** Zero digits before the address in a word. */
const BEFORE_ADDRESS = 24
const ZERO = 48
const ZEROS = 0x3030_3030
/** Digits of the lowest 48 bits. */
const LOW_DIGITS = 12
/** The most hex digits that a double always holds exactly. */
const NUMBER_DIGITS = 13

/** A class instead of closures: V8 compiles a method once, but closures anew for every packer. */
export class Packer {
  #numbers: Float64Array<ArrayBuffer>
  #count = 0
  /** The words as 32-bit halves, the lower half first, as a little-endian machine stores 64-bit words. */
  #lanes: Uint32Array<ArrayBuffer>
  #laneCount = 0
  readonly #texts: string[] = []
  readonly #places = new Map<string, number>()
  readonly #addresses = new AddressPlaces(this.#texts)
  #lastText: string | null = null
  #lastPlace = NOTHING
  readonly #digits = new Uint32Array(LANES)

  /** `size`: the expected number of numbers; the columns grow beyond it. */
  constructor(size: number) {
    this.#numbers = new Float64Array(size)
    this.#lanes = new Uint32Array(size)
  }

  /** Numbers written so far. */
  get count(): number {
    return this.#count
  }

  /** Words written so far. */
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

  /** A text that mostly equals that of the previous call. */
  hash(text: string): void {
    if (text !== this.#lastText) {
      this.#lastText = text
      this.#lastPlace = this.#placeOf(text)
    }
    this.number(this.#lastPlace)
  }

  /** Writes an integer, signed or unsigned; false when it needs more than 256 bits. */
  integer(value: bigint): boolean {
    const isNegative = value < 0n
    let size = 0
    let rest = isNegative ? -value : value
    for (; rest !== 0n && size < LANES; rest >>= 32n) this.#digits[size++] = Number(rest & 0xffff_ffffn)
    this.#integer(size, isNegative ? NEGATIVE : 0)
    return rest === 0n
  }

  /** Writes the address with these 40 digits and returns its text; null when they are not all digits. */
  addressAt(bytes: Bytes, at: number): string | null {
    const place = this.#addresses.add(bytes, at)
    if (place === NOTHING) return null
    this.number(place)
    return itemAt(this.#texts, place)
  }

  /** Writes the address in a word; false unless the upper twelve bytes are zero. */
  addressWord(bytes: Bytes, at: number): boolean {
    for (let i = 0; i < BEFORE_ADDRESS; i += 4) if (bytes.four(at + i) !== ZEROS) return false
    const place = this.#addresses.add(bytes, at + BEFORE_ADDRESS)
    this.number(place)
    return place !== NOTHING
  }

  /** Writes an unsigned integer; false when it needs more than `bits` bits. */
  uintWord(bytes: Bytes, at: number, bits: number): boolean {
    const zeros = countZeros(bytes, at)
    if (bitsAfter(bytes, at, zeros) > bits) return false
    const size = Math.ceil((WORD_DIGITS - zeros) / LANE_DIGITS)
    if (!this.#readDigits(bytes, at, size)) return false
    this.#integer(size, 0)
    return true
  }

  /** Writes the lowest `bits` bits of a word as a number; `bits` must be at most 31. */
  lowBits(bytes: Bytes, at: number, bits: number): boolean {
    const lane = bytes.lane(at + WORD_DIGITS - LANE_DIGITS)
    if (lane < 0) return false
    this.number(lane & ((1 << bits) - 1))
    return true
  }

  /** Writes `bits` bits of a word from bit `first` on as a number; together at most 48. */
  bitsFrom(bytes: Bytes, at: number, first: number, bits: number): boolean {
    const value = bytes.number(at + WORD_DIGITS - LOW_DIGITS, at + WORD_DIGITS)
    if (value < 0) return false
    this.number(Math.floor(value / 2 ** first) % 2 ** bits)
    return true
  }

  /** Writes 32 bytes as text, in lower case. */
  hashWord(bytes: Bytes, at: number): boolean {
    for (let i = 0; i < LANES; i++) if (bytes.lane(at + LANE_DIGITS * i) < 0) return false
    this.text(`0x${bytes.lowerCase(at, at + WORD_DIGITS)}`)
    return true
  }

  /** Writes a signed 256-bit integer in two's complement, with `isNegated` its negative. */
  intWord(bytes: Bytes, at: number, isNegated = false): boolean {
    if (!this.#readDigits(bytes, at, LANES)) return false
    const isNegative = (uint32At(this.#digits, LANES - 1) & 0x8000_0000) !== 0
    let carry = 1
    for (let i = 0; isNegative && i < LANES; i++) {
      const flipped = (~uint32At(this.#digits, i) >>> 0) + carry
      this.#digits[i] = flipped
      carry = flipped > 0xffff_ffff ? 1 : 0
    }
    this.#integer(LANES, isNegative !== isNegated && !bytes.isZero(at) ? NEGATIVE : 0)
    return true
  }

  /** Writes a whole number; false when it needs more than `bits` bits, which must be at most 52. */
  numberWord(bytes: Bytes, at: number, bits: number): boolean {
    const zeros = countZeros(bytes, at)
    if (bitsAfter(bytes, at, zeros) > bits) return false
    const value = bytes.number(at + zeros, at + WORD_DIGITS)
    this.number(value)
    return value >= 0
  }

  /** Writes a whole number, capped at `most`. */
  clampedWord(bytes: Bytes, at: number, most: number): boolean {
    const zeros = countZeros(bytes, at)
    const isLarge = WORD_DIGITS - zeros > NUMBER_DIGITS
    if (isLarge && !this.#readDigits(bytes, at, LANES)) return false
    const value = isLarge ? most : bytes.number(at + zeros, at + WORD_DIGITS)
    this.number(Math.min(most, value))
    return value >= 0
  }

  /** Writes a signed 24-bit integer; false when the word is out of range. */
  tickWord(bytes: Bytes, at: number): boolean {
    if (!this.#readDigits(bytes, at, LANES)) return false
    const value = uint32At(this.#digits, 0) | 0
    const upper = value < 0 ? 0xffff_ffff : 0
    for (let i = 1; i < LANES; i++) if (this.#digits[i] !== upper) return false
    this.number(value)
    return value >= -8_388_608 && value <= 8_388_607
  }

  /** Discards everything written since `count` and `wordCount` had these values. */
  takeBack(count: number, wordCount: number): void {
    this.#count = count
    this.#laneCount = 2 * wordCount
  }

  /** The columns so far, without copying. */
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

  /** Writes the lowest `size` lanes of `digits` as whole words. */
  #integer(size: number, sign: number): void {
    let used = size
    while (used > 0 && this.#digits[used - 1] === 0) used -= 1
    for (let i = 0; i < used; i++) this.#lane(uint32At(this.#digits, i))
    if (used % 2 === 1) this.#lane(0)
    this.number(Math.ceil(used / 2) + sign)
  }

  /** Reads the lowest `size` lanes of the word into `digits`; false when some characters are not hex digits. */
  #readDigits(bytes: Bytes, at: number, size: number): boolean {
    for (let i = 0; i < size; i++) {
      const value = bytes.lane(at + WORD_DIGITS - LANE_DIGITS * (i + 1))
      if (value < 0) return false
      this.#digits[i] = value
    }
    return true
  }
}

/** The number of leading zero digits of the word. */
function countZeros(bytes: Bytes, at: number): number {
  let zeros = 0
  while (zeros < WORD_DIGITS && bytes.four(at + zeros) === ZEROS) zeros += 4
  while (zeros < WORD_DIGITS && bytes.at(at + zeros) === ZERO) zeros += 1
  return zeros
}

/** The number of significant bits of the word. */
function bitsAfter(bytes: Bytes, at: number, zeros: number): number {
  if (zeros === WORD_DIGITS) return 0
  const first = bytes.digit(at + zeros)
  return 4 * (WORD_DIGITS - zeros) - Math.clz32(first) + 28
}
