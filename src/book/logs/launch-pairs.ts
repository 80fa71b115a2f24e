// Applies the logs of a launch venue that sells its tokens at its own pairs. A pair keeps the product of its reserves
// constant, and its first quote reserve is virtual. The price follows from the tokens left for sale, and the liquidity
// is the quote that was really paid in.

import { toRaw } from '../../base/amount.ts'
import { curveOf } from '../../chain/contracts/curve.ts'
import type { LogOf } from '../../chain/event.ts'
import { noteCurve } from '../pools/launch.ts'
import { openPool } from '../pools/pools.ts'
import { quoteSide, revalue } from '../prices/prices.ts'
import { priceRoot, toPriceRoot } from '../prices/tick-math.ts'
import type { Known } from '../rows/known.ts'
import { noteQuoteSide } from '../rows/periods.ts'
import type { PoolRecord } from '../rows/rows.ts'
import { poolOf, type Work } from '../rows/working-set.ts'
import { swap } from '../trades/trade.ts'
import type { Announced, LogHandlers } from './handler.ts'
import { scanAnnounced } from './openings.ts'
import { scanPool, seeToken } from './scan.ts'
import { actorOf, poolOfKind, type TransactionState } from './transaction-state.ts'

/** The square of 2^96. The root of a ratio times it is the root's fixed-point form. */
const SCALE = 1n << 192n

export const PAIR_LAUNCH_LOGS: LogHandlers<'pair_launched' | 'pair_reserves' | 'pair_swap' | 'pair_closed'> = {
  pair_launched: {
    announce: launchedPair,
    scan: (found, log, { known }) => scanAnnounced(found, launchedPair(known, log)),
    apply: launch,
  },
  // The launch looks up the first reserves; the swaps change them.
  pair_reserves: {},
  pair_swap: {
    legs: 'pool',
    scan: (found, { address }, { traders }) => scanPool(found, address, traders),
    apply: trade,
  },
  pair_closed: {
    scan: (found, { token }) => {
      seeToken(found, token)
    },
    apply: close,
  },
}

/** A pair at which a launch venue of the preset sells a token. */
function launchedPair({ factories }: Known, log: LogOf<'pair_launched'>): Announced | null {
  const venue = factories.get(log.address)
  if (!venue?.quote || venue.quote === log.token) return null
  const { launchpad, quote } = venue
  return { address: log.pool, ...curveOf({ address: log.address, launchpad }, log.token, quote, null) }
}

/** Opens the pair that a venue announces; it logged its first reserves before, in the same transaction. */
function launch(work: Work, log: LogOf<'pair_launched'>, { logs }: TransactionState): void {
  const found = launchedPair(work.known, log)
  if (!found || work.store.pools.find(found.address)) return
  const pool = openPool(work, found.address, found)
  const told = logs.find((each) => each.kind === 'pair_reserves' && each.address === found.address)
  if (told?.kind === 'pair_reserves' && told.reserve0 > 0n && told.reserve1 > 0n) {
    pool.reserve0 = told.reserve0
    pool.activeLiquidity = priceRoot(told.reserve0 * told.reserve1, SCALE)
    reprice(work, pool)
  }
  noteCurve(work, pool, log.token, null)
}

function trade(work: Work, log: LogOf<'pair_swap'>, state: TransactionState): void {
  const pool = poolOfKind(work, log.address, 'curve')
  if (!pool) return
  const amount0 = log.amount0In - log.amount0Out
  const amount1 = log.amount1In - log.amount1Out
  const actor = actorOf(work, state, { log, pool, sellsFirst: amount0 > 0n })
  const before = quoteSide(work, pool)
  pool.reserve0 = toRaw(pool.reserve0 + amount0)
  pool.reserve1 = toRaw(pool.reserve1 + amount1)
  noteQuoteSide(work, pool, before, quoteSide(work, pool))
  reprice(work, pool)
  swap(work, { log, pool, amount0, amount1, actor }, state.effects.deals)
}

/** The token graduated: its pair is empty, and no wallet has removed liquidity. */
function close(work: Work, log: LogOf<'pair_closed'>): void {
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
