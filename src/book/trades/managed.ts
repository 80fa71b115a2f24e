// Applies what a manager logs of its pools (Uniswap V4 and its like). Such a pool is known by 32 bytes, and no log tells its
// reserves: a change of liquidity moves exactly what its range is worth at the price, and a swap what it paid, less
// the fee, which belongs to the providers and lies with the manager. Rounding makes them good to a few raw units a swap.
import { toRaw } from '../../base/amount.ts'
import type { LogOf } from '../../chain/event.ts'
import { hasOwnCurve } from '../../chain/exchanges/hooks.ts'
import { type Around, tradedAmounts } from '../pools/hook-settlement.ts'
import type { ManagedChange } from '../pools/managed-fees.ts'
import type { Provider } from '../pools/position-tokens.ts'
import { followActive, leastReserves, spacingOf } from '../prices/depth.ts'
import { quoteSide, revalue } from '../prices/prices.ts'
import { amountsOfRange } from '../prices/tick-math.ts'
import type { Actor } from '../rows/events.ts'
import { walletAt } from '../rows/new-rows.ts'
import { noteQuoteSide } from '../rows/periods.ts'
import type { PoolRecord } from '../rows/rows.ts'
import type { Work } from '../rows/working-set.ts'
import { liquidity, swap } from './trade.ts'
import type { Deals, Doings } from './trade-settlement.ts'

/** Hundredths of a basis point in the whole. */
const WHOLE = 1_000_000n

/** A swap that a hook sends, of this pool or of one before it in the transaction (`hooks`), or a launch's locker, changes what it collected, and is no trade of a user. */
export function applyManagedSwap(
  work: Work,
  pool: PoolRecord,
  log: LogOf<'v4_swap'>,
  { actor, hooks, around }: { actor: Actor; hooks: Set<string>; around: Around },
  deals: Deals,
): void {
  const { amount0, amount1, fee } = log
  pool.sqrtPriceX96 = log.sqrtPriceX96
  followActive(pool, log)
  shift(work, pool, withoutFee(amount0, fee), withoutFee(amount1, fee), leastReserves(spacingOf(pool), log))
  if (pool.hooks) hooks.add(pool.hooks)
  if (hooks.has(log.sender) || work.known.permanentLockers.has(log.sender)) return
  const [traded0, traded1] = tradedAmounts(work, pool, log, around)
  swap(work, pool, { ...log, amount0: traded0, amount1: traded1 }, actor, deals)
}

/** Whoever else than a position manager calls the manager holds the liquidity itself: a hook, a vault. Returns what a position's change moved. */
export function applyManagedChange(
  work: Work,
  pool: PoolRecord,
  log: LogOf<'v4_modify'>,
  { actor, holder, position }: Provider & { actor: Actor },
  doings: Doings,
): ManagedChange | null {
  const isAdd = log.liquidity > 0n
  followActive(pool, log)
  // Of an older pool whose price the node has not kept, nobody knows before its first swap what a range is worth.
  const [amount0, amount1] = pool.sqrtPriceX96
    ? amountsOfRange(pool.sqrtPriceX96, log.tickLower, log.tickUpper, log.liquidity)
    : [0n, 0n]
  shift(work, pool, isAdd ? amount0 : -amount0, isAdd ? amount1 : -amount1)
  const change = { log, isAdd, amount0, amount1, shares: log.liquidity }
  if (work.known.positionManagers.has(log.sender)) {
    liquidity(work, pool, { ...change, holder, position }, actor, doings)
    if (!position) return null
    return { pool, position, amount0: isAdd ? amount0 : -amount0, amount1: isAdd ? amount1 : -amount1 }
  }
  const wallet = walletAt(work, log.sender, 'contract')
  const by = { ...actor, wallet, attribution: 'position' } as const
  liquidity(work, pool, { ...change, holder: wallet, position: null }, by, doings)
  return null
}

/**
 * Changes the reserves, which never go below what is proven. A pool that is older than the start block begins with what its
 * first swap proves. Where a hook has a curve of its own they are not known.
 */
function shift(work: Work, pool: PoolRecord, change0: bigint, change1: bigint, [least0, least1] = [0n, 0n]): void {
  const before = quoteSide(work, pool)
  if (!hasOwnCurve(pool.hookRights)) {
    pool.reserve0 = atLeast(least0, pool.reserve0 + change0)
    pool.reserve1 = atLeast(least1, pool.reserve1 + change1)
  }
  noteQuoteSide(work, pool, before, revalue(work, pool))
}

/** What of an amount that came in belongs to the pool; what went out is whole. The fee is rounded up. */
const withoutFee = (amount: bigint, fee: number): bigint =>
  amount <= 0n ? amount : amount - (amount * BigInt(fee) + WHOLE - 1n) / WHOLE

const atLeast = (least: bigint, amount: bigint): bigint => toRaw(amount < least ? least : amount)
