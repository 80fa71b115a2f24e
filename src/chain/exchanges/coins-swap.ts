// A swap of a pool of coins: the log names the coins by their numbers in the pool, or by their addresses.
import { type Field, flag, none, type Shape, shape } from '../columns/shape.ts'
import type { LogOf } from '../event.ts'

type Swap = LogOf<'coins_swap'>
type Amounts = { readonly [Name in 'amountIn' | 'amountOut']: Field<Swap[Name]> }
type Rest = {
  readonly [Name in 'pool' | 'coinIn' | 'coinOut' | 'tokenIn' | 'tokenOut' | 'fee' | 'isUnderlying']?: Field<Swap[Name]>
}

/** `pool` is set if a manager logs for its pools, `isUnderlying` if coins may be those that a coin wraps. */
export const coinsSwap = (
  topics: number,
  words: number,
  {
    pool = none,
    coinIn = none,
    coinOut = none,
    tokenIn = none,
    tokenOut = none,
    amountIn,
    amountOut,
    fee = none,
    isUnderlying = flag(null),
  }: Amounts & Rest,
): Shape =>
  shape('coins_swap', topics, words, {
    pool,
    coinIn,
    coinOut,
    tokenIn,
    tokenOut,
    amountIn,
    amountOut,
    fee,
    isUnderlying,
  })
