// Ethereum's logs bloom: which blocks may hold our logs. Input: a block's 2,048-bit filter. Output: false if the block
// certainly holds none; true is often wrong for full blocks. (Yellow paper, section 4.4.3.)
import { keccak_256 } from '@noble/hashes/sha3.js'
import { hexToBytes } from '@noble/hashes/utils.js'

/** The three bits that a value sets: the index of the hex digit (counted with 0x) and the bit in that digit. */
function positions(value: `0x${string}`): { digit: number; mask: number }[] {
  const hash = keccak_256(hexToBytes(value.slice(2)))
  return [0, 2, 4].map((i) => {
    const bit = (((hash[i] ?? 0) << 8) | (hash[i + 1] ?? 0)) & 2047
    return { digit: 513 - (bit >> 2), mask: 1 << (bit & 3) }
  })
}

/** Tests whether a bloom (0x and 512 hex digits) may contain the value. */
export function createValueTest(value: `0x${string}`): (bloom: string) => boolean {
  const bits = positions(value)
  return (bloom) => bits.every(({ digit, mask }) => (Number.parseInt(bloom.charAt(digit), 16) & mask) !== 0)
}

/** Tests whether a bloom may contain any of the values. */
export function createBloomTest(values: readonly `0x${string}`[]): (bloom: string) => boolean {
  const tests = values.map(createValueTest)
  return (bloom) => tests.some((may) => may(bloom))
}

/** The bloom of a block whose logs have these addresses and topics. */
export function createBloom(values: readonly `0x${string}`[]): string {
  const digits = Array.from({ length: 512 }, () => 0)
  // The first digit has index 2, after 0x.
  for (const { digit, mask } of values.flatMap(positions)) digits[digit - 2] = (digits[digit - 2] ?? 0) | mask
  return `0x${digits.map((digit) => digit.toString(16)).join('')}`
}
