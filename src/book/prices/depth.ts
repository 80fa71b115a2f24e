// Facts about a V3 pool's ranges: the active liquidity, and a lower bound for its reserves. A swap log has the
// liquidity that is active over the whole tick interval around its price. The pool can therefore pay at least to both
// ends of that interval. Used for pools older than the start block whose balances no node has kept. (Uniswap v3
// whitepaper, section 6.2: virtual reserves.)
import type { LogOf } from '../../chain/event.ts'
import { holdAtLeast } from '../balances/balance.ts'
import type { PoolRecord } from '../rows/rows.ts'
import { need, tokenOf, type Work } from '../rows/working-set.ts'

/** Tick spacing by fee in hundredths of a basis point; 1 is a safe value for any pool. */
const SPACING: Readonly<Record<number, number>> = { 100: 1, 500: 10, 2500: 50, 3000: 60, 10000: 200 }
/** A margin of 0.1 % for rounding errors of doubles. */
const MARGIN = 0.999
/** A price at the very start of a range is inside it, however a double rounds it. */
const ROUNDING = 1 + 1e-12

/** Liquidity is a uint128 in every such pool. */
const MOST_LIQUIDITY = 2n ** 128n - 1n

/** Raises the pool's balances to the amounts that a swap proves. */
export function learnDepth(work: Work, pool: PoolRecord, [least0, least1]: readonly [bigint, bigint]): void {
  const wallet = need(work.store.wallets.get(pool.walletId), 'wallet', pool.walletId)
  holdAtLeast(work, tokenOf(work, pool.token0Id), wallet, least0)
  holdAtLeast(work, tokenOf(work, pool.token1Id), wallet, least1)
}

/** The active liquidity after a change of a range: one around the price adds to it or takes from it. */
export function activeAfter(
  { activeLiquidity, sqrtPriceX96 }: PoolRecord,
  { kind, tickLower, tickUpper, liquidity }: LogOf<'v3_mint' | 'v3_burn' | 'v4_modify'>,
): bigint | null {
  if (activeLiquidity === null || !sqrtPriceX96) return activeLiquidity
  const root = (Number(sqrtPriceX96) / 2 ** 96) * ROUNDING
  if (root < rootAt(tickLower) || root >= rootAt(tickUpper)) return activeLiquidity
  const active = activeLiquidity + (kind === 'v3_burn' ? -liquidity : liquidity)
  return active < 0n ? 0n : active > MOST_LIQUIDITY ? MOST_LIQUIDITY : active
}

/** The distance between ticks at which positions may begin and end; 1 if unknown. */
export const spacingOf = ({ fee, tickSpacing }: Pick<PoolRecord, 'fee' | 'tickSpacing'>): number =>
  tickSpacing ?? (fee === null ? undefined : SPACING[fee]) ?? 1

/** The least amounts of token 0 and token 1, in raw units, within the tick interval around the price. */
export function leastReserves(
  spacing: number,
  { sqrtPriceX96, liquidity, tick }: Pick<LogOf<'v3_swap'>, 'sqrtPriceX96' | 'liquidity' | 'tick'>,
): [bigint, bigint] {
  const first = Math.floor(tick / spacing) * spacing
  const root = Number(sqrtPriceX96) / 2 ** 96
  const inForce = Number(liquidity) * MARGIN
  return [toWhole(inForce * (1 / root - 1 / rootAt(first + spacing))), toWhole(inForce * (root - rootAt(first)))]
}

const rootAt = (tick: number): number => 1.0001 ** (tick / 2)

const toWhole = (amount: number): bigint => (Number.isFinite(amount) && amount >= 1 ? BigInt(Math.floor(amount)) : 0n)
