// Balancer V1: pools of up to eight tokens, each at an address of its own. Source: github.com/balancer/balancer-core, BPool.sol,
// BFactory.sol.

import { addressRow, amountRow, noEntries } from '../columns/lists.ts'
import { address, none, shape, topic, word } from '../columns/shape.ts'
import type { Exchange } from './exchange.ts'
import { namedSwap } from './named-swap.ts'

/** Each coin of a change has a log of its own. */
const change = (isOut: boolean) =>
  shape('coins_change', 3, 1, {
    pool: none,
    provider: address(topic(1)),
    coins: addressRow(topic(2), 1),
    fees: noEntries,
    amounts: amountRow(0, 1, isOut),
  })

export const BALANCER_V1 = {
  about: { name: 'Balancer V1', found: '`isBPool`', owner: 'holders of shares', seen: '1 of 1' },
  reserves: 'balances',
  events: {
    balancer_v1_swap: [
      'LOG_SWAP(address,address,address,uint256,uint256)',
      'pool',
      namedSwap(4, 2, { tokenIn: topic(2), tokenOut: topic(3), amountIn: word(0), amountOut: word(1) }),
    ],
    balancer_v1_join: ['LOG_JOIN(address,address,uint256)', 'pool', change(false)],
    balancer_v1_exit: ['LOG_EXIT(address,address,uint256)', 'pool', change(true)],
  },
} as const satisfies Exchange
