// Swaps and liquidity: events, volume, and what each wallet paid and earned, by average cost.
import { type Context, type Event, ponder } from 'ponder:registry'
import { event, poolDay, position, token, tokenHour, wallet, walletWeek } from 'ponder:schema'
import { toQuantity } from './balance'
import { newPosition, newWallet } from './blank'
import { shrink, takeCost } from './cost'
import { findMarket, type TokenRow } from './pool'

type Swap = Event<'Pair:Swap'>
type Liquidity = Event<'Pair:Mint'> | Event<'Pair:Burn'>

ponder.on('Pair:Swap', async ({ event: log, context }) => {
  const market = await findMarket(context, log.log.address)
  if (!market?.base.priced) return
  const { in0, in1, out0, out1 } = log.args
  const amounts = [in0 - out0, in1 - out1] as const
  const baseIs0 = market.pool.token0 === market.base.address
  const [baseRaw, quoteRaw] = baseIs0 ? amounts : [amounts[1], amounts[0]]
  const isBuy = baseRaw < 0n
  const quantity = toQuantity(isBuy ? -baseRaw : baseRaw, market.base.decimals)
  const quote = toQuantity(quoteRaw < 0n ? -quoteRaw : quoteRaw, market.quote.decimals)
  const usd = Math.round(quote * market.quoteUsd * 1e6) / 1e6
  await insertEvent(context, log, market.base, 'swap', isBuy ? 'buy' : 'sell', quantity, usd)
  const rank = await settle(context, log, market.base, isBuy, quantity, market.quoteUsd > 0 ? usd : null)
  await context.db.update(token, { address: market.base.address }).set((row) => ({
    eventCount: row.eventCount + 1,
    swapCount: row.swapCount + 1,
    buyerCount: row.buyerCount + (rank ? 1 : 0),
  }))
  await context.db.update(tokenHour, { token: market.base.address, hour: log.block.timestamp / 3600n }).set((row) => ({
    volumeUsd: row.volumeUsd + usd,
    buyCount: row.buyCount + (isBuy ? 1 : 0),
    sellCount: row.sellCount + (isBuy ? 0 : 1),
  }))
})

/** Updates the position and the wallet; returns the rank of a first buy. */
async function settle(context: Context, log: Swap, of: TokenRow, isBuy: boolean, quantity: number, usd: number | null) {
  const trader = log.transaction.from
  const time = log.block.timestamp
  const key = { token: of.address, wallet: trader }
  const held =
    (await context.db.find(position, key)) ??
    (await context.db.insert(position).values(newPosition(of.address, trader, time)))
  const rank = isBuy && held.buyRank === null ? of.buyerCount + 1 : null
  const given = isBuy ? 0 : quantity
  const known = Math.min(given, held.costQuantity)
  const { cost, ...left } = takeCost(held, known)
  const knownUsd = known > 0 ? (usd ?? 0) * Math.min(1, known / given) : 0
  const isClosed = usd !== null && known > 0
  const realisedUsd = isClosed ? knownUsd - cost : 0
  const paid = isBuy ? (usd ?? 0) : 0
  const got = isBuy ? 0 : (usd ?? 0)
  const bought = isBuy && usd !== null ? quantity : 0
  const basis = { costQuantity: left.costQuantity + bought, costUsd: left.costUsd + paid }
  await context.db.update(position, key).set({
    ...shrink(basis, toQuantity(held.balance, of.decimals)),
    boughtUsd: held.boughtUsd + paid,
    soldUsd: held.soldUsd + got,
    soldKnownUsd: held.soldKnownUsd + knownUsd,
    realisedUsd: held.realisedUsd + realisedUsd,
    buyRank: held.buyRank ?? rank,
    lastAt: time,
    firstBuyAt: held.firstBuyAt ?? (isBuy ? time : null),
    eventCount: held.eventCount + 1,
    swapCount: held.swapCount + 1,
  })
  const age = of.firstLiquidityAt === null ? null : time - of.firstLiquidityAt
  const blocks = of.firstLiquidityBlock === null ? null : log.block.number - of.firstLiquidityBlock
  const isEarly = rank !== null && age !== null && rank <= 50 && age <= 86_400n
  const isSnipe = rank !== null && age !== null && blocks !== null && (blocks <= 3n || age <= 60n)
  const wasClosed = held.soldKnownUsd > 0 || held.realisedUsd !== 0
  await context.db.insert(wallet).values(newWallet(trader, time)).onConflictDoNothing()
  await context.db.update(wallet, { address: trader }).set((row) => {
    const realised = row.realisedUsd + realisedUsd
    const peakRealisedUsd = Math.max(row.peakRealisedUsd, realised)
    return {
      eventCount: row.eventCount + 1,
      swapCount: row.swapCount + 1,
      lastTradeAt: time,
      peakRealisedUsd,
      boughtUsd: row.boughtUsd + paid,
      soldUsd: row.soldUsd + got,
      soldKnownUsd: row.soldKnownUsd + knownUsd,
      realisedUsd: realised,
      maxDrawdownUsd: Math.max(row.maxDrawdownUsd, peakRealisedUsd - realised),
      closedCount: row.closedCount + (isClosed ? 1 : 0),
      winCount: row.winCount + (realisedUsd > 0 ? 1 : 0),
      closedTokenCount: row.closedTokenCount + (isClosed && !wasClosed ? 1 : 0),
      boughtTokenCount: row.boughtTokenCount + (rank === null ? 0 : 1),
      earlyBuyCount: row.earlyBuyCount + (isEarly ? 1 : 0),
      snipeCount: row.snipeCount + (isSnipe ? 1 : 0),
    }
  })
  if (isClosed)
    await context.db
      .insert(walletWeek)
      .values({ wallet: trader, week: time / 604800n, realisedUsd })
      .onConflictDoUpdate((row) => ({ realisedUsd: row.realisedUsd + realisedUsd }))
  return rank
}

