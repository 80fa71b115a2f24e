// Maverick V2: pools of two tokens with bins that may follow the price.
// Source: github.com/maverickprotocol/v2-interfaces, IMaverickV2Pool.sol and IMaverickV2Factory.sol.
import { coinOf } from '../columns/lists.ts'
import { address, flag, none, shape, uint, venue, word } from '../columns/shape.ts'
import { coinsSwap } from './coins-swap.ts'
import type { ExchangeEvents } from './exchange.ts'

export const MAVERICK_EVENTS = {
  maverick_pool: [
    'PoolCreated(address,uint8,uint256,uint256,uint256,int32,address,address,uint8,address)',
    'maverick',
    shape('pool_opened', 1, 10, {
      venue: venue('maverick'),
      token0: address(word(6)),
      token1: address(word(7)),
      fee: none,
      stable: flag(null),
      pool: address(word(0)),
    }),
  ],
  /** Sender, recipient, four words of parameters (the amount asked for, whether token A came in, ...), amounts. */
  maverick_swap: [
    'PoolSwap(address,address,(uint256,bool,bool,int32),uint256,uint256)',
    'maverick_pool',
    coinsSwap(1, 8, {
      coinIn: coinOf(3, 0, 1),
      coinOut: coinOf(3, 1, 0),
      amountIn: uint(word(6)),
      amountOut: uint(word(7)),
    }),
  ],
} as const satisfies ExchangeEvents
