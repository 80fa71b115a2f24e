// Amounts in whole tokens, and the part of a token's supply that somebody can sell: without burned tokens and those of
// known lockers. Pure.
import { finite, toQuantity } from '../../base/amount.ts'
import type { TokenRecord } from './rows.ts'

type Supply = Pick<TokenRecord, 'supply' | 'burned' | 'locked' | 'decimals'>

/** In raw units. */
export const rawCirculating = ({ supply, burned, locked }: Omit<Supply, 'decimals'>): bigint =>
  supply > burned + locked ? supply - burned - locked : 0n

/** In whole tokens; null for a token without decimals. */
export const circulatingOf = (token: Supply): number | null =>
  token.decimals === null ? null : finite(toQuantity(rawCirculating(token), token.decimals))

/**
 * Converts a raw amount to whole tokens. For a token without decimals it is the raw amount. Shares, changes and costs
 * are the same in any unit, and such a token has no price. Answers have null in its place.
 */
export const quantityOf = (token: TokenRecord, raw: bigint): number => finite(toQuantity(raw, token.decimals ?? 0))
