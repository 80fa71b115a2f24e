// The gas fields of a trial's transaction, which make it look like a real trade to a contract. Input: the block.
// Output: the fields of its calls and of its block.
import type { Address } from '../../base/address.ts'
import type { Hex } from '../../chain/contracts/words.ts'
import { keccakOfText } from '../../chain/keccak.ts'
import { hexQuantity } from '../../chain/raw.ts'
import { fractionOf, partOf } from './chance.ts'
import type { BlockFacts } from './reply.ts'

/** The most gas of an insider's function. */
export const ACT_GAS = hexQuantity(2_000_000)
export const READ_GAS = hexQuantity(300_000)

/** The tip: about a tenth of a gwei above the base fee. */
const TIP = 100_000_000n

export const gasPriceOf = ({ baseFee }: BlockFacts, seed: string): bigint => baseFee + partOf(TIP, seed, 'tip', 0.6, 3)

/**
 * The gas limits of wallets for a transfer and for a trade: an honest one with a swap inside takes a third. Drawn, so
 * that no contract knows it.
 */
export const sendGasOf = (seed: string, who: Address): Hex => drawGas(seed, who, 450_000, 700_000)
export const tradeGasOf = (seed: string, who: Address): Hex => drawGas(seed, who, 800_000, 1_200_000)

const drawGas = (seed: string, who: Address, from: number, to: number): Hex =>
  hexQuantity(Math.round(from + (to - from) * fractionOf(seed, `gas of ${who}`)))

/** The fields of a block besides its time: simulated ones would have no proposer, no randomness and no base fee. */
export const blockLike = (
  { baseFee, proposer }: Pick<BlockFacts, 'baseFee' | 'proposer'>,
  seed: string,
): Record<string, Hex> => ({
  feeRecipient: proposer,
  prevRandao: keccakOfText(`${seed}/randomness`),
  baseFeePerGas: hexQuantity(baseFee),
})

const ETHER = 10n ** 18n

/** A usual trader's balance, in wei. */
export const purseOf = (seed: string, who: Address): bigint => partOf(ETHER, seed, `purse of ${who}`, 0.3, 2.4)

/** State in which the account can pay for gas. */
export const withPurse = (seed: string, who: Address, code?: Hex): Record<Address, Record<string, string>> => ({
  [who]: { balance: hexQuantity(purseOf(seed, who)), ...(code ? { code } : {}) },
})
