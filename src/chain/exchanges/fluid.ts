// Fluid's exchange: pools of two tokens that lie with its lending layer, so no log shows the reserves. Source:
// github.com/Instadapp/fluid-contracts-public, protocols/dex (poolT1, factory).
import { coinOf } from '../columns/lists.ts'
import { topic, uint, word } from '../columns/shape.ts'
import { coinsSwap } from './coins-swap.ts'
import { type Exchange, poolOpened } from './exchange.ts'

export const FLUID = {
  about: { name: 'Fluid', found: 'factory log, or `isDex`' },
  reserves: 'unknown',
  events: {
    fluid_pool: [
      'DexT1Deployed(address,uint256,address,address)',
      'factory',
      poolOpened(4, 1, [topic(2), topic(3), topic(1)]),
    ],
    fluid_swap: [
      'Swap(bool,uint256,uint256,address)',
      'pool',
      coinsSwap(1, 4, {
        coinIn: coinOf(0, 0, 1),
        coinOut: coinOf(0, 1, 0),
        amountIn: uint(word(1)),
        amountOut: uint(word(2)),
      }),
    ],
  },
  deployed: [
    {
      address: '0x91716c4eda1fb55e84bf8b4c7085f84285c19085',
      launchpad: 'fluid',
      chains: { 1: 'published', 137: 'published', 8453: 'published', 9745: 'one_source', 42161: 'published' },
    },
  ],
} as const satisfies Exchange
