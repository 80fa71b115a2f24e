// Applies the logs of pools of coins (Curve, Balancer, LFJ, Maverick, Fluid, Infinity's bins). Assay does not compute
// their formulas. The price is that of the last trade. The reserves are the pool's balances, the sum of its manager's
// logs, or unknown.

import { type Address, ZERO_ADDRESS } from '../../base/address.ts'
import { toRaw } from '../../base/amount.ts'
import { isPairKey, pairKey } from '../../chain/contracts/coin-pool.ts'
import type { LogOf } from '../../chain/event.ts'
import { hasManyCoins, hasOwnCurve } from '../../chain/exchanges/hooks.ts'
import { coinReserves, followBalances, keepsTokens } from '../pools/pools.ts'
import { quoteSide, revalue } from '../prices/prices.ts'
import { priceRoot } from '../prices/tick-math.ts'
import type { Known } from '../rows/known.ts'
import { noteQuoteSide } from '../rows/periods.ts'
import type { PoolRecord } from '../rows/rows.ts'
import { tokenOf, type Work } from '../rows/working-set.ts'
import { liquidity, swap } from '../trades/trade.ts'
import type { LogHandlers } from './handler.ts'
import { scanPool } from './scan.ts'
import { actorOf, poolOfKind, type Scene } from './scene.ts'

type Swap = LogOf<'coins_swap'>
type Change = LogOf<'coins_change'>

/** Amounts below this many raw units are rounded too much to give a price. */
const LEAST_PRICED = 1000n

/** The keys of the two coins of a trade, for a pool with more than two; null if the log has none. */
function pairOfMany({ wrappedNative }: Known, log: Swap): Address | null {
  const pool = log.pool ?? log.address
  const { coinIn, coinOut, tokenIn, tokenOut } = log
  if (coinIn !== null && coinOut !== null) return coinIn + coinOut > 1 ? pairKey(pool, coinIn, coinOut) : null
  if (tokenIn === null || tokenOut === null) return null
  const [first, second] = [tokenIn, tokenOut].map((token) => (token === ZERO_ADDRESS ? wrappedNative : token))
  return first && second ? pairKey(pool, first, second) : null
}

export const COIN_LOGS: LogHandlers<'coins_swap' | 'coins_change'> = {
  coins_swap: {
    legs: 'pool',
    isSwap: true,
    scan: (found, log, { known, traders }) => {
      const pair = pairOfMany(known, log)
      found.wallets.add(log.address)
      scanPool(found, log.pool ?? log.address, traders)
      if (pair) scanPool(found, pair, traders)
    },
    apply: trade,
  },
  coins_change: {
    legs: 'pool',
    scan: (found, log, { traders }) => {
      found.wallets.add(log.address)
      scanPool(found, log.pool ?? log.address, traders)
    },
    apply: change,
  },
}

/** A trade of underlying coins is no trade of this pool itself: the base pool logs its part. */
function trade(work: Work, log: Swap, scene: Scene): void {
  const pool = tradedPool(work, log)
  if (!pool) return
  const token0 = tokenOf(work, pool.token0Id).address
  const sellsFirst = log.tokenIn === null ? (log.coinIn ?? 0) < (log.coinOut ?? 0) : log.tokenIn === token0
  const actor = actorOf(work, scene, { log, pool, sellsFirst })
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
  swap(work, { log, pool, amount0, amount1, actor }, scene.doings.deals)
}

/** The pool's row; of a pool of many coins the row of the two traded ones. */
function tradedPool(work: Work, log: Swap): PoolRecord | null {
  const pool = poolOfKind(work, log.pool ?? log.address, 'coins')
  if (!pool || !hasManyCoins(pool.hookRights)) return pool
  const key = pairOfMany(work.known, log)
  return (key && work.store.pools.find(key)) ?? pool
}

/** A change of liquidity of a pool of many coins is no event, because each of its rows covers only two coins. */
function change(work: Work, log: Change, scene: Scene): void {
  const pool = poolOfKind(work, log.pool ?? log.address, 'coins')
  if (!pool) return
  const actor = actorOf(work, scene, { log, pool, sellsFirst: null })
  if (hasManyCoins(pool.hookRights)) return
  const [amount0, amount1] = amountsOf(work, pool, log, log.amounts)
  const [fee0, fee1] = amountsOf(work, pool, log, log.fees)
  shift(work, pool, amount0 - fee0, amount1 - fee1)
  const isAdd = amount0 >= 0n && amount1 >= 0n
  // One coin came in and the other went out: neither an addition nor a removal.
  if (!isAdd && (amount0 > 0n || amount1 > 0n)) return
  const changed = { log, pool, isAdd, amount0: isAdd ? amount0 : -amount0, amount1: isAdd ? amount1 : -amount1 }
  liquidity(work, { ...changed, shares: null, actor, holder: actor.wallet, position: null }, scene.doings)
}

/** The indexes of the two coins in the row. */
const placesOf = ({ address }: PoolRecord, { coinIn, coinOut }: Swap): [number | null, number | null] =>
  isPairKey(address) && coinIn !== null && coinOut !== null
    ? [Number(coinIn > coinOut), Number(coinOut > coinIn)]
    : [coinIn, coinOut]

/** The index of the pool's coin; null for another one. */
function placeOf(work: Work, pool: PoolRecord, coin: number | null, token: string | null): 0 | 1 | null {
  if (coin !== null) return coin === 0 || coin === 1 ? coin : null
  if (token === tokenOf(work, pool.token0Id).address) return 0
  return token === tokenOf(work, pool.token1Id).address ? 1 : null
}

/** The amounts of the two coins in a list: in the order of the pool, or by the coin in the log. */
function amountsOf(work: Work, pool: PoolRecord, { coins }: Change, list: readonly bigint[]): [bigint, bigint] {
  if (coins.length === 0) return [list[0] ?? 0n, list[1] ?? 0n]
  const amountOf = (id: number) => list[coins.indexOf(tokenOf(work, id).address)] ?? 0n
  return [amountOf(pool.token0Id), amountOf(pool.token1Id)]
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
