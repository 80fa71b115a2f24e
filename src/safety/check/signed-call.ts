// Whether call data carries a signature, as meta-transactions, EIP-3009 and permits do. Input: call data. Output: yes or
// no, by its form alone: 65 bytes, or two random words and a recovery number. Whose signature it is stays unknown.
import { wordsOf } from '../../chain/contracts/words.ts'

const WORD = 64
/** 27 or 28 stands beside two words; 65 is the length of a signature in bytes. */
const MARKS: ReadonlySet<string> = new Set([27, 28, 65].map((each) => each.toString(16).padStart(WORD, '0')))
const MAX_WORDS = 256
const RANDOM_BYTES = 16

/** Bytes of a number or an address are mostly zeros. */
function isRandom(word: string): boolean {
  const bytes = word.match(/../g) ?? []
  return word.length === WORD && !word.startsWith('00') && new Set(bytes).size >= RANDOM_BYTES
}

export function isSignedCall(input: string): boolean {
  const words = wordsOf(input.slice(10, 10 + MAX_WORDS * WORD))
  return words.some((word) => MARKS.has(word)) && words.filter(isRandom).length >= 2
}
