// Which balances count where counting matters: an airdrop of one wei to ten thousand addresses makes nobody a holder. Pure.
import { toQuantity } from '../base/amount.ts'
import type { TokenRecord } from './rows.ts'

/** Dollars from which on a balance counts. */
const LEAST_USD = 1

/** Whether the balance is worth a dollar at the token's price. */
export const hasDollar = ({ priceUsd, decimals }: TokenRecord, balance: bigint): boolean =>
  priceUsd > 0 && balance > 0n && decimals !== null && toQuantity(balance, decimals) * priceUsd >= LEAST_USD
