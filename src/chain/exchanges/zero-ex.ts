// 0x's orders: of market makers (RFQ, OTC) and with a limit. Source: github.com/0xProject/protocol, INativeOrdersEvents.sol,
// IOtcOrdersFeature.sol.
import { word } from '../columns/shape.ts'
import type { Exchange } from './exchange.ts'
import { namedSwap } from './named-swap.ts'

export const ZERO_EX = {
  events: {
    zero_ex_rfq: [
      'RfqOrderFilled(bytes32,address,address,address,address,uint128,uint128,bytes32)',
      'factory',
      namedSwap(1, 8, { tokenIn: word(4), amountIn: word(5), tokenOut: word(3), amountOut: word(6) }),
    ],
    zero_ex_otc: [
      'OtcOrderFilled(bytes32,address,address,address,address,uint128,uint128)',
      'factory',
      namedSwap(1, 7, { tokenIn: word(4), amountIn: word(6), tokenOut: word(3), amountOut: word(5) }),
    ],
    zero_ex_limit: [
      'LimitOrderFilled(bytes32,address,address,address,address,address,uint128,uint128,uint128,uint256,bytes32)',
      'factory',
      namedSwap(1, 11, { tokenIn: word(5), amountIn: word(6), tokenOut: word(4), amountOut: word(7) }),
    ],
  },
  deployed: [
    {
      address: '0xdef1c0ded9bec7f1a1670819833240f027b25eff',
      launchpad: 'zrx_orders',
      chains: { 1: 'recorded', 56: 'published', 137: 'recorded', 8453: 'recorded', 42161: 'recorded' },
    },
  ],
} as const satisfies Exchange
