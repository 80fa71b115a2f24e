// Mooniswap, later 1inch's liquidity protocol: pools of two tokens, each at an address of its own. Source:
// github.com/1inch/liquidity-protocol, Mooniswap.sol, MooniswapFactory.sol.
import { topic, word } from '../columns/shape.ts'
import type { Exchange } from './exchange.ts'
import { namedSwap } from './named-swap.ts'

export const MOONISWAP = {
  about: { name: "Mooniswap, 1inch's liquidity protocol", found: '`isPool`' },
  reserves: 'balances',
  events: {
    mooniswap_swap: [
      'Swapped(address,address,address,address,uint256,uint256,uint256,uint256,address)',
      'pool',
      namedSwap(4, 6, { tokenIn: topic(3), tokenOut: word(0), amountIn: word(1), amountOut: word(2) }),
    ],
  },
} as const satisfies Exchange
