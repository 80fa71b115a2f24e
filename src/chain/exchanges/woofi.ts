// WOOFi: one pool of many tokens, priced by its oracle. Source: github.com/woonetwork/WooPoolV2, IWooPPV2.sol.
import type { ExchangeEvents } from './exchange.ts'
import { tokenTopics } from './named-swap.ts'

export const WOOFI_EVENTS = {
  woofi_swap: [
    'WooSwap(address,address,uint256,uint256,address,address,address,uint256,uint256)',
    'maker',
    tokenTopics(4, 6),
  ],
  /** The pools before it. */
  woofi_swap_rebate: ['WooSwap(address,address,uint256,uint256,address,address,address)', 'maker', tokenTopics(4, 4)],
} as const satisfies ExchangeEvents
