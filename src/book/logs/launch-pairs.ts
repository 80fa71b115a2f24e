// Applies the logs of a launch venue that sells its tokens at its own pairs. A pair keeps the product of its reserves
// constant, and its first quote reserve is virtual. The price follows from the tokens left for sale, and the liquidity
// is the quote that was really paid in.

import { toRaw } from '../../base/amount.ts'
import { curveOf } from '../../chain/contracts/curve.ts'
import type { LogOf } from '../../chain/event.ts'
import { noteCurve } from '../pools/launch.ts'
import { openPool } from '../pools/pools.ts'
import { priced } from '../pools/priced.ts'
import { revalue } from '../prices/prices.ts'
import { priceRoot, toPriceRoot } from '../prices/tick-math.ts'
import type { Known } from '../rows/known.ts'
import type { PoolRecord } from '../rows/rows.ts'
import { poolOf, type Work } from '../rows/working-set.ts'
import type { Fact } from './fact.ts'
import type { Announced, LogHandlers } from './handler.ts'
import { scanAnnounced } from './openings.ts'
import { seeToken } from './scan.ts'
import { actorOf, ofPool, scanOwn, type TransactionView } from './transaction-view.ts'

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
    scan: scanOwn,
    tell: ofPool('curve', trade),
  },
  pair_closed: {
    scan: (found, { token }) => {
      seeToken(found, token)
    },
    tell: close,
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
function launch(work: Work, log: LogOf<'pair_launched'>, { logs }: TransactionView): void {
  const found = launchedPair(work.known, log)
  if (!found || work.store.pools.find(found.address)) return
  const pool = openPool(work, found.address, found)
  const told = logs.find((each) => each.kind === 'pair_reserves' && each.address === found.address)
  if (told?.kind === 'pair_reserves' && told.reserve0 > 0n && told.reserve1 > 0n) {
    pool.reserve0 = told.reserve0
    pool.activeLiquidity = priceRoot(told.reserve0 * told.reserve1, SCALE)
    pool.sqrtPriceX96 = rootOf(pool.activeLiquidity, pool.reserve0)
    revalue(work, pool)
  }
  noteCurve(work, pool, log.token, null)
}

function trade(work: Work, log: LogOf<'pair_swap'>, pool: PoolRecord, view: TransactionView): Fact[] {
  const amount0 = log.amount0In - log.amount0Out
  const amount1 = log.amount1In - log.amount1Out
  const actor = actorOf(work, view, { log, pool, sellsFirst: amount0 > 0n })
  const reserve0 = toRaw(pool.reserve0 + amount0)
  const reserve1 = toRaw(pool.reserve1 + amount1)
  return [
    priced(pool, { reserve0, reserve1, sqrtPriceX96: rootOf(pool.activeLiquidity, reserve0) }),
    { kind: 'swapped', log, pool, amount0, amount1, actor },
  ]
}

function close(work: Work, log: LogOf<'pair_closed'>): Fact[] {
  const token = work.store.tokens.find(log.token)
  return ((token && work.store.poolsOfBase.get(token.id)) ?? []).flatMap((id) => {
    const pool = poolOf(work, id)
    return pool.kind === 'curve' && pool.factory === log.address ? [{ kind: 'closed', pool }] : []
  })
}

/** The root of the price, from the root of the reserves' product and the tokens left for sale. */
const rootOf = (product: bigint | null, left: bigint): bigint | null =>
  product === null || left === 0n ? null : toPriceRoot((product << 96n) / left)
