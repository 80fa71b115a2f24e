// Saddle and its forks (Synapse): pools of stablecoins that log the numbers of the coins. The transfers of the transaction
// tell which they are. Source: github.com/saddle-finance/saddle-contract, Swap.sol.
import { number, uint, word } from '../columns/shape.ts'
import { coinsSwap } from './coins-swap.ts'
import type { Exchange } from './exchange.ts'

export const SADDLE = {
  events: {
    saddle_swap: [
      'TokenSwap(address,uint256,uint256,uint128,uint128)',
      'factory',
      coinsSwap(2, 4, {
        coinIn: number(word(2), 8),
        coinOut: number(word(3), 8),
        amountIn: uint(word(0)),
        amountOut: uint(word(1)),
      }),
    ],
  },
} as const satisfies Exchange
