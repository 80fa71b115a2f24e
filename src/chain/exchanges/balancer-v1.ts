// Balancer V1: pools of up to eight tokens, each at an address of its own. Source: github.com/balancer/balancer-core, BPool.sol,
// BFactory.sol.

import { topic, word } from '../columns/shape.ts'
import type { ExchangeEvents } from './exchange.ts'
import { namedSwap } from './named-swap.ts'

export const BALANCER_V1_EVENTS = {
  balancer_v1_swap: [
    'LOG_SWAP(address,address,address,uint256,uint256)',
    'balancer_v1_pool',
    namedSwap(4, 2, { tokenIn: topic(2), tokenOut: topic(3), amountIn: word(0), amountOut: word(1) }),
  ],
} as const satisfies ExchangeEvents
