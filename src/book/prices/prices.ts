// Prices tokens and values pools, without an oracle. A stablecoin is worth one dollar; the wrapped native is priced by
// its pools against stablecoins; any other token by its pools against either (fair-price.ts). A pool prices nothing if
// its quote side is below a minimum in dollars, or its base side below a minimum share of the supply.
import { finite, toUsd } from '../../base/amount.ts'
import { hasOwnCurve } from '../../chain/exchanges/hooks.ts'
import { valueSupply } from '../balances/balance.ts'
import { quantityOf } from '../rows/circulating.ts'
import { indexToken, isOlder } from '../rows/new-rows.ts'
import { LEAST_SUPPLY_SHARE } from '../rows/payable.ts'
import { notePrice } from '../rows/periods.ts'
import { findQuote, hopDepth, keepPlace, leadsOn, mostUsd, noteHops, quoteUsd } from '../rows/quotes.ts'
import type { PoolRecord, TokenRecord } from '../rows/rows.ts'
import { effectOn, need, poolOf, tokenOf, touchToken, type Work } from '../rows/working-set.ts'
import { type FairPrice, fairPrice, type Quotation } from './fair-price.ts'
import { depthOf, type PoolSides, worthOf } from './pool-depth.ts'
import { stablePrice } from './stable-curve.ts'

/** Whole quote tokens in a pool; 0 for a pool without a quote. */
export function quoteSide(work: Work, pool: PoolRecord): number {
  if (pool.quoteId === null) return 0
  return quantityOf(tokenOf(work, pool.quoteId), pool.quoteId === pool.token0Id ? pool.reserve0 : pool.reserve1)
}

/** Updates the values of a pool whose reserves or price changed, and of its tokens. Returns its quote side, in whole tokens. */
export function revalue(work: Work, pool: PoolRecord): number {
  pool.updatedBlock = work.block.number
  work.changes.pools.add(pool)
  noteFirstLiquidity(work, pool)
  if (pool.baseId === null) findQuote(work, pool)
  if (pool.baseId === null || pool.quoteId === null) return 0
  const base = tokenOf(work, pool.baseId)
  const quote = tokenOf(work, pool.quoteId)
  const usd = quoteUsd(work, quote)
  const sides = sidesOf(pool, base, quote)
  pool.price = priceOf(pool, base, quote, sides)
  sides.price = pool.price
  const before = pool.liquidityUsd
  pool.depth2PctUsd = toUsd(Math.min(depthOf(sides) * usd, hopDepth(work, quote)))
  pool.liquidityUsd = toUsd(Math.min(worthOf(sides) * usd, mostUsd(work, quote)))
  pool.peakLiquidityUsd = Math.max(pool.peakLiquidityUsd, pool.liquidityUsd)
  if (usd > 0 && hasReserves(pool)) {
    indexToken(work, base)
    indexToken(work, quote)
  }
  if (work.known.quoteRank.has(quote.address)) shiftLiquidity(work, quote, pool.liquidityUsd - before)
  if (work.known.quoteRank.has(base.address)) shiftLiquidity(work, base, pool.liquidityUsd - before)
  price(work, base, pool, sides)
  return sides.quote
}

/** Prices a token from its pools, and sums their liquidity. `known`: the sides of the pool that changed. */
function price(work: Work, token: TokenRecord, changed: PoolRecord, known: PoolSides): void {
  const quotations: Quotation[] = []
  let liquidityUsd = 0
  for (const id of need(work.store.poolsOfBase.get(token.id), 'pools of token', token.id)) {
    const pool = id === changed.id ? changed : poolOf(work, id)
    if (pool.quoteId === null) continue
    const quote = tokenOf(work, pool.quoteId)
    const unit = quoteUsd(work, quote)
    const sides = pool === changed ? known : sidesOf(pool, token, quote)
    const most = mostUsd(work, quote)
    liquidityUsd += Math.min(finite(worthOf(sides) * unit), most)
    const side = Math.min(finite(sides.quote * unit), most)
    const usd = leadsOn(work, token, quote) ? finite(sides.price * unit) : 0
    // A curve sells and buys back at its price, however little was raised, and only its venue can make one.
    const isThin = side < work.known.minPoolDepthUsd || !holdsEnough(pool, token)
    if (usd === 0 || (isThin && pool.kind !== 'curve')) continue
    quotations.push({
      poolId: id,
      usd,
      quoteUsd: side,
      base: sides.base,
      depthUsd: Math.min(finite(depthOf(sides) * unit), hopDepth(work, quote)),
    })
  }
  const fair = token.decimals === null ? null : fairPrice(quotations, token.priceUsd)
  token.poolId = fair?.poolId ?? null
  token.depth2PctUsd = toUsd(fair?.depthUsd ?? 0)
  token.pricePoolCount = fair?.poolCount ?? 0
  token.priceOutlierShare = fair?.outlierShare ?? 0
  token.pricedAt = work.block.time
  token.oldestPricedAt = work.block.time
  if (!work.known.quoteRank.has(token.address)) setLiquidity(token, toUsd(liquidityUsd))
  if (!work.known.stablecoins.has(token.address)) {
    const before = token.priceUsd
    token.priceUsd = finite(fair?.usd ?? 0)
    keepPlace(work, token, before)
    const deepest = fair && token.priceUsd > 0 ? poolOf(work, fair.poolId) : null
    token.quoteId = deepest?.quoteId ?? null
    token.priceQuote = deepest && fair ? inQuote(work, deepest, fair) : null
    noteHops(work, token, deepest)
  }
  valueSupply(work, token)
  notePrice(work, token)
}

