// 32-byte words of a log's topics and data. Comes in: hex as a provider gave it; goes out: values, or a thrown error that
// the decoder turns into "not decoded". Offsets count words.
import type { Address } from '../../base/address.ts'
import { memoise } from './memo.ts'

const ADDRESS_WORD = /^0x0{24}[0-9a-f]{40}$/i
const HEX = /^[0-9a-f]*$/i

/** Words that are remembered: some 10 MB. */
const REMEMBERED = 20_000

const readAddress = memoise(REMEMBERED, (word) => {
  if (!ADDRESS_WORD.test(word)) throw new TypeError('not an address')
  return `0x${word.slice(26)}`.toLowerCase() as Address
})

/** The address in a topic; throws where the upper twelve bytes are not zero. */
export function topicAddress(topic: string | undefined): Address {
  if (topic === undefined) throw new TypeError('not an address')
  return readAddress(topic)
}

/** Whether the data is `words` whole words of hex. */
export const hasWords = (data: string, words: number): boolean => data.length === 2 + 64 * words

const slice = (data: string, word: number): string => data.slice(2 + 64 * word, 66 + 64 * word)

/** The unsigned integer at the word. */
export const wordUint = (data: string, word: number): bigint =>
  // The first word brings its 0x along: most amounts are the first, and a text less is made.
  BigInt(word === 0 ? data.slice(0, 66) : `0x${slice(data, word)}`)

/** The unsigned integer at the word; throws above `bits`. */
export function wordUintOf(data: string, word: number, bits: number): bigint {
  const value = wordUint(data, word)
  if (value >> BigInt(bits) !== 0n) throw new RangeError(`more than ${bits} bits`)
  return value
}

/** The last second of the year 9999: what is said to end later ends then. */
const LAST_SECOND = 253_402_300_799n

/** The time at the word, in seconds since 1970, held to the year 9999. */
export function wordTime(data: string, word: number): number {
  const time = wordUint(data, word)
  return Number(time < LAST_SECOND ? time : LAST_SECOND)
}

/** The signed integer at the word. */
export const wordInt = (data: string, word: number): bigint => BigInt.asIntN(256, wordUint(data, word))

/** The 24-bit tick of a word with its 0x; throws outside of 24 bits. */
export function toTick(word: string): number {
  const tick = Number(BigInt.asIntN(256, BigInt(word)))
  if (tick < -8_388_608 || tick > 8_388_607) throw new RangeError('not a tick')
  return tick
}

/** The tick at the word. */
export const wordTick = (data: string, word: number): number => toTick(`0x${slice(data, word)}`)

/** The address at the word of the data; throws where the upper twelve bytes are not zero. */
export const wordAddress = (data: string, word: number): Address => topicAddress(`0x${slice(data, word)}`)

/** Whether the text is hex with 0x, any length. */
export const isHex = (text: unknown): text is `0x${string}` =>
  typeof text === 'string' && text.startsWith('0x') && HEX.test(text.slice(2))
