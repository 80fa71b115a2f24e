// Applies what a launch venue logs that sells its tokens at pairs of its own. A pair keeps to a constant product of its reserves, of which the quote at the
// start is nobody's money: the price follows from what is left to be sold, and the liquidity is what was really paid in.

import type { Address } from '../../base/address.ts'
import { toRaw } from '../../base/amount.ts'
import type { PoolMetadata } from '../../chain/contracts/reader.ts'
import type { DecodedLog, LogOf } from '../../chain/event.ts'
import { openPool } from '../pools/pools.ts'
import { quoteSide, revalue } from '../prices/prices.ts'
import { priceRoot, toPriceRoot } from '../prices/tick-math.ts'
import type { Actor } from '../rows/events.ts'
import { noteQuoteSide } from '../rows/periods.ts'
import type { PoolRecord } from '../rows/rows.ts'
import { poolOf, type Work } from '../rows/working-set.ts'
import { swap } from './trade.ts'
import type { Deals } from './trade-settlement.ts'

/** The square of 2^96, with which a root of a ratio is that of its first number. */
const SCALE = 1n << 192n

/** Opens the pair that a venue announces; it told its first reserves before that, in the same transaction. */
export function openPair(work: Work, found: PoolMetadata & { address: Address }, logs: readonly DecodedLog[]): void {
  const pool = openPool(work, found.address, found)
  const told = logs.find((log) => log.kind === 'pair_reserves' && log.address === found.address)
  if (told?.kind !== 'pair_reserves' || told.reserve0 === 0n || told.reserve1 === 0n) return
  pool.reserve0 = told.reserve0
  pool.activeLiquidity = priceRoot(told.reserve0 * told.reserve1, SCALE)
  reprice(work, pool)
}

export function applyPairSwap(work: Work, pool: PoolRecord, log: LogOf<'pair_swap'>, actor: Actor, deals: Deals): void {
  const amount0 = log.amount0In - log.amount0Out
  const amount1 = log.amount1In - log.amount1Out
  const before = quoteSide(work, pool)
  pool.reserve0 = toRaw(pool.reserve0 + amount0)
  pool.reserve1 = toRaw(pool.reserve1 + amount1)
  noteQuoteSide(work, pool, before, quoteSide(work, pool))
  reprice(work, pool)
  swap(work, pool, { ...log, amount0, amount1 }, actor, deals)
}

/** The token graduated: its pair holds nothing more, and nobody has removed anything. */
export function closePairs(work: Work, log: LogOf<'pair_closed'>): void {
  const token = work.store.tokens.find(log.token)
  for (const id of (token && work.store.poolsOfBase.get(token.id)) ?? []) {
    const pool = poolOf(work, id)
    if (pool.kind !== 'curve' || pool.factory !== log.address) continue
    pool.reserve0 = 0n
    pool.reserve1 = 0n
    pool.sqrtPriceX96 = null
    revalue(work, pool)
  }
}

function reprice(work: Work, pool: PoolRecord): void {
  const root = pool.activeLiquidity
  pool.sqrtPriceX96 = root === null || pool.reserve0 === 0n ? null : toPriceRoot((root << 96n) / pool.reserve0)
  revalue(work, pool)
}
