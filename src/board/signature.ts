// The letters and length of a word, in 16 bits. One look into a table rules out nearly all of a million words that are
// not near another. Pure.
import { uint8At } from '../base/item-at.ts'
import { countBits } from './row-set.ts'

/** The lowest bits are the classes of letters in the word; its length is above them. */
const CLASSES = 12
const LONGEST = 15
/** The length of a word with characters of several bytes. */
const UNKNOWN = 0
/** The class of a byte, by its last five bits, which identify the letter. */
const CLASS_OF = Uint8Array.from({ length: 256 }, (_, byte) => (byte & 31) % CLASSES)

/** The signature of the bytes of a word. */
export function signatureOf(bytes: Uint8Array, from: number, to: number): number {
  let [letters, all] = [0, 0]
  for (let at = from; at < to; at += 1) {
    const byte = uint8At(bytes, at)
    letters |= 1 << uint8At(CLASS_OF, byte)
    all |= byte
  }
  return letters | ((all > 127 ? UNKNOWN : Math.min(to - from, LONGEST)) << CLASSES)
}

/** For each signature 1 if its word may be the one with this signature except for this many typos, else 0. */
export function likelyWithin(signature: number, most: number): Uint8Array {
  const [letters, length] = [signature & ((1 << CLASSES) - 1), signature >>> CLASSES]
  const likely = new Uint8Array(0x10000)
  for (let other = 0; other <= 0xffff; other += 1) {
    const otherLength = other >>> CLASSES
    const longer = length === UNKNOWN || otherLength === UNKNOWN ? 0 : Math.abs(length - otherLength)
    // A missing or extra letter changes one class, and an exchanged one two.
    const different = countBits((other ^ letters) & ((1 << CLASSES) - 1))
    if (longer <= most && different <= 2 * most - longer) likely[other] = 1
  }
  return likely
}
