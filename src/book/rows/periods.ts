// Aggregates per minute, five minutes and hour of a token, per day of a pool and per week of a wallet. Scores and charts
// read them as history.
import { dayOf, fiveMinutesOf, hourOf, minuteOf, weekOf } from '../../base/clock.ts'
import type { Cache } from './cache.ts'
import { circulatingOf } from './circulating.ts'
import {
  type CandleRecord,
  newCandle,
  newPoolDay,
  newWalletDay,
  newWalletWeek,
  type PoolDayRecord,
  type PoolRecord,
  type TokenRecord,
  type WalletDayRecord,
  type WalletRecord,
} from './rows.ts'
import { type Effect, effectOn, newEffect, type Work } from './working-set.ts'

/** The token's candles of the current minute, five minutes and hour, found once a block. */
function candlesOf(work: Work, token: TokenRecord, effect: Effect): readonly CandleRecord[] {
  effect.candles ??= [
    candleAt(token, minuteOf(work.block.time), work.store.minutes, work.changes.minutes),
    candleAt(token, fiveMinutesOf(work.block.time), work.store.fiveMinutes, work.changes.fiveMinutes),
    candleAt(token, hourOf(work.block.time), work.store.hours, work.changes.hours),
  ]
  return effect.candles
}

/** The token's candle of a period, created with the current price. */
function candleAt(
  token: TokenRecord,
  period: number,
  store: Cache<CandleRecord>,
  changes: Set<CandleRecord>,
): CandleRecord {
  const known = store.get(token.id)
  const candle = known?.period === period ? known : openCandle(token, period)
  if (candle !== known) store.add(token.id, candle)
  changes.add(candle)
  return candle
}

function openCandle(token: TokenRecord, period: number): CandleRecord {
  const candle = newCandle()
  candle.tokenId = token.id
  candle.period = period
  candle.openUsd = token.priceUsd
  candle.highUsd = token.priceUsd
  candle.lowUsd = token.priceUsd
  candle.closeUsd = token.priceUsd
  candle.liquidityUsd = token.liquidityUsd
  candle.holderCount = token.holderCount
  candle.quoteId = token.quoteId
  candle.openQuote = token.priceQuote
  candle.highQuote = token.priceQuote
  candle.lowQuote = token.priceQuote
  candle.closeQuote = token.priceQuote
  return candle
}

/** Adds the token's new price to its candles. A candle opens with its first price above zero. */
export function notePrice(work: Work, token: TokenRecord): void {
  if (!token.indexed) return
  const { priceUsd } = token
  for (const candle of candlesOf(work, token, effectOn(work, token))) {
    if (candle.openUsd === 0) candle.openUsd = priceUsd
    candle.highUsd = Math.max(candle.highUsd, priceUsd)
    candle.lowUsd = candle.lowUsd === 0 ? priceUsd : Math.min(candle.lowUsd, priceUsd)
    candle.closeUsd = priceUsd
    noteQuotePrice(candle, token)
  }
}

/**
 * As above, in its quote. With the first price in another quote the candle begins anew, because prices in two quotes
 * cannot be compared.
 */
function noteQuotePrice(candle: CandleRecord, { quoteId, priceQuote }: TokenRecord): void {
  if (priceQuote !== null && (candle.quoteId !== quoteId || candle.openQuote === null)) {
    candle.quoteId = quoteId
    candle.openQuote = priceQuote
    candle.highQuote = priceQuote
    candle.lowQuote = priceQuote
  } else if (priceQuote !== null) {
    candle.highQuote = Math.max(candle.highQuote ?? priceQuote, priceQuote)
    candle.lowQuote = Math.min(candle.lowQuote ?? priceQuote, priceQuote)
  }
  candle.closeQuote = priceQuote
}

/** Adds the block's changes to the token's candles, and sets their closing values, at its end. */
export function closeCandles(work: Work, token: TokenRecord, effect: Effect): void {
  if (!token.indexed) return
  for (const candle of candlesOf(work, token, effect)) {
    if (effect.volumeMicroUsd > 0n) candle.volumeMicroUsd += effect.volumeMicroUsd
    candle.buyCount += effect.buyCount
    candle.sellCount += effect.sellCount
    if (effect.buyMicroUsd > 0n) candle.buyVolumeMicroUsd += effect.buyMicroUsd
    if (effect.sellMicroUsd > 0n) candle.sellVolumeMicroUsd += effect.sellMicroUsd
    candle.closeUsd = token.priceUsd
    candle.liquidityUsd = token.liquidityUsd
    candle.holderCount = token.holderCount
    closeSupply(candle, token)
  }
}

