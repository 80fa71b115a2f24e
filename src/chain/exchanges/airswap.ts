// AirSwap: orders that a market maker signs and a taker sends. Source: github.com/airswap/airswap-protocols, SwapERC20.sol.
import { word } from '../columns/shape.ts'
import type { ExchangeEvents } from './exchange.ts'
import { namedSwap } from './named-swap.ts'

export const AIRSWAP_EVENTS = {
  airswap_swap: [
    'SwapERC20(uint256,address,address,uint256,uint256,address,address,uint256)',
    'maker',
    namedSwap(4, 5, { tokenIn: word(3), amountIn: word(4), tokenOut: word(0), amountOut: word(1) }),
  ],
} as const satisfies ExchangeEvents
