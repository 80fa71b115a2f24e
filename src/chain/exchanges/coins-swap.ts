// A swap of a pool of coins whose log names its coins by their places in the pool and not by their addresses.
import { type Field, flag, none, type Shape, shape } from '../columns/shape.ts'
import type { LogOf } from '../event.ts'

type Swap = LogOf<'coins_swap'>
type Sides = { readonly [Name in 'coinIn' | 'coinOut' | 'amountIn' | 'amountOut']: Field<Swap[Name]> }
type Rest = { readonly pool?: Field<Swap['pool']>; readonly isUnderlying?: Field<Swap['isUnderlying']> }

/** `pool` is given where a manager logs for its pools, `isUnderlying` where coins may be those that a coin wraps. */
export const coinsSwap = (
  topics: number,
  words: number,
  { pool = none, coinIn, coinOut, amountIn, amountOut, isUnderlying = flag(null) }: Sides & Rest,
): Shape =>
  shape('coins_swap', topics, words, {
    pool,
    coinIn,
    coinOut,
    tokenIn: none,
    tokenOut: none,
    amountIn,
    amountOut,
    fee: none,
    isUnderlying,
  })