function closeSupply(candle: CandleRecord, token: TokenRecord): void {
  candle.circulating = circulatingOf(token)
  candle.marketCapUsd = token.priceUsd > 0 ? token.marketCapUsd : null
}

/** Has the token's candles close with a supply that its contract told after the block's logs. */
export function noteToldSupply(work: Work, token: TokenRecord): void {
  if (!token.indexed) return
  for (const candle of candlesOf(work, token, newEffect())) closeSupply(candle, token)
}

/** Adds to the volume of an indexed token. Its candles open with the price of this moment, if they are new. */
export function noteVolume(work: Work, token: TokenRecord, microUsd: bigint): Effect {
  const effect = effectOn(work, token)
  effect.volumeMicroUsd += microUsd
  candlesOf(work, token, effect)
  return effect
}

/** Counts a swap of an indexed token. */
export function noteSwap(work: Work, token: TokenRecord, isBuy: boolean, microUsd: bigint): void {
  const effect = noteVolume(work, token, microUsd)
  if (isBuy) {
    effect.buyCount += 1
    effect.buyMicroUsd += microUsd
  } else {
    effect.sellCount += 1
    effect.sellMicroUsd += microUsd
  }
}

/** Records a change of the pool's quote side, in whole quote tokens, in its day. */
export function noteQuoteSide(work: Work, pool: PoolRecord, before: number, after: number): void {
  if (before === after) return
  dayAt(work, pool, before).closeQuote = after
}

/** Records a removal of liquidity in the pool's day: `taken` of `before` whole quote tokens. */
export function noteRemoval(
  work: Work,
  pool: PoolRecord,
  { before, taken, now }: { before: number; taken: number; now: number },
): { keptBefore: number; firstBefore: number } {
  const row = dayAt(work, pool, before)
  if (row.removalCount === 0) row.beforeRemovalQuote = before
  const keptBefore = row.keptFraction
  row.removalCount += 1
  row.keptFraction *= 1 - (before > 0 ? Math.min(taken / before, 1) : 0)
  row.closeQuote = now
  return { keptBefore, firstBefore: row.beforeRemovalQuote }
}

function dayAt(work: Work, pool: PoolRecord, openQuote: number): PoolDayRecord {
  const day = dayOf(work.block.time)
  const known = work.store.days.get(pool.id)
  const opened = { poolId: pool.id, day, openQuote, closeQuote: openQuote }
  const row = known?.day === day ? known : Object.assign(newPoolDay(), opened)
  if (row !== known) work.store.days.add(pool.id, row)
  work.changes.days.add(row)
  return row
}

/** Adds realised dollars to the wallet's week and day. */
export function noteRealised(work: Work, wallet: WalletRecord, usd: number): void {
  const week = weekOf(work.block.time)
  const known = work.store.weeks.get(wallet.id)
  const row = known?.week === week ? known : Object.assign(newWalletWeek(), { walletId: wallet.id, week })
  row.realisedUsd += usd
  if (row !== known) work.store.weeks.add(wallet.id, row)
  work.changes.weeks.add(row)
  walletDayAt(work, wallet).realisedUsd += usd
}

/** Counts a closed position in the wallet's day. */
export function noteClosed(work: Work, wallet: WalletRecord, resultUsd: number): void {
  const row = walletDayAt(work, wallet)
  row.closedCount += 1
  if (resultUsd > 0) row.winCount += 1
}

function walletDayAt(work: Work, wallet: WalletRecord): WalletDayRecord {
  const day = dayOf(work.block.time)
  const known = work.store.walletDays.get(wallet.id)
  const row = known?.day === day ? known : Object.assign(newWalletDay(), { walletId: wallet.id, day })
  if (row !== known) work.store.walletDays.add(wallet.id, row)
  work.changes.walletDays.add(row)
  return row
}
