// Solidly and its forks (Aerodrome, Velodrome, THENA V1): pairs like Uniswap V2's. Some follow the stable curve x^3 y +
// y^3 x. Fees leave the pair, so only Sync shows the reserves. Aave logs a Burn with the same topic. Sources:
// github.com/aerodrome-finance/contracts, Pool.sol and PoolFactory.sol; github.com/andrecronje/solidly,
// BaseV1-core.sol.
import { address, shape, topic, uint, word } from '../columns/shape.ts'
import { type Exchange, poolOpened } from './exchange.ts'
import { amounts, pairSwap } from './uniswap-v2.ts'

/** Aerodrome and Velodrome V2. */
export const SOLIDLY = {
  about: {
    name: 'Aerodrome, Velodrome V2 (Solidly)',
    found: 'factory log, or `getPool(token, token, stable)`',
    price: 'reserves; stable pools: derivative of x³y + y³x',
    seen: '2 of 2',
  },
  pools: {
    pool: 'v2',
    key: 'stable()',
    find: 'getPool(address,address,bool)',
    keyIsFee: false,
    keyIsStable: true,
    fee: null,
    price: null,
  },
  events: {
    solidly_pool_created: [
      'PoolCreated(address,address,bool,address,uint256)',
      'factory',
      poolOpened(4, 2, [topic(1), topic(2), word(0)], { stable: topic(3) }),
    ],
    solidly_sync: [
      'Sync(uint256,uint256)',
      'pool',
      shape('v2_sync', 1, 2, { reserve0: uint(word(0)), reserve1: uint(word(1)) }),
    ],
    solidly_swap: [
      'Swap(address,address,uint256,uint256,uint256,uint256)',
      'pool',
      shape('v2_swap', 3, 4, { to: address(topic(2)), ...pairSwap() }),
    ],
    solidly_burn: [
      'Burn(address,address,uint256,uint256)',
      'pool',
      shape('v2_burn', 3, 2, { to: address(topic(2)), ...amounts() }),
    ],
  },
} as const satisfies Exchange

/** The first Solidly's factory, which THENA V1 and Velodrome V1 use. */
export const SOLIDLY_V1 = {
  about: { name: 'THENA V1, Solidly V1', found: 'factory log, or `getPair(token, token, stable)`', price: 'as above' },
  pools: { ...SOLIDLY.pools, find: 'getPair(address,address,bool)' },
  logsAs: 'solidly',
  events: {
    solidly_pair_created: [
      'PairCreated(address,address,bool,address,uint256)',
      'factory',
      poolOpened(3, 3, [topic(1), topic(2), word(1)], { stable: word(0) }),
    ],
  },
} as const satisfies Exchange
