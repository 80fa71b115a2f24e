// Words of the EVM's call data. Input: values. Output: hex. Selectors are computed from signatures, so that none is
// mistyped.
import { keccakOfText } from '../keccak.ts'

export type Hex = `0x${string}`

/** The first four bytes of the signature's hash. */
export const selectorOf = (signature: string): Hex => keccakOfText(signature).slice(0, 10) as Hex

/** A 32-byte word; numbers below zero as two's complement. */
export function abiWord(value: bigint | number | boolean | Hex): string {
  if (typeof value === 'string') return value.slice(2).padStart(64, '0')
  return BigInt.asUintN(256, BigInt(value)).toString(16).padStart(64, '0')
}

/** A call of a function whose arguments are all static. */
export const callData = (selector: string, ...values: (bigint | number | boolean | Hex)[]): Hex =>
  `${selector}${values.map(abiWord).join('')}` as Hex

/** The whole words of hex digits. */
export const wordsOf = (digits: string): string[] => digits.match(/.{64}/g) ?? []
