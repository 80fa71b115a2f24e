// The balances that make a counted holder: an airdrop of one wei to ten thousand addresses makes none. Pure.
import { toQuantity } from '../../base/amount.ts'
import type { TokenRecord } from './rows.ts'

/** The least dollars of a counted balance. */
const LEAST_USD = 1

/** Whether the balance is worth a dollar at the token's price. */
export const hasDollar = ({ priceUsd, decimals }: TokenRecord, balance: bigint): boolean =>
  priceUsd > 0 && balance > 0n && decimals !== null && toQuantity(balance, decimals) * priceUsd >= LEAST_USD

/** Whether an amount of a priced token is worth less than a dollar. False for a token without a price. */
export const isDust = (token: TokenRecord, amount: bigint): boolean => token.priceUsd > 0 && !hasDollar(token, amount)
