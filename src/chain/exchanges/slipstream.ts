// Slipstream, the range pools of Aerodrome and Velodrome. They log as Uniswap V3's do, their fee changes, and a factory
// distinguishes them by tick spacing. Source: github.com/velodrome-finance/slipstream, ICLFactory.sol.
import { address, flag, none, shape, topic, venue, word } from '../columns/shape.ts'
import type { ExchangeEvents, PoolTraits } from './exchange.ts'
import { UNISWAP_V3 } from './uniswap-v3.ts'

export const SLIPSTREAM_EVENTS = {
  slipstream_pool_created: [
    'PoolCreated(address,address,int24,address)',
    'slipstream',
    shape('pool_opened', 4, 1, {
      venue: venue('slipstream'),
      token0: address(topic(1)),
      token1: address(topic(2)),
      fee: none,
      stable: flag(null),
      pool: address(word(0)),
    }),
  ],
} as const satisfies ExchangeEvents

export const SLIPSTREAM: PoolTraits = {
  ...UNISWAP_V3,
  key: '0xd0c93a7c', // tickSpacing()
  find: '0x28af8d0b', // getPool(address,address,int24)
  keyIsFee: false,
}
