// Which balances make a holder that counts: an airdrop of one wei to ten thousand addresses makes none. Pure.
import { toQuantity } from '../../base/amount.ts'
import type { TokenRecord } from './rows.ts'

/** Dollars from which on a balance counts. */
const LEAST_USD = 1

/** Whether the balance is worth a dollar at the token's price. */
export const hasDollar = ({ priceUsd, decimals }: TokenRecord, balance: bigint): boolean =>
  priceUsd > 0 && balance > 0n && decimals !== null && toQuantity(balance, decimals) * priceUsd >= LEAST_USD

/** Whether an amount of a priced token is worth less than a dollar. Of a token without a price nobody knows. */
export const isDust = (token: TokenRecord, amount: bigint): boolean => token.priceUsd > 0 && !hasDollar(token, amount)