/** The price in whole tokens of the deepest pool's quote. */
function inQuote(work: Work, { quoteId, price: alone }: PoolRecord, { usd, poolCount }: FairPrice): number {
  const unit = quoteId === null ? 0 : quoteUsd(work, tokenOf(work, quoteId))
  return poolCount > 1 && unit > 0 ? finite(usd / unit) : alone
}

function setLiquidity(token: TokenRecord, usd: number): void {
  token.liquidityUsd = usd
  token.peakLiquidityUsd = Math.max(token.peakLiquidityUsd, usd)
}

/** A quote token has too many pools to sum, so its liquidity changes by the change of one pool. */
function shiftLiquidity(work: Work, token: TokenRecord, deltaUsd: number): void {
  if (deltaUsd === 0) return
  setLiquidity(token, toUsd(token.liquidityUsd + deltaUsd))
  touchToken(work, token)
  // The hour's candle closes with this liquidity, also if nothing else of the token changed.
  effectOn(work, token)
}

/** The value of the pool's sides, at the pool's last price; 0 for a token without decimals. */
function sidesOf(pool: PoolRecord, base: TokenRecord, quote: TokenRecord): PoolSides {
  const baseIs0 = pool.baseId === pool.token0Id
  const isRanged = pool.kind !== 'v2'
  return {
    quote: quantityOf(quote, baseIs0 ? pool.reserve1 : pool.reserve0),
    // The tokens left for sale in a curve are no liquidity: nobody paid for them.
    base: pool.kind === 'curve' ? 0 : quantityOf(base, baseIs0 ? pool.reserve0 : pool.reserve1),
    price: pool.price,
    active: isRanged ? activeQuote(pool, baseIs0, quote) : null,
    isRanged,
    isStable: pool.stable,
  }
}

/** Active liquidity times the root of the price: the quote of a constant-product pool of the same depth. */
function activeQuote(pool: PoolRecord, baseIs0: boolean, quote: TokenRecord): number | null {
  if (pool.activeLiquidity === null || !pool.sqrtPriceX96 || quote.decimals === null) return null
  const root = Number(pool.sqrtPriceX96) / 2 ** 96
  return finite((Number(pool.activeLiquidity) * (baseIs0 ? root : 1 / root)) / 10 ** quote.decimals)
}

/** Whole quote tokens per whole base token; 0 if unknown. */
function priceOf(
  pool: PoolRecord,
  base: TokenRecord,
  quote: TokenRecord,
  held: Pick<PoolSides, 'quote' | 'base'>,
): number {
  if (base.decimals === null || quote.decimals === null) return 0
  const baseIs0 = pool.baseId === pool.token0Id
  if (hasOwnCurve(pool.hookRights)) return 0
  if (pool.kind !== 'v2') {
    if (!pool.sqrtPriceX96) return 0
    const root = Number(pool.sqrtPriceX96) / 2 ** 96
    const raw = root * root
    return finite((baseIs0 ? raw : 1 / raw) * 10 ** (base.decimals - quote.decimals))
  }
  if (pool.stable) return finite(stablePrice(held.base, held.quote))
  return held.base > 0 ? finite(held.quote / held.base) : 0
}

/**
 * Whether the pool has enough of the supply to price it. Otherwise a drained pair, or a pool opened one-sided at any
 * price, could turn a few thousand dollars into a market cap of billions.
 */
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
    if (token.firstLiquidityAt !== null || isOlder(work, token)) continue
    token.firstLiquidityAt = work.block.time
    token.firstLiquidityBlock = work.block.number
    touchToken(work, token)
  }
}
