// Choices that nobody can foresee and anybody can repeat. Input: the seed of a check and a label. Output: an address, a fraction, an order.
import { type Address, toAddress } from '../../base/address.ts'
import { keccakOfText } from '../../chain/keccak.ts'

/** An account that has never been seen. */
export const accountOf = (seed: string, label: string): Address =>
  toAddress(keccakOfText(`${seed}/${label}`).slice(0, 42))

/** Uniform in [0, 1). */
export const fractionOf = (seed: string, label: string): number =>
  Number.parseInt(keccakOfText(`${seed}/${label}`).slice(2, 14), 16) / 2 ** 48

/** The amount times a factor between `from` and `to`. */
export const partOf = (amount: bigint, seed: string, label: string, from: number, to: number): bigint =>
  (amount * BigInt(Math.round((from + (to - from) * fractionOf(seed, label)) * 1_000))) / 1_000n
