// Wombat: pools of stablecoins, each with many. Source: github.com/wombat-exchange/v1-core, PoolV2.sol, PoolV3.sol.
import { word } from '../columns/shape.ts'
import type { Exchange } from './exchange.ts'
import { fourWords, namedSwap } from './named-swap.ts'

export const WOMBAT = {
  events: {
    wombat_swap: [
      'Swap(address,address,uint256,address,uint256,address)',
      'factory',
      namedSwap(3, 4, { tokenIn: word(0), amountIn: word(1), tokenOut: word(2), amountOut: word(3) }),
    ],
    wombat_swap_v2: ['SwapV2(address,address,address,uint256,uint256,uint256,address)', 'factory', fourWords(0, 3, 5)],
  },
} as const satisfies Exchange
