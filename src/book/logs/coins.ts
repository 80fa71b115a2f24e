// Applies the logs of pools of coins (Curve, Balancer, LFJ, Maverick, Fluid, Infinity's bins). Assay does not compute
// their formulas. The price is that of the last trade. The reserves are the pool's balances, the sum of its manager's
// logs, or unknown.

import { type Address, ZERO_ADDRESS } from '../../base/address.ts'
import { toRaw } from '../../base/amount.ts'
import { UNKNOWN } from '../../base/vocabulary.ts'
import { isNative, isOwnShare, isPairKey, pairKey, pairPool } from '../../chain/contracts/coin-pool.ts'
import type { LogOf } from '../../chain/event.ts'
import { hasManyCoins, hasOwnCurve } from '../../chain/exchanges/hooks.ts'
import { traitsOf } from '../../chain/exchanges/venues.ts'
import { addPool, coinReserves } from '../pools/pools.ts'
import { type Priced, priced } from '../pools/priced.ts'
import { priceRoot } from '../prices/tick-math.ts'
import type { Actor } from '../rows/events.ts'
import type { Known } from '../rows/known.ts'
import type { PoolRecord } from '../rows/rows.ts'
import { tokenOf, type Work } from '../rows/working-set.ts'
import type { Fact } from './fact.ts'
import type { LogHandlers } from './handler.ts'
import { put, type Scan, scanPool, seeToken } from './scan.ts'
import { actorOf, ofPool, poolOfKind, type TransactionView } from './transaction-view.ts'

type Swap = LogOf<'coins_swap'>
type Change = LogOf<'coins_change'>

/** Amounts below this many raw units are rounded too much to give a price. */
const LEAST_PRICED = 1000n

/** The key of the two coins of a trade, for a pool with more than two; null if the log has none. */
function pairOfMany({ wrappedNative }: Known, log: Swap): Address | null {
  const pool = log.pool ?? log.address
  const { coinIn, coinOut, tokenIn, tokenOut } = log
  if (coinIn !== null && coinOut !== null) return coinIn + coinOut > 1 ? pairKey(pool, coinIn, coinOut) : null
  if (tokenIn === null || tokenOut === null) return null
  return pairPool(wrappedNative, NOBODY, pool, [tokenIn, tokenOut])?.address ?? null
}

/** Replaces the factory where only the pool's key is read. */
const NOBODY = { factory: ZERO_ADDRESS, launchpad: UNKNOWN }

const isAnyPair = ({ factories }: Known, { address }: Swap): boolean =>
  traitsOf(factories.get(address)).tradesAnyPair === true

export const COIN_LOGS: LogHandlers<'coins_swap' | 'coins_change' | 'coins_taken' | 'converted'> = {
  coins_swap: {
    legs: 'pool',
    isSwap: true,
    scan: (found, log, { known, traders }) => {
      const pair = pairOfMany(known, log)
      found.wallets.add(log.address)
      if (!isAnyPair(known, log)) scanPool(found, log.pool ?? log.address, traders)
      if (pair) scanPool(found, pair, traders)
      scanSides(found, known, log, traders)
    },
    tell: trade,
  },
  converted: {
    legs: 'any',
    isSwap: true,
    scan: (found, log, { known, traders }) => {
      found.wallets.add(log.address)
      scanPool(found, pairKey(log.address, log.tokenIn, log.tokenOut), traders)
      scanSides(found, known, log, traders)
    },
    tell: convert,
  },
  coins_taken: {
    legs: 'pool',
    scan: (found, log, { traders }) => {
      found.wallets.add(log.address)
      scanPool(found, log.address, traders)
    },
  },
  coins_change: {
    legs: 'pool',
    scan: (found, log, { traders }) => {
      found.wallets.add(log.address)
      for (const { row } of partsOf(log)) scanPool(found, row, traders)
    },
    tell: ofPool('coins', change),
  },
}

/**
 * Tokens that the log names may get a row of their own. Every trader may get a position in them, except in money that
 * pays for another token.
 */
function scanSides(
  found: Scan,
  { wrappedNative, cash }: Known,
  { tokenIn, tokenOut }: Swap | LogOf<'converted'>,
  traders: readonly Address[],
): void {
  if (tokenIn === null || tokenOut === null) return
  const sides = [tokenIn, tokenOut].map((token) => (isNative(token) ? wrappedNative : token))
  const goods = sides.filter((side) => !cash.has(side))
  for (const side of sides) {
    seeToken(found, side)
    found.sides.add(side)
  }
  for (const side of goods.length === 0 ? sides : goods) for (const trader of traders) put(found.holdings, side, trader)
}

