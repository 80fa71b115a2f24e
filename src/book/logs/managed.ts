// Applies a manager's logs of its pools (Uniswap V4 and similar ones). Such a pool is known by 32 bytes, and no log has
// its reserves. A change of liquidity moves exactly the amounts of its range at the price. A swap adds its payment less
// the fee, which belongs to the providers and stays with the manager. Rounding makes the reserves exact to a few raw
// units a swap.
import { toRaw } from '../../base/amount.ts'
import type { LogOf } from '../../chain/event.ts'
import { hasOwnCurve } from '../../chain/exchanges/hooks.ts'
import { tradedAmounts } from '../pools/hook-settlement.ts'
import { priced } from '../pools/priced.ts'
import { activeAfter, leastReserves, spacingOf } from '../prices/depth.ts'
import { amountsOfRange } from '../prices/tick-math.ts'
import { walletAt } from '../rows/new-rows.ts'
import type { PoolRecord } from '../rows/rows.ts'
import type { Work } from '../rows/working-set.ts'
import type { Fact } from './fact.ts'
import type { LogHandlers } from './handler.ts'
import { put, scanPool, seePool } from './scan.ts'
import { actorOf, ofPool, poolOfKind, providerOf, type TransactionView } from './transaction-view.ts'

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
    tell: ofPool('v4', change),
  },
  v4_swap: {
    legs: 'pool',
    isSwap: true,
    scan: (found, log, { traders }) => {
      found.wallets.add(log.address)
      for (const who of traders) found.wallets.add(who)
      scanPool(found, log.pool, traders)
    },
    tell: ofPool('v4', trade),
  },
}

/**
 * A swap by a hook (of this pool or an earlier one in the transaction), or by a launch's locker, converts collected
 * fees. It is no trade of a user.
 */
function trade(work: Work, log: LogOf<'v4_swap'>, pool: PoolRecord, view: TransactionView): Fact[] {
  const { sqrtPriceX96, liquidity: activeLiquidity, fee } = log
  const actor = actorOf(work, view, { log, pool, sellsFirst: log.amount0 > 0n })
  const moved = [withoutFee(log.amount0, fee), withoutFee(log.amount1, fee)] as const
  const reserves = shifted(pool, moved, leastReserves(spacingOf(pool), log))
  const state = priced(pool, { sqrtPriceX96, activeLiquidity, ...reserves })
  if (work.known.permanentLockers.has(log.sender) || isHooks(work, log, view)) return [state]
  const [amount0, amount1] = tradedAmounts(work, pool, log, view)
  return [state, { kind: 'swapped', log, pool, amount0, amount1, actor }]
}

/** Whether the sender is the hook of a pool that was swapped in up to this log. */
const isHooks = (work: Work, { sender, logIndex }: LogOf<'v4_swap'>, { logs }: TransactionView): boolean =>
  logs.some(
    (each) =>
      each.kind === 'v4_swap' && each.logIndex <= logIndex && poolOfKind(work, each.pool, 'v4')?.hooks === sender,
  )

/** Any caller of the manager except a position manager holds the liquidity itself: a hook, a vault. */
function change(work: Work, log: LogOf<'v4_modify'>, pool: PoolRecord, view: TransactionView): Fact[] {
  const { liquidity: shares, tickLower, tickUpper, sender } = log
  const actor = actorOf(work, view, { log, pool, sellsFirst: null })
  const isAdd = shares > 0n
  // The amounts of a range of an older pool are unknown before its first swap, if the node has not kept its price.
  const [amount0, amount1] = pool.sqrtPriceX96
    ? amountsOfRange(pool.sqrtPriceX96, tickLower, tickUpper, shares)
    : [0n, 0n]
  const reserves = shifted(pool, isAdd ? [amount0, amount1] : [-amount0, -amount1])
  const state = priced(pool, { activeLiquidity: activeAfter(pool, log), ...reserves })
  const changed = { kind: 'provided', log, pool, isAdd, amount0, amount1, shares } as const
  if (work.known.positionManagers.has(sender))
    return [state, { ...changed, actor, ...providerOf(work, view, log, actor) }]
  const holder = walletAt(work, sender, 'contract')
  const by = { ...actor, wallet: holder, attribution: 'position' } as const
  return [state, { ...changed, actor: by, holder, position: null }]
}

/**
 * The reserves after a change, which never go below the proven amounts. A pool that is older than the start block begins
 * with the amounts that its first swap proves. With a hook's own curve they are unknown.
 */
const shifted = (
  { hookRights, reserve0, reserve1 }: PoolRecord,
  [change0, change1]: readonly [bigint, bigint],
  [least0, least1] = [0n, 0n],
) =>
  hasOwnCurve(hookRights)
    ? {}
    : { reserve0: atLeast(least0, reserve0 + change0), reserve1: atLeast(least1, reserve1 + change1) }

/** The pool's part of an amount that came in; an amount that went out is whole. The fee is rounded up. */
const withoutFee = (amount: bigint, fee: number): bigint =>
  amount <= 0n ? amount : amount - (amount * BigInt(fee) + WHOLE - 1n) / WHOLE

const atLeast = (least: bigint, amount: bigint): bigint => toRaw(amount < least ? least : amount)
