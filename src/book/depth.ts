// What a V3 pool must hold: the liquidity that a swap tells of is in force over the whole step of ticks around its price, so
// the pool can pay at least to the ends of that step. For pools that are older than the start block, and whose balances no
// node remembers. (Uniswap v3 whitepaper, section 6.2: virtual reserves.)
import type { LogOf } from '../chain/event.ts'
import { holdAtLeast } from './balance.ts'
import type { PoolRecord } from './rows.ts'
import { need, tokenOf, type Work } from './working-set.ts'

/** Ticks between two at which liquidity may change, by fee in hundredths of a basis point; 1 is right for any pool. */
const SPACING: Readonly<Record<number, number>> = { 100: 1, 500: 10, 2500: 50, 3000: 60, 10000: 200 }
/** Takes the rounding of doubles to the safe side. */
const MARGIN = 0.999

/** Raises the pool's balances to what the swap shows that it holds. */
export function learnDepth(work: Work, pool: PoolRecord, log: LogOf<'v3_swap'>): void {
  const [least0, least1] = leastReserves(pool.fee, log)
  const wallet = need(work.store.wallets.get(pool.walletId), 'wallet', pool.walletId)
  holdAtLeast(work, tokenOf(work, pool.token0Id), wallet, least0)
  holdAtLeast(work, tokenOf(work, pool.token1Id), wallet, least1)
}

/** Raw units of token 0 and token 1 that lie in the step of ticks around the price at least. */
export function leastReserves(
  fee: number,
  { sqrtPriceX96, liquidity, tick }: Pick<LogOf<'v3_swap'>, 'sqrtPriceX96' | 'liquidity' | 'tick'>,
): [bigint, bigint] {
  const spacing = SPACING[fee] ?? 1
  const first = Math.floor(tick / spacing) * spacing
  const root = Number(sqrtPriceX96) / 2 ** 96
  const inForce = Number(liquidity) * MARGIN
  return [toRaw(inForce * (1 / root - 1 / rootAt(first + spacing))), toRaw(inForce * (root - rootAt(first)))]
}

const rootAt = (tick: number): number => 1.0001 ** (tick / 2)

const toRaw = (amount: number): bigint => (Number.isFinite(amount) && amount >= 1 ? BigInt(Math.floor(amount)) : 0n)