/** No transfer names the coins, so another pool made this trade and logs it. */
function trade(work: Work, log: Swap, view: TransactionView): readonly Fact[] {
  const pool = tradedPool(work, log)
  if (!pool || log.isUnderlying) return []
  const joined = joinBySwap(work, log)
  const [coinIn, coinOut] = placesOf(pool, log)
  const into = placeOf(work, pool, coinIn, log.tokenIn)
  const from = placeOf(work, pool, coinOut, log.tokenOut)
  if (into === null || from === null || into === from || log.amountIn < 0n || log.amountOut < 0n) return joined
  return [...joined, ...exchange(work, pool, log, into === 0, view)]
}

/** A trade for the pool's own share, which has a row of its own, moves the other coin into the pool, or out of it. */
function joinBySwap(work: Work, { pool: key, tokenIn, tokenOut, amountIn, amountOut }: Swap): readonly Fact[] {
  if (key === null || tokenIn === null || tokenOut === null) return []
  const isJoin = isOwnShare(key, tokenOut)
  const pool = isJoin || isOwnShare(key, tokenIn) ? poolOfKind(work, key, 'coins') : null
  const place = pool && placeOf(work, pool, null, isJoin ? tokenIn : tokenOut)
  if (!pool || place === null) return []
  const amount = isJoin ? amountIn : -amountOut
  return [shifted(work, pool, place === 0 ? [amount, 0n] : [0n, amount]), { kind: 'shared', pool }]
}

/** `isFirst`: the pool's first token was paid in. */
function exchange(
  work: Work,
  pool: PoolRecord,
  log: Swap | LogOf<'converted'>,
  isFirst: boolean,
  view: TransactionView,
): Fact[] {
  const { amountIn, amountOut } = log
  const actor = actorOf(work, view, { log, pool, sellsFirst: isFirst, amounts: [amountIn, amountOut] })
  const [amount0, amount1] = isFirst ? [amountIn, -amountOut] : [-amountOut, amountIn]
  const state = shifted(work, pool, [amount0, amount1], log.kind === 'converted' ? {} : priceAfter(log, isFirst))
  return [state, { kind: 'swapped', log, pool, amount0, amount1, actor }]
}

function priceAfter({ amountIn, amountOut, fee }: Swap, isFirst: boolean): Priced['state'] {
  const paid = amountIn - (fee ?? 0n)
  if (paid < LEAST_PRICED || amountOut < LEAST_PRICED) return {}
  return { sqrtPriceX96: isFirst ? priceRoot(amountOut, paid) : priceRoot(paid, amountOut) }
}

/** The row of a wrapper is made by its first conversion. It has no factory, and lends no name to its tokens. */
function convert(work: Work, log: LogOf<'converted'>, view: TransactionView): readonly Fact[] {
  const { address, tokenIn, tokenOut } = log
  const pool = pairAt(work, { factory: address, launchpad: UNKNOWN }, address, [tokenIn, tokenOut])
  return pool ? exchange(work, pool, log, tokenOf(work, pool.token0Id).address === tokenIn, view) : []
}

/** The pool's row; of a pool of many coins, or of a market maker, the row of the two traded ones. */
function tradedPool(work: Work, log: Swap): PoolRecord | null {
  const { known } = work
  if (isAnyPair(known, log)) {
    const launchpad = known.factories.get(log.address)?.launchpad ?? UNKNOWN
    return pairNamed(work, { factory: log.address, launchpad }, log)
  }
  const pool = poolOfKind(work, log.pool ?? log.address, 'coins')
  if (!pool) return null
  const key = pairOfMany(known, log)
  if (hasManyCoins(pool.hookRights))
    return (key && work.store.pools.find(key)) ?? (isOfPool(work, pool, log) ? pool : pairNamed(work, pool, log))
  return log.coinIn !== null || isOfPool(work, pool, log) ? pool : pairNamed(work, pool, log)
}

/** Whether both tokens of the log are those of the row. */
function isOfPool(work: Work, pool: PoolRecord, { tokenIn, tokenOut, coinIn }: Swap): boolean {
  if (coinIn !== null) return true
  return placeOf(work, pool, null, tokenIn) !== null && placeOf(work, pool, null, tokenOut) !== null
}

/** The row of the two tokens that the log names, at its contract. */
function pairNamed(work: Work, of: Pick<PoolRecord, 'factory' | 'launchpad'>, log: Swap): PoolRecord | null {
  const { tokenIn, tokenOut } = log
  return tokenIn === null || tokenOut === null ? null : pairAt(work, of, log.pool ?? log.address, [tokenIn, tokenOut])
}

function pairAt(
  work: Work,
  { factory, launchpad }: Pick<PoolRecord, 'factory' | 'launchpad'>,
  at: Address,
  tokens: readonly [Address, Address],
): PoolRecord | null {
  const pair = pairPool(work.known.wrappedNative, { factory, launchpad }, at, tokens)
  return pair && (work.store.pools.find(pair.address) ?? addPool(work, pair.address, pair))
}

