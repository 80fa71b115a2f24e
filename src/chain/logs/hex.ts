// Hex digits. Comes in: ASCII bytes, or a text; goes out: what they stand for.

/** Digits of a 32-byte word, and of a lane of 32 bits. */
export const WORD_DIGITS = 64
export const LANE_DIGITS = 8

/** In place of a number: not all of it were digits. */
export const NO_HEX = -1

/** The digit behind a byte; above 15: none. */
export const DIGIT = new Uint8Array(256).fill(255)
/** The number behind two digits, as they stand in 16 bits with the first one lower; below zero: they are none. */
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

/** Whether the text is hex with 0x, any length. */
export const isHex = (text: unknown): text is `0x${string}` =>
  typeof text === 'string' && text.startsWith('0x') && TEXT.test(text.slice(2))
