// Slipstream, the range pools of Aerodrome and Velodrome. They log as Uniswap V3's do, their fee changes, and a factory
// distinguishes them by tick spacing. Source: github.com/velodrome-finance/slipstream, ICLFactory.sol.
import { topic, word } from '../columns/shape.ts'
import { type Exchange, poolOpened } from './exchange.ts'
import { staked } from './position-tokens.ts'
import { UNISWAP_V3 } from './uniswap-v3.ts'

export const SLIPSTREAM = {
  about: { name: 'Slipstream', found: 'factory log, or `getPool` by tick spacing' },
  pools: {
    ...UNISWAP_V3.pools,
    key: 'tickSpacing()',
    find: 'getPool(address,address,int24)',
    keyIsFee: false,
  },
  events: {
    /** Its gauges (ICLGauge.sol). */
    position_staked_gauge: ['Deposit(address,uint256,uint128)', 'pool', staked(2, 0)],
    slipstream_pool_created: [
      'PoolCreated(address,address,int24,address)',
      'factory',
      poolOpened(4, 1, [topic(1), topic(2), word(0)]),
    ],
  },
  deployed: [
    {
      address: '0x70fe4a44ea505cfa3a57b95cf2862d4fd5f0f687',
      launchpad: 'solidly_v3',
      chains: { 1: 'published', 8453: 'published', 42161: 'published' },
    },
  ],
} as const satisfies Exchange
