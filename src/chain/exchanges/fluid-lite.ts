// Fluid DEX Lite: one contract on Ethereum that holds the tokens of all its pools. Its log has the pool's number and both
// amounts in nine decimals, so they are not exact. Transfers of the transaction tell tokens and amounts. Source:
// github.com/Instadapp/fluid-contracts-public, protocols/dexLite.
import { constant, unknownAmount } from '../columns/shape.ts'
import { coinsSwap } from './coins-swap.ts'
import type { Exchange } from './exchange.ts'

export const FLUID_LITE = {
  events: {
    fluid_lite_swap: [
      'LogSwap(uint256,uint256)',
      'factory',
      coinsSwap(1, 2, { coinIn: constant(0), coinOut: constant(1), amountIn: unknownAmount, amountOut: unknownAmount }),
    ],
  },
} as const satisfies Exchange
