// Solidly and its forks (Aerodrome, Velodrome, THENA V1): pairs like Uniswap V2's. Some follow the stable curve x^3 y +
// y^3 x. Fees leave the pair, so only Sync shows the reserves. Aave logs a Burn with the same topic. Sources:
// github.com/aerodrome-finance/contracts, Pool.sol and PoolFactory.sol; github.com/andrecronje/solidly,
// BaseV1-core.sol.
import { address, flag, none, shape, topic, uint, venue, word } from '../columns/shape.ts'
import type { ExchangeEvents, PoolTraits } from './exchange.ts'
import { amounts, pairSwap } from './uniswap-v2.ts'

export const SOLIDLY_EVENTS = {
  solidly_pool_created: [
    'PoolCreated(address,address,bool,address,uint256)',
    'solidly',
    shape('pool_opened', 4, 2, {
      venue: venue('solidly'),
      token0: address(topic(1)),
      token1: address(topic(2)),
      fee: none,
      stable: flag(topic(3)),
      pool: address(word(0)),
    }),
  ],
  solidly_pair_created: [
    'PairCreated(address,address,bool,address,uint256)',
    'solidly_v1',
    shape('pool_opened', 3, 3, {
      venue: venue('solidly_v1'),
      token0: address(topic(1)),
      token1: address(topic(2)),
      fee: none,
      stable: flag(word(0)),
      pool: address(word(1)),
    }),
  ],
  solidly_sync: [
    'Sync(uint256,uint256)',
    'solidly_pool',
    shape('v2_sync', 1, 2, { reserve0: uint(word(0)), reserve1: uint(word(1)) }),
  ],
  solidly_swap: [
    'Swap(address,address,uint256,uint256,uint256,uint256)',
    'solidly_pool',
    shape('v2_swap', 3, 4, { to: address(topic(2)), ...pairSwap() }),
  ],
  solidly_burn: [
    'Burn(address,address,uint256,uint256)',
    'solidly_pool',
    shape('v2_burn', 3, 2, { to: address(topic(2)), ...amounts() }),
  ],
  /** A gauge holds shares for `to`, who can withdraw them at any time. */
  gauge_deposit: [
    'Deposit(address,address,uint256)',
    'solidly_pool',
    shape('shares_staked', 3, 1, { owner: address(topic(2)), amount: uint(word(0)) }),
  ],
  gauge_withdraw: [
    'Withdraw(address,uint256)',
    'solidly_pool',
    shape('shares_unstaked', 2, 1, { owner: address(topic(1)), amount: uint(word(0)) }),
  ],
} as const satisfies ExchangeEvents

/** The factories of Aerodrome and of Velodrome V2. */
export const SOLIDLY: PoolTraits = {
  pool: 'v2',
  key: '0x22be3de1', // stable()
  find: '0x79bc57d5', // getPool(address,address,bool)
  keyIsFee: false,
  keyIsStable: true,
  fee: null,
  price: null,
}

/** The first Solidly's factory, which THENA V1 and Velodrome V1 use. */
export const SOLIDLY_V1: PoolTraits = { ...SOLIDLY, find: '0x6801cc30' } // getPair(address,address,bool)
