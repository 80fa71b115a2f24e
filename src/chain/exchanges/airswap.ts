// AirSwap: orders that a market maker signs and a taker sends. Source: github.com/airswap/airswap-protocols, SwapERC20.sol.
import { word } from '../columns/shape.ts'
import type { Exchange } from './exchange.ts'
import { namedSwap } from './named-swap.ts'

export const AIRSWAP = {
  events: {
    airswap_swap: [
      'SwapERC20(uint256,address,address,uint256,uint256,address,address,uint256)',
      'factory',
      namedSwap(4, 5, { tokenIn: word(3), amountIn: word(4), tokenOut: word(0), amountOut: word(1) }),
    ],
  },
  deployed: [
    {
      address: '0xd82fa167727a4dc6d6f55830a2c47abbb4b3a0f8',
      launchpad: 'airswap',
      chains: { 1: 'published', 56: 'recorded', 137: 'published', 42161: 'published' },
    },
  ],
} as const satisfies Exchange
