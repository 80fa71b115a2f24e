// What a token's pools can pay bounds what its logs can claim: anybody can write a contract that logs any Transfer.
// `src/ledger/present.ts` has the same bound of holdings in SQL. Pure.
import type { TokenRecord } from './rows.ts'
import type { Work } from './working-set.ts'

/**
 * Dollars that the token's pools could pay: their quote sides, or all of a launch curve, whose depth no log shows.
 * Money counts in full.
 */
export const payableByPools = ({ known }: Pick<Work, 'known'>, token: TokenRecord): number => {
  if (known.cash.has(token.address)) return Number.POSITIVE_INFINITY
  return token.depth2PctUsd === 0 ? token.liquidityUsd : token.liquidityUsd / 2
}

/** Dollars of an amount of the token at its price, and at most what its pools could pay. */
export const worthUsd = (work: Pick<Work, 'known'>, token: TokenRecord, quantity: number): number =>
  Math.min(quantity * token.priceUsd, payableByPools(work, token))

/** The same of an amount that went into a pool or left it: at most the most that its pools ever had. */
export const pooledUsd = ({ known }: Pick<Work, 'known'>, token: TokenRecord, usd: number): number =>
  known.cash.has(token.address) ? usd : Math.min(usd, token.peakLiquidityUsd)

/**
 * A pool with less than this part of the supply prices nothing. So no price stands for more than this many times what
 * the pools could pay.
 */
export const LEAST_SUPPLY_SHARE = 10_000n

/** The most that a market cap can be while the token's pools are as they are. A launch curve prices all that it sells. */
export const mostCapUsd = (work: Pick<Work, 'known'>, token: TokenRecord): number =>
  token.depth2PctUsd === 0 ? Number.POSITIVE_INFINITY : Number(LEAST_SUPPLY_SHARE) * payableByPools(work, token)
