// Aggregates per hour of a token, per day of a pool and per week of a wallet: the history that scores and charts read.
import { dayOf, hourOf, weekOf } from '../base/clock.ts'
import type { PoolDayRecord, PoolRecord, TokenHourRecord, TokenRecord, WalletRecord, WalletWeekRecord } from './rows.ts'
import { affect, type Work } from './working-set.ts'

/** The token's row of the current hour, created with the current price. */
function hourAt(work: Work, token: TokenRecord): TokenHourRecord {
  const hour = hourOf(work.block.time)
  const known = work.store.hours.get(token.id)
  const row: TokenHourRecord =
    known?.hour === hour
      ? known
      : {
          fresh: true,
          tokenId: token.id,
          hour,
          openUsd: token.priceUsd,
          highUsd: token.priceUsd,
          lowUsd: token.priceUsd,
          closeUsd: token.priceUsd,
          volumeMicroUsd: 0n,
          buyCount: 0,
          sellCount: 0,
          liquidityUsd: token.liquidityUsd,
          holderCount: token.holderCount,
        }
  work.store.hours.add(token.id, row)
  work.changes.hours.add(row)
  return row
}

/** Adds the token's new price to the hour's candle. The candle opens with its first price above zero. */
export function notePrice(work: Work, token: TokenRecord): void {
  if (!token.indexed) return
  const row = hourAt(work, token)
  const { priceUsd } = token
  if (row.openUsd === 0) row.openUsd = priceUsd
  row.highUsd = Math.max(row.highUsd, priceUsd)
  row.lowUsd = row.lowUsd === 0 ? priceUsd : Math.min(row.lowUsd, priceUsd)
  row.closeUsd = priceUsd
  affect(work, token, 0n, 0)
}

/** Sets the closing values of the token's hour at the end of a block. */
export function closeHour(work: Work, token: TokenRecord): void {
  if (!token.indexed) return
  const row = hourAt(work, token)
  row.closeUsd = token.priceUsd
  row.liquidityUsd = token.liquidityUsd
  row.holderCount = token.holderCount
}

/** Adds to the volume of the token's hour. */
export function noteVolume(work: Work, token: TokenRecord, microUsd: bigint): void {
  hourAt(work, token).volumeMicroUsd += microUsd
}

/** Counts a swap in the token's hour. */
export function noteSwap(work: Work, token: TokenRecord, isBuy: boolean, microUsd: bigint): void {
  const row = hourAt(work, token)
  row.volumeMicroUsd += microUsd
  if (isBuy) row.buyCount += 1
  else row.sellCount += 1
}

/** Records a change of the pool's quote side, in whole quote tokens, in its day. */
export function noteQuoteSide(work: Work, pool: PoolRecord, before: number, after: number): void {
  if (before === after) return
  dayAt(work, pool, before).closeQuote = after
}

/** Records a removal of liquidity in the pool's day: `taken` of `before` whole quote tokens. */
export function noteRemoval(work: Work, pool: PoolRecord, before: number, taken: number, now: number): void {
  const row = dayAt(work, pool, before)
  if (row.removalCount === 0) row.beforeRemovalQuote = before
  row.removalCount += 1
  row.keptFraction *= 1 - (before > 0 ? Math.min(taken / before, 1) : 0)
  row.closeQuote = now
}

function dayAt(work: Work, pool: PoolRecord, openQuote: number): PoolDayRecord {
  const day = dayOf(work.block.time)
  const known = work.store.days.get(pool.id)
  const row: PoolDayRecord =
    known?.day === day
      ? known
      : {
          fresh: true,
          poolId: pool.id,
          day,
          openQuote,
          closeQuote: openQuote,
          keptFraction: 1,
          removalCount: 0,
          beforeRemovalQuote: 0,
        }
  work.store.days.add(pool.id, row)
  work.changes.days.add(row)
  return row
}

/** Adds realised dollars to the wallet's week. */
export function noteRealised(work: Work, wallet: WalletRecord, usd: number): void {
  const week = weekOf(work.block.time)
  const known = work.store.weeks.get(wallet.id)
  const row: WalletWeekRecord =
    known?.week === week ? known : { fresh: true, walletId: wallet.id, week, realisedUsd: 0 }
  row.realisedUsd += usd
  work.store.weeks.add(wallet.id, row)
  work.changes.weeks.add(row)
}
