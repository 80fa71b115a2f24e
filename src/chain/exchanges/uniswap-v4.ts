// Uniswap V4: one manager holds all pools, each known by 32 bytes. Its amounts are the swapper's side, so their sign is
// inverted here. Changes of zero are not decoded: a hook that collects fees makes dozens in a swap. Source:
// github.com/Uniswap/v4-core, IPoolManager.sol.
import {
  address,
  id,
  int,
  lowBits,
  nonZero,
  number,
  paidOut,
  type Shape,
  shape,
  tick,
  topic,
  uint,
  word,
} from '../columns/shape.ts'
import type { Exchange } from './exchange.ts'

/** A change of a position's liquidity; some managers append the collected fees. */
export const managedChange = (words: number): Shape =>
  shape('v4_modify', 3, words, {
    pool: id(topic(1)),
    sender: address(topic(2)),
    tickLower: tick(word(0)),
    tickUpper: tick(word(1)),
    liquidity: nonZero(int(word(2))),
    salt: uint(word(3)),
  })

/** A swap; some managers append the protocol's fee. */
export const managedSwap = (words: number): Shape =>
  shape('v4_swap', 3, words, {
    pool: id(topic(1)),
    sender: address(topic(2)),
    amount0: paidOut(word(0)),
    amount1: paidOut(word(1)),
    sqrtPriceX96: uint(word(2), 160),
    liquidity: uint(word(3), 128),
    tick: tick(word(4)),
    fee: number(word(5), 24),
  })

export const UNISWAP_V4 = {
  about: {
    name: 'Uniswap V4',
    preset: 'PoolManager',
    found: '`Initialize`',
    owner: 'holder of the position token, else the caller',
  },
  manager: { hasRanges: true, rightsOf: (bits) => bits },
  events: {
    v4_initialize: [
      'Initialize(bytes32,address,address,uint24,int24,address,uint160,int24)',
      'factory',
      shape('v4_initialize', 4, 5, {
        pool: id(topic(1)),
        token0: address(topic(2)),
        token1: address(topic(3)),
        fee: number(word(0), 24),
        tickSpacing: tick(word(1)),
        hooks: address(word(2)),
        rights: lowBits(word(2), 14),
        sqrtPriceX96: uint(word(3), 160),
      }),
    ],
    v4_modify: ['ModifyLiquidity(bytes32,address,int24,int24,int256,bytes32)', 'factory', managedChange(4)],
    v4_swap: ['Swap(bytes32,address,int128,int128,uint160,uint128,int24,uint24)', 'factory', managedSwap(6)],
  },
} as const satisfies Exchange
