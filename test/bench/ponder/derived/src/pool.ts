// Pools: reserves, prices in USD through the wrapped native coin and the stablecoins, hourly candles, days.
import { type Context, type Event, ponder } from 'ponder:registry'
import { pool, poolDay, token, tokenHour } from 'ponder:schema'
import type { Hex } from 'viem'
import { MIN_POOL_DEPTH_USD, STABLECOINS, wethAddress } from '../../chain'
import { toQuantity } from './balance'

/** Rank of a token as quote: a stablecoin before the wrapped native coin; other tokens are no quotes. */
function rank(address: Hex): number {
  return STABLECOINS.has(address) ? 2 : address === wethAddress ? 1 : 0
}

ponder.on('Factory:PairCreated', async ({ event: log, context }) => {
  const { token0, token1, pair } = log.args
  const [first, second] = [rank(token0), rank(token1)]
  const quote = first === second ? null : first > second ? token0 : token1
  await context.db.insert(pool).values({
    address: pair,
    token0,
    token1,
    quote,
    base: quote === null ? null : quote === token0 ? token1 : token0,
    reserve0: 0n,
    reserve1: 0n,
    price: 0,
    liquidityUsd: 0,
    peakLiquidityUsd: 0,
    createdAt: log.block.timestamp,
  })
})

export type PoolRow = typeof pool.$inferSelect
export type TokenRow = typeof token.$inferSelect

/** A pool with its tokens, and the USD price of one quote token; null when it is no pool or has no quote. */
export async function findMarket(context: Context, address: Hex) {
  const found = await context.db.find(pool, { address })
  if (!found?.base || !found.quote) return null
  const [base, quote] = await Promise.all([
    context.db.find(token, { address: found.base }),
    context.db.find(token, { address: found.quote }),
  ])
  if (!base || !quote) return null
  return { pool: found, base, quote, quoteUsd: STABLECOINS.has(quote.address) ? 1 : quote.priceUsd }
}

ponder.on('Pair:Sync', async ({ event: log, context }) => {
  const market = await findMarket(context, log.log.address)
  if (!market) return
  const { base, quote, quoteUsd } = market
  const { reserve0, reserve1 } = log.args
  const baseIs0 = market.pool.token0 === base.address
  const [baseRaw, quoteRaw] = baseIs0 ? [reserve0, reserve1] : [reserve1, reserve0]
  const [baseSide, quoteSide] = [toQuantity(baseRaw, base.decimals), toQuantity(quoteRaw, quote.decimals)]
  const price = baseSide > 0 ? quoteSide / baseSide : 0
  const liquidityUsd = 2 * quoteSide * quoteUsd
  const shift = liquidityUsd - market.pool.liquidityUsd
  await context.db.update(pool, { address: market.pool.address }).set({
    reserve0,
    reserve1,
    price,
    liquidityUsd,
    peakLiquidityUsd: Math.max(market.pool.peakLiquidityUsd, liquidityUsd),
  })
  const deepest = await findDeepest(context, base, { address: market.pool.address, depth: liquidityUsd / 2 })
  const isDeep = baseRaw * 10_000n >= base.supply && liquidityUsd / 2 >= MIN_POOL_DEPTH_USD
  const priceUsd = !deepest ? base.priceUsd : isDeep ? price * quoteUsd : 0
  const total = Math.max(0, base.liquidityUsd + shift)
  const priced = await context.db.update(token, { address: base.address }).set({
    priceUsd,
    liquidityUsd: total,
    peakLiquidityUsd: Math.max(base.peakLiquidityUsd, total),
    pool: deepest ? market.pool.address : base.pool,
    priced: base.priced || quoteUsd > 0,
    marketCapUsd: priceUsd * toQuantity(base.supply - base.burned, base.decimals),
    firstLiquidityAt: base.firstLiquidityAt ?? log.block.timestamp,
    firstLiquidityBlock: base.firstLiquidityBlock ?? log.block.number,
  })
  await context.db.update(token, { address: quote.address }).set((row) => {
    const shifted = Math.max(0, row.liquidityUsd + shift)
    const peakLiquidityUsd = Math.max(row.peakLiquidityUsd, shifted)
    return { liquidityUsd: shifted, peakLiquidityUsd, priced: row.priced || quoteUsd > 0 }
  })
  await noteHour(context, log, priced)
  await noteDay(
    context,
    log,
    toQuantity(baseIs0 ? market.pool.reserve1 : market.pool.reserve0, quote.decimals),
    quoteSide,
  )
})

/** Whether this pool is the token's deepest. */
async function findDeepest(context: Context, base: TokenRow, own: { address: Hex; depth: number }): Promise<boolean> {
  if (base.pool === null || base.pool === own.address) return true
  const other = await context.db.find(pool, { address: base.pool })
  return own.depth > (other?.liquidityUsd ?? 0) / 2
}

async function noteHour(context: Context, log: Event<'Pair:Sync'>, { address, ...row }: TokenRow): Promise<void> {
  const { priceUsd, liquidityUsd, holderCount } = row
  await context.db
    .insert(tokenHour)
    .values({
      token: address,
      hour: log.block.timestamp / 3600n,
      openUsd: priceUsd,
      highUsd: priceUsd,
      lowUsd: priceUsd,
      closeUsd: priceUsd,
      volumeUsd: 0,
      buyCount: 0,
      sellCount: 0,
      liquidityUsd,
      holderCount,
    })
    .onConflictDoUpdate((hour) => ({
      openUsd: hour.openUsd === 0 ? priceUsd : hour.openUsd,
      highUsd: Math.max(hour.highUsd, priceUsd),
      lowUsd: hour.lowUsd === 0 ? priceUsd : Math.min(hour.lowUsd, priceUsd),
      closeUsd: priceUsd,
      liquidityUsd,
      holderCount,
    }))
}

async function noteDay(context: Context, log: Event<'Pair:Sync'>, before: number, now: number): Promise<void> {
  await context.db
    .insert(poolDay)
    .values({
      pool: log.log.address,
      day: log.block.timestamp / 86400n,
      openQuote: before,
      closeQuote: now,
      keptFraction: 1,
      removalCount: 0,
      beforeRemovalQuote: 0,
    })
    .onConflictDoUpdate({ closeQuote: now })
}
