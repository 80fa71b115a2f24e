// Which holders count where counting matters: an airdrop of one wei to ten thousand addresses makes nobody a holder. Pure.
import { toQuantity } from '../base/amount.ts'
import type { TokenRecord, WalletRecord } from './rows.ts'

/** Dollars from which on a balance counts. */
const LEAST_USD = 1

/** Whether the balance makes its wallet a holder that growth and trending count: an account, with a dollar of it. */
export const isFunded = (token: TokenRecord, wallet: WalletRecord, balance: bigint): boolean =>
  token.priceUsd > 0 &&
  balance > 0n &&
  wallet.kind === 'account' &&
  token.decimals !== null &&
  toQuantity(balance, token.decimals) * token.priceUsd >= LEAST_USD
