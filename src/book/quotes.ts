// What prices what: a token may be quoted in one that is itself priced by pools (a hub), over three pools at most to the chain's money.
// The preset names hubs; others are found: a token with a price quotes the one without in a pool of both. What is only found may be
// anybody's own, so it lends no more money than lies in its own pools, and a price that leads back to the token is none.
import { finite } from '../base/amount.ts'
import type { Known } from './known.ts'
import type { PoolRecord, TokenRecord } from './rows.ts'
import { need, tokenOf, type Work } from './working-set.ts'

/** Pools from a token to the chain's money. */
const MOST_HOPS = 3

/** Of a token that quotes others without being named: dollars in its own pools, in times what prices a token at all [G]. */
const FOUND_DEPTH = 5

const isNamed = ({ quoteRank }: Known, { address }: TokenRecord): boolean => quoteRank.has(address)

/** Dollars per whole quote token, at the price that the native coin has now; 0 if it is not priced. */
export function quoteUsd(work: Work, quote: TokenRecord): number {
  const { stablecoins, cash } = work.known
  if (stablecoins.has(quote.address)) return 1
  if (cash.has(quote.address) || quote.priceNative === null) return quote.priceUsd
  return finite(quote.priceNative * nativeUsd(work))
}

const nativeUsd = ({ store, known }: Work): number => store.tokens.find(known.wrappedNative)?.priceUsd ?? 0

/** Whether the quote's own price may price the token: it is near enough to the chain's money, and not priced by the token itself. */
export const leadsOn = ({ known }: Work, token: TokenRecord, quote: TokenRecord): boolean =>
  known.cash.has(quote.address) || (quote.priceHops < MOST_HOPS && quote.quoteId !== token.id)

/** The most dollars that a pool can hold of the quote: of one that was found, what lies in its own pools. */
export const mostUsd = ({ known }: Work, quote: TokenRecord): number =>
  isNamed(known, quote) ? Number.POSITIVE_INFINITY : quote.liquidityUsd

/** What moves the quote's own price by 2 %: no pool behind it is deeper. */
export const hopDepth = ({ known }: Work, quote: TokenRecord): number =>
  known.cash.has(quote.address) ? Number.POSITIVE_INFINITY : quote.depth2PctUsd

/** Notes how the token's price leads to the chain's money, and what it is in native coins. */
export function noteHops(work: Work, token: TokenRecord, deepest: PoolRecord | null): void {
  const { known } = work
  token.priceHops = 0
  token.priceNative = null
  if (!deepest || deepest.quoteId === null || known.cash.has(token.address)) return
  const quote = tokenOf(work, deepest.quoteId)
  const isCash = known.cash.has(quote.address)
  token.priceHops = isCash ? 1 : quote.priceHops + 1
  if (isCash) token.priceNative = quote.address === known.wrappedNative ? token.priceQuote : null
  else {
    if (quote.priceNative !== null && token.priceQuote !== null)
      token.priceNative = finite(token.priceQuote * quote.priceNative)
    // The weakest hop tells how far the price can be trusted.
    token.priceOutlierShare = Math.max(token.priceOutlierShare, quote.priceOutlierShare)
    token.pricedAt = Math.min(work.block.time, quote.pricedAt ?? work.block.time)
  }
}

/** Which token the pool's events are about (base), and which one prices it (quote): the one with the lower rank. */
export function orient(
  { quoteRank }: Known,
  token0: TokenRecord,
  token1: TokenRecord,
): [baseId: number | null, quoteId: number | null] {
  const rank0 = quoteRank.get(token0.address) ?? Number.POSITIVE_INFINITY
  const rank1 = quoteRank.get(token1.address) ?? Number.POSITIVE_INFINITY
  if (rank0 === rank1) return [null, null]
  return rank0 < rank1 ? [token1.id, token0.id] : [token0.id, token1.id]
}

/** Finds the quote of a pool of two other tokens: the one that has a price, where the other has none and no pool that could give one. */
export function findQuote(work: Work, pool: PoolRecord): void {
  const [token0, token1] = [tokenOf(work, pool.token0Id), tokenOf(work, pool.token1Id)]
  const quote = canQuote(work, token0) ? token0 : canQuote(work, token1) ? token1 : null
  const base = quote === token0 ? token1 : token0
  if (!quote || base.priceUsd > 0) return
  const pools = need(work.store.poolsOfBase.get(base.id), 'pools of token', base.id)
  pool.baseId = base.id
  pool.quoteId = quote.id
  pools.push(pool.id)
}

const canQuote = ({ known }: Work, token: TokenRecord): boolean =>
  token.priceUsd > 0 && token.priceHops < MOST_HOPS && token.liquidityUsd >= FOUND_DEPTH * known.minPoolDepthUsd
