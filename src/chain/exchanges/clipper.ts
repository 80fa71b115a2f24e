// Clipper: trades at prices that its server signs. Source: github.com/shipyard-software, ClipperCommonExchange.sol.
import type { Exchange } from './exchange.ts'
import { tokenTopics } from './named-swap.ts'

export const CLIPPER = {
  events: {
    /** The server's note follows the amounts. */
    clipper_swap: [
      'Swapped(address,address,address,uint256,uint256,bytes)',
      'factory',
      { ...tokenTopics(4, 4), isOpen: true },
    ],
  },
} as const satisfies Exchange
