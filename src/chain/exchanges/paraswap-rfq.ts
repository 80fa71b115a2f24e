// ParaSwap's signed orders. Source: github.com/paraswap/augustus-rfq, AugustusRFQ.sol.
import { word } from '../columns/shape.ts'
import type { Exchange } from './exchange.ts'
import { namedSwap } from './named-swap.ts'

export const PARASWAP_RFQ = {
  events: {
    paraswap_rfq: [
      'OrderFilled(bytes32,address,address,uint256,address,address,uint256)',
      'factory',
      namedSwap(4, 4, { tokenIn: word(2), amountIn: word(3), tokenOut: word(0), amountOut: word(1) }),
    ],
  },
} as const satisfies Exchange
