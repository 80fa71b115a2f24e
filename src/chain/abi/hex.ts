// Hex digits. Comes in: ASCII bytes, or a text; goes out: what they stand for.

/** In place of a number: not all of it were digits. */
export const NO_HEX = -1

/** The digit behind a byte; above 15: none. */
export const DIGIT = new Uint8Array(256).fill(255)
for (let digit = 0; digit < 16; digit++) {
  const letter = digit.toString(16)
  DIGIT[letter.charCodeAt(0)] = digit
  DIGIT[letter.toUpperCase().charCodeAt(0)] = digit
}

/** The number behind two digits, as they stand in 16 bits with the first one lower; below zero: they are none. */
export const PAIR = Int16Array.from({ length: 2 ** 16 }, (_, pair) => {
  const [first, second] = [DIGIT[pair & 255] as number, DIGIT[pair >>> 8] as number]
  return first > 15 || second > 15 ? NO_HEX : (first << 4) | second
})

const TEXT = /^[0-9a-f]*$/i

/** Whether the text is hex with 0x, any length. */
export const isHex = (text: unknown): text is `0x${string}` =>
  typeof text === 'string' && text.startsWith('0x') && TEXT.test(text.slice(2))
