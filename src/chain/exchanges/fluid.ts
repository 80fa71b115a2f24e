// Fluid's exchange: pools of two tokens that lie with its lending layer, so no log shows the reserves. Source:
// github.com/Instadapp/fluid-contracts-public, protocols/dex (poolT1, factory).
import { coinOf } from '../columns/lists.ts'
import { address, flag, none, shape, topic, uint, venue, word } from '../columns/shape.ts'
import { coinsSwap } from './coins-swap.ts'
import type { ExchangeEvents } from './exchange.ts'

export const FLUID_EVENTS = {
  fluid_pool: [
    'DexT1Deployed(address,uint256,address,address)',
    'fluid',
    shape('pool_opened', 4, 1, {
      venue: venue('fluid'),
      token0: address(topic(2)),
      token1: address(topic(3)),
      fee: none,
      stable: flag(null),
      pool: address(topic(1)),
    }),
  ],
  fluid_swap: [
    'Swap(bool,uint256,uint256,address)',
    'fluid_pool',
    coinsSwap(1, 4, {
      coinIn: coinOf(0, 0, 1),
      coinOut: coinOf(0, 1, 0),
      amountIn: uint(word(1)),
      amountOut: uint(word(2)),
    }),
  ],
} as const satisfies ExchangeEvents
