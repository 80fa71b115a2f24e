// Prices tokens and values pools, without an oracle. A stablecoin is worth one dollar; the wrapped native is priced by
// its deepest pool against a stablecoin; any other token by its deepest pool against either. A pool prices nothing if
// its quote side is below a minimum in dollars, or its base side below a minimum share of the supply. A pool's
// liquidity is twice its quote side.
import { finite } from '../base/amount.ts'
import { hasOwnCurve } from '../chain/exchanges/hooks.ts'
import { quantityOf, valueSupply } from './balance.ts'
import { indexToken } from './new-rows.ts'
import { notePrice } from './periods.ts'
import type { PoolRecord, TokenRecord } from './rows.ts'
import { stablePrice } from './stable-curve.ts'
import { affect, need, poolOf, tokenOf, touchToken, type Work } from './working-set.ts'

/** Cap for dollar amounts: no honest amount is larger, and it keeps sums finite. */
const MAX_USD = 1e15

/** Rounds dollars to micro-dollars and caps them at 10^15. */
export const toUsd = (usd: number): number => Math.round(Math.min(Math.max(finite(usd), 0), MAX_USD) * 1e6) / 1e6

/** Dollars per whole quote token; 0 if it is not priced. */
export const quoteUsd = (work: Work, quote: TokenRecord): number =>
  work.known.stablecoins.has(quote.address) ? 1 : quote.priceUsd

/** Whole quote tokens in a pool; 0 for a pool without a quote. */
export function quoteSide(work: Work, pool: PoolRecord): number {
  if (pool.quoteId === null) return 0
  return quantityOf(tokenOf(work, pool.quoteId), pool.quoteId === pool.token0Id ? pool.reserve0 : pool.reserve1)
}

/** Updates the values of a pool whose reserves or price changed, and of its tokens. */
export function revalue(work: Work, pool: PoolRecord): void {
  pool.updatedBlock = work.block.number
  work.changes.pools.add(pool)
  noteFirstLiquidity(work, pool)
  if (pool.baseId === null || pool.quoteId === null) return
  const base = tokenOf(work, pool.baseId)
  const quote = tokenOf(work, pool.quoteId)
  const usd = quoteUsd(work, quote)
  pool.price = priceOf(pool, base, quote)
  const before = pool.liquidityUsd
  pool.liquidityUsd = finite(2 * quoteSide(work, pool) * usd)
  pool.peakLiquidityUsd = Math.max(pool.peakLiquidityUsd, pool.liquidityUsd)
  if (usd > 0 && hasReserves(pool)) {
    indexToken(work, base)
    indexToken(work, quote)
  }
  shiftLiquidity(work, quote, pool.liquidityUsd - before)
  if (work.known.quoteRank.has(base.address)) shiftLiquidity(work, base, pool.liquidityUsd - before)
  price(work, base)
}

/** Prices a token from its deepest pool, and sums the liquidity of its pools. */
function price(work: Work, token: TokenRecord): void {
  let deepest: PoolRecord | null = null
  let depth = -1
  let usd = 0
  let liquidityUsd = 0
  for (const id of need(work.store.poolsOfBase.get(token.id), 'pools of token', token.id)) {
    const pool = poolOf(work, id)
    const unit = pool.quoteId === null ? 0 : quoteUsd(work, tokenOf(work, pool.quoteId))
    const side = finite(quoteSide(work, pool) * unit)
    liquidityUsd += 2 * side
    if (!holdsEnough(pool, token)) continue
    if (side > depth || (side === depth && deepest && pool.id < deepest.id)) {
      deepest = pool
      depth = side
      usd = finite(pool.price * unit)
    }
  }
  token.poolId = deepest?.id ?? null
  if (!work.known.quoteRank.has(token.address)) setLiquidity(token, finite(liquidityUsd))
  if (!work.known.stablecoins.has(token.address)) {
    token.priceUsd = depth >= work.known.minPoolDepthUsd && token.decimals !== null ? usd : 0
    const pricing = token.priceUsd > 0 ? deepest : null
    token.quoteId = pricing?.quoteId ?? null
    token.priceQuote = pricing?.price ?? null
  }
  valueSupply(work, token)
  notePrice(work, token)
}

function setLiquidity(token: TokenRecord, usd: number): void {
  token.liquidityUsd = usd
  token.peakLiquidityUsd = Math.max(token.peakLiquidityUsd, usd)
}

/** A quote token has too many pools to sum, so its liquidity changes by what one pool's liquidity changed. */
function shiftLiquidity(work: Work, token: TokenRecord, deltaUsd: number): void {
  if (deltaUsd === 0) return
  setLiquidity(token, Math.max(0, finite(token.liquidityUsd + deltaUsd)))
  touchToken(work, token)
  // The hour closes with it, also where nothing else of the token changed.
  affect(work, token, 0n, 0)
}

/** Whole quote tokens per whole base token; 0 if unknown. */
function priceOf(pool: PoolRecord, base: TokenRecord, quote: TokenRecord): number {
  if (base.decimals === null || quote.decimals === null) return 0
  const baseIs0 = pool.baseId === pool.token0Id
  if (hasOwnCurve(pool.hookRights)) return 0
  if (pool.kind !== 'v2') {
    if (!pool.sqrtPriceX96) return 0
    const root = Number(pool.sqrtPriceX96) / 2 ** 96
    const raw = root * root
    return finite((baseIs0 ? raw : 1 / raw) * 10 ** (base.decimals - quote.decimals))
  }
  const baseSide = quantityOf(base, baseIs0 ? pool.reserve0 : pool.reserve1)
  const quoteAmount = quantityOf(quote, baseIs0 ? pool.reserve1 : pool.reserve0)
  if (pool.stable) return finite(stablePrice(baseSide, quoteAmount))
  return baseSide > 0 ? finite(quoteAmount / baseSide) : 0
}

/**
 * A pool with less than a ten-thousandth of the supply prices nothing. Otherwise a drained pair, or a pool opened
 * one-sided at any price, could turn a few thousand dollars into a market cap of billions.
 */
const LEAST_SUPPLY_SHARE = 10_000n

const holdsEnough = (pool: PoolRecord, base: TokenRecord): boolean =>
  (pool.baseId === pool.token0Id ? pool.reserve0 : pool.reserve1) * LEAST_SUPPLY_SHARE >= base.supply

const hasReserves = (pool: PoolRecord): boolean => pool.reserve0 > 0n || pool.reserve1 > 0n

/**
 * Stores when the token first had liquidity, from which early buyers are counted. It is unknown for a token older than
 * the start block.
 */
function noteFirstLiquidity(work: Work, pool: PoolRecord): void {
  if (!hasReserves(pool)) return
  for (const id of pool.baseId === null ? [pool.token0Id, pool.token1Id] : [pool.baseId]) {
    const token = tokenOf(work, id)
    if (token.firstLiquidityAt !== null || token.partial) continue
    token.firstLiquidityAt = work.block.time
    token.firstLiquidityBlock = work.block.number
    touchToken(work, token)
  }
}
