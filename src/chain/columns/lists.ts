// Fields that are not a single word: lists, halves of a word, and amounts whose sign or flag selects the coin. A list
// lies after the other words. Its offset is the only value in a log that could point outside the data, so it is
// checked.
import type { Address } from '../../base/address.ts'
import { itemAt } from '../../base/item-at.ts'
import type { Bytes } from './bytes.ts'
import { WORD_DIGITS } from './hex.ts'
import type { Packer } from './packer.ts'
import { type Field, type LogPlace, word } from './shape.ts'

/** Hex digits in a byte, and in half a word. */
const BYTE = 2
const HALF = WORD_DIGITS / 2
/** The most entries of a list that is stored as a list. Balancer's pools have at most 50 tokens. */
const MOST_ENTRIES = 64
/** The most bits of an offset or length. */
const OFFSET_BITS = 32

/** Where the first entry of a list is, and the number of entries; null outside the data. `width`: words per entry. */
function findList(bytes: Bytes, at: number, place: number, end: number, width: number): [number, number] | null {
  const start = at - WORD_DIGITS * place
  const offset = wordAsNumber(bytes, at)
  if (offset === null || offset % 32 !== 0 || start + BYTE * offset + WORD_DIGITS > end) return null
  const first = start + BYTE * offset
  const length = wordAsNumber(bytes, first)
  if (length === null || first + WORD_DIGITS * (1 + width * length) > end) return null
  return [first + WORD_DIGITS, length]
}

/** A word of at most 32 bits; null for a larger one. */
function wordAsNumber(bytes: Bytes, at: number): number | null {
  const digits = OFFSET_BITS / 4
  for (let i = 0; i < WORD_DIGITS - digits; i += digits) if (bytes.lane(at + i) !== 0) return null
  const value = bytes.lane(at + WORD_DIGITS - digits)
  return value < 0 ? null : value
}

type WriteEntry = (packer: Packer, bytes: Bytes, at: number) => boolean

/** A list whose offset is in word `place`. */
const list = <Entry>(place: number, write: WriteEntry, width = 1): Field<Entry[]> => ({
  place: word(place),
  write: (to, bytes, at, end) => {
    const found = findList(bytes, at, place, end, width)
    if (!found || found[1] > MOST_ENTRIES) return false
    to.number(found[1])
    for (let i = 0; i < found[1]; i++) if (!write(to, bytes, found[0] + i * width * WORD_DIGITS)) return false
    return true
  },
})

/** One entry per word, from word `place` to the end. */
const row = <Entry>(place: number | LogPlace, count: number, write: WriteEntry): Field<Entry[]> => ({
  place: typeof place === 'number' ? word(place) : place,
  write: (to, bytes, at) => {
    to.number(count)
    for (let i = 0; i < count; i++) if (!write(to, bytes, at + i * WORD_DIGITS)) return false
    return true
  },
})

const writeAddress: WriteEntry = (to, bytes, at) => to.addressWord(bytes, at)
const writeInt: WriteEntry = (to, bytes, at) => to.intWord(bytes, at)
const writeNegated: WriteEntry = (to, bytes, at) => to.intWord(bytes, at, true)

/** Addresses. An entry has `width` words; the first one is the address. */
export const addresses = (place: number, width = 1): Field<Address[]> => list(place, writeAddress, width)
export const addressRow = (place: number | LogPlace, count: number): Field<Address[]> => row(place, count, writeAddress)
/** Amounts that the pool received, or with `isOut` paid out. */
export const amountList = (place: number, isOut = false): Field<bigint[]> =>
  list(place, isOut ? writeNegated : writeInt)
export const amountRow = (place: number, count: number, isOut = false): Field<bigint[]> =>
  row(place, count, isOut ? writeNegated : writeInt)

/** No entries. */
export const noEntries: Field<never[]> = {
  place: null,
  write: (to) => {
    to.number(0)
    return true
  },
}

/** Two amounts: the sums of the lower and of the upper halves of a list's words. */
export const halvesSummed = (place: number, isOut = false): Field<bigint[]> => ({
  place: word(place),
  write: (to, bytes, at, end) => {
    const found = findList(bytes, at, place, end, 1)
    if (!found) return false
    const sums = [0n, 0n]
    for (let i = 0; i < found[1]; i++) {
      const entry = found[0] + i * WORD_DIGITS
      for (const [side, from] of [entry + HALF, entry].entries()) {
        const half = halfAt(bytes, from)
        if (half === null) return false
        sums[side] = itemAt(sums, side) + half
      }
    }
    to.number(2)
    return sums.every((sum) => to.integer(isOut ? -sum : sum))
  },
})

const halfAt = (bytes: Bytes, at: number): bigint | null => integerAt(bytes, at, HALF)

/** The integer of so many digits, a multiple of eight; null if a character is no digit. */
export function integerAt(bytes: Bytes, at: number, digits: number): bigint | null {
  for (let i = 0; i < digits; i += 8) if (bytes.lane(at + i) < 0) return null
  return BigInt(`0x${bytes.text(at, at + digits)}`)
}

/**
 * The non-zero half of a word: the lower half is the amount of coin 0, the upper half of coin 1. A word with both
 * halves set is not decoded.
 */
export const oneHalf = (place: number): Field<bigint> => ({
  place: word(place),
  write: (to, bytes, at) => {
    const [upper, lower] = [halfAt(bytes, at), halfAt(bytes, at + HALF)]
    if (upper === null || lower === null || (upper > 0n && lower > 0n)) return false
    return to.integer(upper + lower)
  },
})