function change(work: Work, log: Change, pool: PoolRecord, view: TransactionView): Fact[] {
  const actor = actorOf(work, view, { log, pool, sellsFirst: null })
  const parts = hasManyCoins(pool.hookRights) ? partsOf(log) : [{ row: pool.address, amounts: null }]
  const facts: Fact[] = []
  for (const [at, { row, amounts }] of parts.entries()) {
    const found = work.store.pools.find(row)
    if (!found || !hasCoin(work, found, log)) continue
    facts.push(...changeOf(work, found, amounts ? { ...log, coins: [], fees: [], amounts } : log, actor, 2 * at))
    // Every row has the first coin.
    if (log.coins.length === 1) break
  }
  return facts
}

/** The most coins of a pool that has rows. */
const MOST_COINS = 8

interface Part {
  row: Address
  /** Null: the first two of the log, or those that it names. */
  amounts: bigint[] | null
}

/**
 * The rows of a change of a pool of many coins. The pool's own row has the first two coins. Any other coin has a row
 * with the first. A log of one named coin may be of any row.
 */
function partsOf({ address, pool, coins, amounts }: Change): Part[] {
  const at = pool ?? address
  const own: Part = { row: at, amounts: null }
  if (coins.length === 1)
    return [own, ...Array.from({ length: MOST_COINS - 2 }, (_, k) => ({ ...own, row: pairKey(at, 0, k + 2) }))]
  const listed = amounts.map((amount, place) => ({ amount, coin: coins[place] ?? place }))
  const [first, , ...others] = listed.filter(({ coin }) => typeof coin === 'number' || !isOwnShare(at, coin))
  return [
    own,
    ...others.flatMap(({ amount, coin }) =>
      first && amount !== 0n ? [{ row: pairKey(at, first.coin, coin), amounts: [0n, amount] }] : [],
    ),
  ]
}

const hasCoin = (work: Work, { token0Id, token1Id }: PoolRecord, { coins: [coin, ...others] }: Change): boolean =>
  coin === undefined || others.length > 0 || [token0Id, token1Id].some((id) => tokenOf(work, id).address === coin)

/** `firstPart`: the number of the first event of the row. */
function changeOf(work: Work, pool: PoolRecord, log: Change, actor: Actor, firstPart: number): Fact[] {
  const [change0, change1] = amountsOf(work, pool, log, log.amounts)
  const [fee0, fee1] = amountsOf(work, pool, log, log.fees)
  const state = shifted(work, pool, [change0 - fee0, change1 - fee1])
  const isAdd = change0 >= 0n && change1 >= 0n
  // One coin came in and the other went out: neither an addition nor a removal.
  if (!isAdd && (change0 > 0n || change1 > 0n)) return [state]
  const [amount0, amount1] = isAdd ? [change0, change1] : [-change0, -change1]
  const by = { actor, holder: actor.wallet, position: null, shares: null }
  return [state, { kind: 'provided', log, pool, isAdd, amount0, amount1, ...by, firstPart }]
}

/** The indexes of the two coins in the row. */
const placesOf = ({ address }: PoolRecord, { coinIn, coinOut }: Swap): [number | null, number | null] =>
  isPairKey(address) && coinIn !== null && coinOut !== null
    ? [Number(coinIn > coinOut), Number(coinOut > coinIn)]
    : [coinIn, coinOut]

/** The index of the pool's coin; null for another one. The native coin counts as its wrapped token. */
function placeOf(work: Work, pool: PoolRecord, coin: number | null, named: Address | null): 0 | 1 | null {
  if (coin !== null) return coin === 0 || coin === 1 ? coin : null
  const token = named !== null && isNative(named) ? work.known.wrappedNative : named
  if (token === tokenOf(work, pool.token0Id).address) return 0
  return token === tokenOf(work, pool.token1Id).address ? 1 : null
}

/** The amounts of the two coins in a list: in the order of the pool, or by the coin in the log. */
function amountsOf(work: Work, pool: PoolRecord, { coins }: Change, list: readonly bigint[]): [bigint, bigint] {
  if (coins.length === 0) return [list[0] ?? 0n, list[1] ?? 0n]
  const amountOf = (id: number) => list[coins.indexOf(tokenOf(work, id).address)] ?? 0n
  return [amountOf(pool.token0Id), amountOf(pool.token1Id)]
}

/** The pool after a change, whose reserves never go below zero. Those that no log adds up stay as they are. */
function shifted(
  work: Work,
  pool: PoolRecord,
  [change0, change1]: [bigint, bigint],
  price: Priced['state'] = {},
): Priced {
  const isCounted = !hasOwnCurve(pool.hookRights) && coinReserves(work.known, pool) === 'counted'
  const reserve0 = isCounted ? toRaw(pool.reserve0 + change0) : pool.reserve0
  const reserve1 = isCounted ? toRaw(pool.reserve1 + change1) : pool.reserve1
  return priced(pool, { reserve0, reserve1, ...price })
}
