// Applies a manager's logs of its pools (Uniswap V4 and similar ones). Such a pool is known by 32 bytes, and no log has
// its reserves. A change of liquidity moves exactly the amounts of its range at the price. A swap adds its payment less
// the fee, which belongs to the providers and stays with the manager. Rounding makes the reserves exact to a few raw
// units a swap.
import { toRaw } from '../../base/amount.ts'
import type { LogOf } from '../../chain/event.ts'
import { hasOwnCurve } from '../../chain/exchanges/hooks.ts'
import { tradedAmounts } from '../pools/hook-settlement.ts'
import { followActive, leastReserves, spacingOf } from '../prices/depth.ts'
import { quoteSide, revalue } from '../prices/prices.ts'
import { amountsOfRange } from '../prices/tick-math.ts'
import { walletAt } from '../rows/new-rows.ts'
import { noteQuoteSide } from '../rows/periods.ts'
import type { PoolRecord } from '../rows/rows.ts'
import type { Work } from '../rows/working-set.ts'
import { liquidity, swap } from '../trades/trade.ts'
import type { LogHandlers } from './handler.ts'
import { put, scanPool, seePool } from './scan.ts'
import { actorOf, poolOfKind, providerOf, type TransactionState } from './transaction-state.ts'

/** Hundredths of a basis point in the whole. */
const WHOLE = 1_000_000n

export const MANAGED_LOGS: LogHandlers<'v4_modify' | 'v4_swap'> = {
  v4_modify: {
    legs: 'pool',
    // Any caller of the manager may provide, unless it holds the position for the trader.
    scan: (found, log, { traders }) => {
      const { pool } = log
      seePool(found, pool)
      found.wallets.add(log.address)
      for (const who of [...traders, log.sender]) {
        found.wallets.add(who)
        put(found.signers, pool, who)
        put(found.providers, pool, who)
      }
    },
    apply: change,
  },
  v4_swap: {
    legs: 'pool',
    isSwap: true,
    scan: (found, log, { traders }) => {
      found.wallets.add(log.address)
      for (const who of traders) found.wallets.add(who)
      scanPool(found, log.pool, traders)
    },
    apply: trade,
  },
}

/**
 * A swap by a hook (of this pool or an earlier one in the transaction), or by a launch's locker, converts collected
 * fees. It is no trade of a user.
 */
function trade(work: Work, log: LogOf<'v4_swap'>, state: TransactionState): void {
  const pool = poolOfKind(work, log.pool, 'v4')
  if (!pool) return
  const actor = actorOf(work, state, { log, pool, sellsFirst: log.amount0 > 0n })
  pool.sqrtPriceX96 = log.sqrtPriceX96
  followActive(pool, log)
  const moved = [withoutFee(log.amount0, log.fee), withoutFee(log.amount1, log.fee)] as const
  shift(work, pool, moved, leastReserves(spacingOf(pool), log))
  state.hooks ??= new Set()
  if (pool.hooks) state.hooks.add(pool.hooks)
  if (state.hooks.has(log.sender) || work.known.permanentLockers.has(log.sender)) return
  const [amount0, amount1] = tradedAmounts(work, pool, log, state)
  swap(work, { log, pool, amount0, amount1, actor }, state.effects.deals)
}

/** Any caller of the manager except a position manager holds the liquidity itself: a hook, a vault. */
function change(work: Work, log: LogOf<'v4_modify'>, state: TransactionState): void {
  const pool = poolOfKind(work, log.pool, 'v4')
  if (!pool) return
  const actor = actorOf(work, state, { log, pool, sellsFirst: null })
  const { holder, position } = providerOf(work, state, { pool, log, actor })
  const isAdd = log.liquidity > 0n
  followActive(pool, log)
  // The amounts of a range of an older pool are unknown before its first swap, if the node has not kept its price.
  const [amount0, amount1] = pool.sqrtPriceX96
    ? amountsOfRange(pool.sqrtPriceX96, log.tickLower, log.tickUpper, log.liquidity)
    : [0n, 0n]
  const moved = [isAdd ? amount0 : -amount0, isAdd ? amount1 : -amount1] as const
  shift(work, pool, moved)
  const changed = { log, pool, isAdd, amount0, amount1, shares: log.liquidity }
  if (!work.known.positionManagers.has(log.sender)) {
    const wallet = walletAt(work, log.sender, 'contract')
    const by = { ...actor, wallet, attribution: 'position' } as const
    liquidity(work, { ...changed, actor: by, holder: wallet, position: null }, state)
    return
  }
  liquidity(work, { ...changed, actor, holder, position }, state)
  if (position) state.managed = [...(state.managed ?? []), { pool, position, amount0: moved[0], amount1: moved[1] }]
}

/**
 * Changes the reserves, which never go below the proven amounts. A pool that is older than the start block begins with
 * the amounts that its first swap proves. With a hook's own curve they are unknown.
 */
function shift(
  work: Work,
  pool: PoolRecord,
  [change0, change1]: readonly [bigint, bigint],
  [least0, least1] = [0n, 0n],
): void {
  const before = quoteSide(work, pool)
  if (!hasOwnCurve(pool.hookRights)) {
    pool.reserve0 = atLeast(least0, pool.reserve0 + change0)
    pool.reserve1 = atLeast(least1, pool.reserve1 + change1)
  }
  noteQuoteSide(work, pool, before, revalue(work, pool))
}

/** The pool's part of an amount that came in; an amount that went out is whole. The fee is rounded up. */
const withoutFee = (amount: bigint, fee: number): bigint =>
  amount <= 0n ? amount : amount - (amount * BigInt(fee) + WHOLE - 1n) / WHOLE

const atLeast = (least: bigint, amount: bigint): bigint => toRaw(amount < least ? least : amount)