/** The index of the non-zero half. */
export const sideOfHalf = (place: number): Field<number> => ({
  place: word(place),
  write: (to, bytes, at) => {
    const upper = halfAt(bytes, at)
    if (upper === null) return false
    to.number(upper > 0n ? 1 : 0)
    return true
  },
})

/** The two signed halves of a word, the upper one first. Digits that are none count as zero, which no swap has. */
function signedHalves(bytes: Bytes, at: number): [bigint, bigint] {
  const value = integerAt(bytes, at, WORD_DIGITS) ?? 0n
  return [BigInt.asIntN(128, value >> 128n), BigInt.asIntN(128, value)]
}

/**
 * A word whose halves are what a pool received of coin 0 (upper) and coin 1, below zero: paid out. The index of the
 * received coin, or of the other. Both must differ in sign.
 */
export const sideOfDelta = (place: LogPlace, isIn = false): Field<number> => ({
  place,
  write: (to, bytes, at) => {
    const [first, second] = signedHalves(bytes, at)
    to.number(first > 0n === isIn ? 0 : 1)
    return first > 0n ? second < 0n : first < 0n && second > 0n
  },
})

/** The amount of that coin. */
export const deltaHalf = (place: LogPlace, isIn = false): Field<bigint> => ({
  place,
  write: (to, bytes, at) => {
    const halves = signedHalves(bytes, at)
    const [received = 0n, paid = 0n] = halves[0] > 0n ? halves : halves.toReversed()
    return to.integer(isIn ? received : -paid)
  },
})

/** Both amounts; a log in which both are zero is not decoded. */
export const deltaHalves = (place: LogPlace): Field<bigint[]> => ({
  place,
  write: (to, bytes, at) => {
    const halves = signedHalves(bytes, at)
    to.number(2)
    return halves.every((half) => to.integer(half)) && halves.some((half) => half !== 0n)
  },
})

/** The index of the word that is not zero, of two words from `place` on. */
export const sideOfTwo = (place: number): Field<number> => ({
  place: word(place),
  write: (to, bytes, at) => {
    const isSecond = bytes.isZero(at)
    to.number(isSecond ? 1 : 0)
    return isSecond !== bytes.isZero(at + WORD_DIGITS)
  },
})

/** The other word itself. */
export const amountOfTwo = (place: number): Field<bigint> => ({
  place: word(place),
  write: (to, bytes, at) => to.uintWord(bytes, bytes.isZero(at) ? at + WORD_DIGITS : at, 256),
})

/** That word and the one beside it in a second pair of words: an amount and its fee. */
export const sumOfTwo = (place: number, beside: number): Field<bigint> => ({
  place: word(place),
  write: (to, bytes, at) => {
    const first = bytes.isZero(at) ? at + WORD_DIGITS : at
    const amount = integerAt(bytes, first, WORD_DIGITS)
    const fee = integerAt(bytes, first + (beside - place) * WORD_DIGITS, WORD_DIGITS)
    return to.integer((amount ?? 0n) + (fee ?? 0n)) && amount !== null && fee !== null
  },
})

/** One coin if the flag at `place` is set, else the other. */
export const coinOf = (place: number, ifSet: number, ifNot: number): Field<number> => ({
  place: word(place),
  write: (to, bytes, at) => {
    const flag = wordAsNumber(bytes, at)
    if (flag === null || flag > 1) return false
    to.number(flag === 1 ? ifSet : ifNot)
    return true
  },
})

/** The top digit of a negative number in two's complement. */
const isNegative = (bytes: Bytes, at: number): boolean => bytes.digit(at) >= 8

/**
 * Two signed words from `place` on, from the trader's side: the negative one was paid. The field is the index of the
 * paid coin, or with `isGot` of the received one.
 */
export const coinPaid = (place: number, isGot = false): Field<number> => ({
  place: word(place),
  write: (to, bytes, at) => {
    to.number(isNegative(bytes, at) === isGot ? 1 : 0)
    return true
  },
})

/** The paid amount, or with `isGot` the received one. */
export const amountPaid = (place: number, isGot = false): Field<bigint> => ({
  place: word(place),
  write: (to, bytes, at) => to.intWord(bytes, isNegative(bytes, at) === isGot ? at + WORD_DIGITS : at, !isGot),
})

/** The address at entry `entry` of a tuple whose offset is at word `place`. */
export const addressInTuple = (place: number, entry: number): Field<Address> => ({
  place: word(place),
  write: (to, bytes, at, end) => {
    const offset = wordAsNumber(bytes, at)
    if (offset === null || offset % 32 !== 0) return false
    const found = at - WORD_DIGITS * place + BYTE * offset + WORD_DIGITS * entry
    return found + WORD_DIGITS <= end && to.addressWord(bytes, found)
  },
})

/**
 * A list in which only one coin has an amount: the coin whose number is at `place` left the pool, in the amount at
 * `amountPlace`.
 */
export const amountOfOne = (place: number, amountPlace: number): Field<bigint[]> => ({
  place: word(place),
  write: (to, bytes, at) => {
    const coin = wordAsNumber(bytes, at)
    if (coin === null || coin >= MOST_ENTRIES) return false
    to.number(coin + 1)
    for (let i = 0; i < coin; i++) to.integer(0n)
    return to.intWord(bytes, at + (amountPlace - place) * WORD_DIGITS, true)
  },
})
