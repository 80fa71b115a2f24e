// Balancer V1: pools of up to eight tokens, each at an address of its own. Source: github.com/balancer/balancer-core, BPool.sol,
// BFactory.sol.

import { topic, word } from '../columns/shape.ts'
import type { Exchange } from './exchange.ts'
import { namedSwap } from './named-swap.ts'

export const BALANCER_V1 = {
  about: { name: 'Balancer V1', found: '`isBPool`', seen: '1 of 1' },
  reserves: 'balances',
  events: {
    balancer_v1_swap: [
      'LOG_SWAP(address,address,address,uint256,uint256)',
      'pool',
      namedSwap(4, 2, { tokenIn: topic(2), tokenOut: topic(3), amountIn: word(0), amountOut: word(1) }),
    ],
  },
} as const satisfies Exchange
