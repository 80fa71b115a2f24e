// What a pool and its tokens are worth, without an oracle: a stablecoin is one dollar; the wrapped native is priced by
// its deepest pool against a stablecoin; every other token by its deepest pool against either, all with a floor on
// what lies on the quote side, and on the base side as a share of the supply, under which nothing is priced. Liquidity is
// twice the quote side.
import { finite } from '../base/amount.ts'
import { quantityOf, valueSupply } from './balance.ts'
import { indexToken } from './new-rows.ts'
import { notePrice } from './periods.ts'
import type { PoolRecord, TokenRecord } from './rows.ts'
import { affect, need, poolOf, tokenOf, touchToken, type Work } from './working-set.ts'

/** No honest amount is worth more dollars than this; keeps sums finite. */
const MAX_USD = 1e15

/** Dollars rounded to micro-dollars, never above 10^15. */
export const toUsd = (usd: number): number => Math.round(Math.min(Math.max(finite(usd), 0), MAX_USD) * 1e6) / 1e6

/** Dollars of one whole quote token; 0: not priced. */
export const quoteUsd = (work: Work, quote: TokenRecord): number =>
  work.known.stablecoins.has(quote.address) ? 1 : quote.priceUsd

/** Whole quote tokens in a pool; 0 for a pool without a quote. */
export function quoteSide(work: Work, pool: PoolRecord): number {
  if (pool.quoteId === null) return 0
  return quantityOf(tokenOf(work, pool.quoteId), pool.quoteId === pool.token0Id ? pool.reserve0 : pool.reserve1)
}

/** Brings a pool whose reserves or price changed, and its tokens, up to date. */
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

/** Prices a token from its deepest pool, and sums its pools' liquidity. */
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
  }
  valueSupply(work, token)
  notePrice(work, token)
}

function setLiquidity(token: TokenRecord, usd: number): void {
  token.liquidityUsd = usd
  token.peakLiquidityUsd = Math.max(token.peakLiquidityUsd, usd)
}

/** A quote's pools are too many to sum: its liquidity moves by what one pool's moved. */
function shiftLiquidity(work: Work, token: TokenRecord, deltaUsd: number): void {
  if (deltaUsd === 0) return
  setLiquidity(token, Math.max(0, finite(token.liquidityUsd + deltaUsd)))
  touchToken(work, token)
  // The hour closes with it, also where nothing else of the token changed.
  affect(work, token, 0n, 0)
}

/** Whole quote tokens for one whole base token; 0: not known. */
function priceOf(pool: PoolRecord, base: TokenRecord, quote: TokenRecord): number {
  if (base.decimals === null || quote.decimals === null) return 0
  const baseIs0 = pool.baseId === pool.token0Id
  if (pool.kind === 'v3') {
    if (!pool.sqrtPriceX96) return 0
    const root = Number(pool.sqrtPriceX96) / 2 ** 96
    const raw = root * root
    return finite((baseIs0 ? raw : 1 / raw) * 10 ** (base.decimals - quote.decimals))
  }
  const baseSide = quantityOf(base, baseIs0 ? pool.reserve0 : pool.reserve1)
  const quoteAmount = quantityOf(quote, baseIs0 ? pool.reserve1 : pool.reserve0)
  return baseSide > 0 ? finite(quoteAmount / baseSide) : 0
}

/**
 * A pool with less than a ten-thousandth of the supply prices nothing: a drained pair that somebody buys the last dust of,
 * or a pool opened at any price with one side only, would make thousands of millions out of a few thousand dollars.
 */
const LEAST_SUPPLY_SHARE = 10_000n

const holdsEnough = (pool: PoolRecord, base: TokenRecord): boolean =>
  (pool.baseId === pool.token0Id ? pool.reserve0 : pool.reserve1) * LEAST_SUPPLY_SHARE >= base.supply

const hasReserves = (pool: PoolRecord): boolean => pool.reserve0 > 0n || pool.reserve1 > 0n

/** The first liquidity starts the clock of early buyers; of a token older than the start block it is not known. */
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