async function provide(context: Context, log: Liquidity, type: 'liquidity_add' | 'liquidity_remove'): Promise<void> {
  const market = await findMarket(context, log.log.address)
  if (!market?.base.priced) return
  const { amount0, amount1 } = log.args
  const baseIs0 = market.pool.token0 === market.base.address
  const [baseRaw, quoteRaw] = baseIs0 ? [amount0, amount1] : [amount1, amount0]
  const quote = toQuantity(quoteRaw, market.quote.decimals)
  const usd = Math.round(2 * quote * market.quoteUsd * 1e6) / 1e6
  await insertEvent(context, log, market.base, type, null, toQuantity(baseRaw, market.base.decimals), usd)
  const name = type === 'liquidity_add' ? 'liquidityAddCount' : 'liquidityRemoveCount'
  const counted = (row: { eventCount: number; liquidityAddCount: number; liquidityRemoveCount: number }) => ({
    eventCount: row.eventCount + 1,
    [name]: row[name] + 1,
  })
  const [trader, time] = [log.transaction.from, log.block.timestamp]
  await context.db.insert(wallet).values(newWallet(trader, time)).onConflictDoNothing()
  await context.db
    .insert(position)
    .values(newPosition(market.base.address, trader, time))
    .onConflictDoNothing()
  await context.db.update(token, { address: market.base.address }).set(counted)
  await context.db.update(wallet, { address: trader }).set(counted)
  await context.db.update(position, { token: market.base.address, wallet: trader }).set(counted)
  if (type === 'liquidity_add') return
  const side = baseIs0 ? market.pool.reserve1 : market.pool.reserve0
  const before = toQuantity(side, market.quote.decimals) + quote
  await context.db.update(poolDay, { pool: market.pool.address, day: time / 86400n }).set((row) => ({
    removalCount: row.removalCount + 1,
    keptFraction: row.keptFraction * (1 - (before > 0 ? Math.min(quote / before, 1) : 0)),
    beforeRemovalQuote: row.removalCount === 0 ? before : row.beforeRemovalQuote,
  }))
}

ponder.on('Pair:Mint', ({ event: log, context }) => provide(context, log, 'liquidity_add'))
ponder.on('Pair:Burn', ({ event: log, context }) => provide(context, log, 'liquidity_remove'))

async function insertEvent(
  context: Context,
  log: Swap | Liquidity,
  of: TokenRow,
  type: string,
  direction: string | null,
  quantity: number,
  amountUsd: number,
): Promise<void> {
  await context.db.insert(event).values({
    id: log.id,
    type,
    direction,
    token: of.address,
    wallet: log.transaction.from,
    counterparty: null,
    pool: log.log.address,
    quantity,
    amountUsd,
    time: log.block.timestamp,
    block: log.block.number,
    logIndex: log.log.logIndex,
    txHash: log.transaction.hash,
  })
}
