// Maverick V2: pools of two tokens with bins that may follow the price.
// Source: github.com/maverickprotocol/v2-interfaces, IMaverickV2Pool.sol and IMaverickV2Factory.sol.
import { coinOf } from '../columns/lists.ts'
import { uint, word } from '../columns/shape.ts'
import { coinsSwap } from './coins-swap.ts'
import { type Exchange, poolOpened } from './exchange.ts'

export const MAVERICK = {
  about: { name: 'Maverick V2', found: 'factory log, or `isFactoryPool`' },
  reserves: 'balances',
  events: {
    maverick_pool: [
      'PoolCreated(address,uint8,uint256,uint256,uint256,int32,address,address,uint8,address)',
      'factory',
      poolOpened(1, 10, [word(6), word(7), word(0)]),
    ],
    /** Sender, recipient, four words of parameters (the amount asked for, whether token A came in, ...), amounts. */
    maverick_swap: [
      'PoolSwap(address,address,(uint256,bool,bool,int32),uint256,uint256)',
      'pool',
      coinsSwap(1, 8, {
        coinIn: coinOf(3, 0, 1),
        coinOut: coinOf(3, 1, 0),
        amountIn: uint(word(6)),
        amountOut: uint(word(7)),
      }),
    ],
  },
  deployed: [
    {
      address: '0x0a7e848aca42d879ef06507fca0e7b33a0a63c1e',
      launchpad: 'maverick',
      chains: { 1: 'published', 56: 'published', 8453: 'published', 42161: 'published' },
    },
  ],
} as const satisfies Exchange
