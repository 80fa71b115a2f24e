// What a trial's transaction says about itself, so that a contract cannot tell it from a real trade. Input: the block and what a real trade
// paid for gas. Output: the fields of its calls and of the block that it is tried in.
import type { Address } from '../../base/address.ts'
import type { BlockFacts } from '../node/asker.ts'
import { type Hex, hexQuantity } from '../node/words.ts'
import { partOf } from './chance.ts'

/** The most that a contract may burn in one transfer, and in one trade: an honest one with a swap inside takes a third. */
export const SEND_GAS = hexQuantity(2_000_000)
export const TRADE_GAS = hexQuantity(5_000_000)
export const READ_GAS = hexQuantity(300_000)

/** What a transaction pays when nothing is known of real trades: a tenth of a gwei above the base fee. */
const TIP = 100_000_000n

export const gasPriceOf = ({ baseFee }: BlockFacts, known: bigint | null): bigint =>
  known !== null && known > baseFee ? known : baseFee + TIP

const ETHER = 10n ** 18n

/** A purse as traders have them, in wei. */
export const purseOf = (seed: string, who: Address): bigint => partOf(ETHER, seed, `purse of ${who}`, 0.2, 3)

/** State in which the account can pay for gas. */
export const withPurse = (seed: string, who: Address, code?: Hex): Record<Address, Record<string, string>> => ({
  [who]: { balance: hexQuantity(purseOf(seed, who) + 3n * ETHER), ...(code ? { code } : {}) },
})
