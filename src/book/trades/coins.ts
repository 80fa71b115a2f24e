// Applies what pools of coins log (Curve, Balancer, LFJ, Maverick, Fluid, Infinity's bins). Their formulas are not ours: the price is
// that of the last trade, and the reserves are the pool's balances, or what its manager's logs add up to, or unknown.

import { type Address, ZERO_ADDRESS } from '../../base/address.ts'
import { toRaw } from '../../base/amount.ts'
import { isPairKey, pairKey } from '../../chain/contracts/coin-pool.ts'
import type { LogOf } from '../../chain/event.ts'
import { hasManyCoins, hasOwnCurve } from '../../chain/exchanges/hooks.ts'
import { coinReserves, followBalances, keepsTokens, poolAt } from '../pools/pools.ts'
import { quoteSide, revalue } from '../prices/prices.ts'
import { priceRoot } from '../prices/tick-math.ts'
import type { Actor } from '../rows/events.ts'
import type { Known } from '../rows/known.ts'
import { noteQuoteSide } from '../rows/periods.ts'
import type { PoolRecord } from '../rows/rows.ts'
import { tokenOf, type Work } from '../rows/working-set.ts'
import { liquidity, swap } from './trade.ts'
import type { Doings } from './trade-settlement.ts'

type Swap = LogOf<'coins_swap'>
type Change = LogOf<'coins_change'>

/** Amounts below this many raw units are rounded too much to tell a price. */
const LEAST_PRICED = 1000n

/** What the two coins of a trade are known by, if the pool turns out to have more than two; null where the log does not tell. */
export function pairOfMany({ wrappedNative }: Known, log: Swap): Address | null {
  const pool = log.pool ?? log.address
  const { coinIn, coinOut, tokenIn, tokenOut } = log
  if (coinIn !== null && coinOut !== null) return coinIn + coinOut > 1 ? pairKey(pool, coinIn, coinOut) : null
  if (tokenIn === null || tokenOut === null) return null
  const [first, second] = [tokenIn, tokenOut].map((token) => (token === ZERO_ADDRESS ? wrappedNative : token))
  return first && second ? pairKey(pool, first, second) : null
}

/** The row that a log is about: of a pool of many coins that of the two that were traded. */
export function coinsAt(work: Work, log: Swap | Change): PoolRecord | null {
  const pool = poolAt(work, log.pool ?? log.address)
  if (pool?.kind !== 'coins') return null
  if (!hasManyCoins(pool.hookRights) || log.kind === 'coins_change') return pool
  const key = pairOfMany(work.known, log)
  return (key && work.store.pools.find(key)) ?? pool
}

export function applyCoins(work: Work, pool: PoolRecord, log: Swap | Change, actor: Actor, doings: Doings): void {
  if (log.kind === 'coins_swap') coinsSwap(work, pool, log, actor, doings)
  else coinsChange(work, pool, log, actor, doings)
}

/** A trade of underlying coins is no trade of this pool's own: the pool below it logs its part. */
function coinsSwap(work: Work, pool: PoolRecord, log: Swap, actor: Actor, { deals }: Doings): void {
  const [coinIn, coinOut] = placesOf(pool, log)
  const into = placeOf(work, pool, coinIn, log.tokenIn)
  const from = placeOf(work, pool, coinOut, log.tokenOut)
  if (log.isUnderlying || into === null || from === null || into === from) return
  const { amountIn, amountOut } = log
  if (amountIn < 0n || amountOut < 0n) return
  const [amount0, amount1] = into === 0 ? [amountIn, -amountOut] : [-amountOut, amountIn]
  const priced = amountIn - (log.fee ?? 0n)
  if (priced >= LEAST_PRICED && amountOut >= LEAST_PRICED)
    pool.sqrtPriceX96 = into === 0 ? priceRoot(amountOut, priced) : priceRoot(priced, amountOut)
  shift(work, pool, amount0, amount1)
  swap(work, pool, { ...log, amount0, amount1 }, actor, deals)
}

/** What goes into a pool of many coins, or leaves it, is no event: its rows are about two coins each. */
function coinsChange(work: Work, pool: PoolRecord, log: Change, actor: Actor, doings: Doings): void {
  if (hasManyCoins(pool.hookRights)) return
  const [amount0, amount1] = [0, 1].map((place) => amountAt(work, pool, log, log.amounts, place)) as [bigint, bigint]
  const [fee0, fee1] = [0, 1].map((place) => amountAt(work, pool, log, log.fees, place)) as [bigint, bigint]
  shift(work, pool, amount0 - fee0, amount1 - fee1)
  const isAdd = amount0 >= 0n && amount1 >= 0n
  // One coin came in and the other went out: neither an addition nor a removal.
  if (!isAdd && (amount0 > 0n || amount1 > 0n)) return
  const change = { log, isAdd, amount0: isAdd ? amount0 : -amount0, amount1: isAdd ? amount1 : -amount1 }
  liquidity(work, pool, { ...change, shares: null, holder: actor.wallet, position: null }, actor, doings)
}

/** The places of the two coins in the row. */
const placesOf = ({ address }: PoolRecord, { coinIn, coinOut }: Swap): [number | null, number | null] =>
  isPairKey(address) && coinIn !== null && coinOut !== null
    ? [Number(coinIn > coinOut), Number(coinOut > coinIn)]
    : [coinIn, coinOut]

/** Which of the pool's two coins it is; null for another. */
function placeOf(work: Work, pool: PoolRecord, coin: number | null, token: string | null): 0 | 1 | null {
  if (coin !== null) return coin === 0 || coin === 1 ? coin : null
  if (token === tokenOf(work, pool.token0Id).address) return 0
  return token === tokenOf(work, pool.token1Id).address ? 1 : null
}

/** What a list says of a coin: in the order of the pool, or where the log names the coin. */
function amountAt(work: Work, pool: PoolRecord, { coins }: Change, list: readonly bigint[], place: number): bigint {
  if (coins.length === 0) return list[place] ?? 0n
  const { address } = tokenOf(work, place === 0 ? pool.token0Id : pool.token1Id)
  return list[coins.indexOf(address)] ?? 0n
}

/** Brings the reserves up to date, which never go below zero. */
function shift(work: Work, pool: PoolRecord, change0: bigint, change1: bigint): void {
  const before = quoteSide(work, pool)
  if (keepsTokens(work.known, pool)) followBalances(work, pool)
  else if (!hasOwnCurve(pool.hookRights) && coinReserves(work.known, pool) === 'counted') {
    pool.reserve0 = toRaw(pool.reserve0 + change0)
    pool.reserve1 = toRaw(pool.reserve1 + change1)
  }
  noteQuoteSide(work, pool, before, quoteSide(work, pool))
  revalue(work, pool)
}
