// Writes bytes as hex digits, the input of the log decoder. The memory is reused for the next log.
import { uint8At, uint16At } from '../../base/item-at.ts'
import { Bytes } from '../columns/bytes.ts'

/** "0x" and the two digits of each byte, as 16 bits, the first character in the low byte. */
const PREFIX = 0x7830
const PAIRS = Uint16Array.from({ length: 256 }, (_, byte) => {
  const [first, second] = byte.toString(16).padStart(2, '0')
  return (first as string).charCodeAt(0) | ((second as string).charCodeAt(0) << 8)
})
const FIRST_SIZE = 4_096

export class HexPad {
  #units = new Uint16Array(FIRST_SIZE)
  #at = 0
  bytes = new Bytes(Buffer.from(this.#units.buffer))

  /**
   * Discards the written digits, and makes room for this many bytes in this many values. `bytes` may be a new buffer.
   */
  begin(byteCount: number, valueCount: number): void {
    this.#at = 0
    const needed = byteCount + valueCount
    if (needed <= this.#units.length) return
    this.#units = new Uint16Array(2 * needed)
    this.bytes = new Bytes(Buffer.from(this.#units.buffer))
  }

  /** Writes "0x" and the digits, and returns the place of "0x". */
  write(value: Uint8Array): number {
    const units = this.#units
    const place = this.#at
    units[place] = PREFIX
    for (let i = 0; i < value.length; i++) units[place + 1 + i] = uint16At(PAIRS, uint8At(value, i))
    this.#at = place + 1 + value.length
    return 2 * place
  }
}

export const toHex = (bytes: Uint8Array): `0x${string}` =>
  `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')}`

export function areSameBytes(one: Uint8Array, other: Uint8Array): boolean {
  if (one === other) return true
  if (one.length !== other.length) return false
  for (let i = 0; i < one.length; i++) if (one[i] !== other[i]) return false
  return true
}
