// WOOFi: one pool of many tokens, priced by its oracle. Source: github.com/woonetwork/WooPoolV2, IWooPPV2.sol.
import type { Exchange } from './exchange.ts'
import { tokenTopics } from './named-swap.ts'

export const WOOFI = {
  events: {
    woofi_swap: [
      'WooSwap(address,address,uint256,uint256,address,address,address,uint256,uint256)',
      'factory',
      tokenTopics(4, 6),
    ],
    /** The pools before it. */
    woofi_swap_rebate: [
      'WooSwap(address,address,uint256,uint256,address,address,address)',
      'factory',
      tokenTopics(4, 4),
    ],
  },
  deployed: [
    {
      address: '0x5520385bfcf07ec87c4c53a7d8d65595dff69fa4',
      launchpad: 'woofi',
      chains: { 56: 'published', 137: 'recorded', 8453: 'published', 42161: 'published' },
    },
  ],
} as const satisfies Exchange
