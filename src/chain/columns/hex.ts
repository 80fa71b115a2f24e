// Hex digits. Input: ASCII bytes, or a text. Output: their values.

/** Hex digits of a 32-byte word, and of a 32-bit lane. */
export const WORD_DIGITS = 64
export const LANE_DIGITS = 8

/** Returned instead of a number when some characters are not hex digits. */
export const NO_HEX = -1

/** The value of a digit by its byte; above 15 for any other byte. */
export const DIGIT = new Uint8Array(256).fill(255)
/** The value of two digits by their 16 bits, the first digit in the low byte; negative for other bytes. */
export const PAIR = new Int16Array(2 ** 16).fill(NO_HEX)

const LETTERS = [...'0123456789abcdefABCDEF'].map((letter) => ({
  byte: letter.charCodeAt(0),
  digit: Number.parseInt(letter, 16),
}))
for (const first of LETTERS) {
  DIGIT[first.byte] = first.digit
  for (const second of LETTERS) PAIR[first.byte | (second.byte << 8)] = (first.digit << 4) | second.digit
}

const TEXT = /^[0-9a-f]*$/i

/** Whether the value is a text of "0x" and hex digits, of any length. */
export const isHex = (text: unknown): text is `0x${string}` =>
  typeof text === 'string' && text.startsWith('0x') && TEXT.test(text.slice(2))
