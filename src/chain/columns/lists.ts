// Fields that are no single word: lists, the halves of a word, and amounts whose sign or flag tells which coin they are of. A
// list lies after the other words; its offset is the only thing in a log that could point anywhere, so it must stay within the data.
import type { Address } from '../../base/address.ts'
import type { Bytes } from './bytes.ts'
import { WORD_DIGITS } from './hex.ts'
import type { Packer } from './packer.ts'
import { type Field, word } from './shape.ts'

/** Hex digits in a byte, and in half a word. */
const BYTE = 2
const HALF = WORD_DIGITS / 2
/** Of lists that are kept as they are. Balancer's pools have at most 50 tokens. */
const MOST_ENTRIES = 64
/** Offsets and lengths have at most so many bits. */
const OFFSET_BITS = 32

/** Where the first entry of a list is, and how many there are; null when it is not within the data. `width`: words of an entry. */
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

/** A list of which word `place` has the offset. */
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

/** As many entries as there are words from `place` on. */
const row = <Entry>(place: number, count: number, write: WriteEntry): Field<Entry[]> => ({
  place: word(place),
  write: (to, bytes, at) => {
    to.number(count)
    for (let i = 0; i < count; i++) if (!write(to, bytes, at + i * WORD_DIGITS)) return false
    return true
  },
})

const writeAddress: WriteEntry = (to, bytes, at) => to.addressWord(bytes, at)
const writeInt: WriteEntry = (to, bytes, at) => to.intWord(bytes, at)
const writeNegated: WriteEntry = (to, bytes, at) => to.intWord(bytes, at, true)

/** Addresses; each entry has `width` words, of which the first is read. */
export const addresses = (place: number, width = 1): Field<Address[]> => list(place, writeAddress, width)
export const addressRow = (place: number, count: number): Field<Address[]> => row(place, count, writeAddress)
/** Amounts that went into the pool; `isOut`: that left it. */
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
        sums[side] = (sums[side] as bigint) + half
      }
    }
    to.number(2)
    for (const sum of sums) to.integer(isOut ? -sum : sum)
    return true
  },
})

function halfAt(bytes: Bytes, at: number): bigint | null {
  for (let i = 0; i < HALF; i += 8) if (bytes.lane(at + i) < 0) return null
  return BigInt(`0x${bytes.text(at, at + HALF)}`)
}

/** The one half of a word that is not zero: the lower is coin 0's amount, the upper coin 1's. Both: not such a word. */
export const oneHalf = (place: number): Field<bigint> => ({
  place: word(place),
  write: (to, bytes, at) => {
    const [upper, lower] = [halfAt(bytes, at), halfAt(bytes, at + HALF)]
    if (upper === null || lower === null || (upper > 0n && lower > 0n)) return false
    to.integer(upper + lower)
    return true
  },
})

/** Which of the two halves that is. */
export const sideOfHalf = (place: number): Field<number> => ({
  place: word(place),
  write: (to, bytes, at) => {
    const upper = halfAt(bytes, at)
    if (upper === null) return false
    to.number(upper > 0n ? 1 : 0)
    return true
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
 * Of two signed words from `place` on, as the trader sees them, the negative one was paid: its coin, and with `isGot` the coin
 * of the other.
 */
export const coinPaid = (place: number, isGot = false): Field<number> => ({
  place: word(place),
  write: (to, bytes, at) => {
    to.number(isNegative(bytes, at) === isGot ? 1 : 0)
    return true
  },
})

/** What was paid of it, or with `isGot` what came back. */
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

/** A list in which only the coin whose number is at `place` has an amount: what left the pool, at `amountPlace`. */
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
