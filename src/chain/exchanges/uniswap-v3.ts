// Uniswap V3 and its forks: liquidity in ranges, pools that hold their tokens.
// Source: github.com/Uniswap/v3-core, IUniswapV3PoolEvents.sol and IUniswapV3Factory.sol.
import { address, flag, int, number, type Shape, shape, tick, topic, uint, venue, word } from '../columns/shape.ts'
import type { ExchangeEvents, PoolTraits } from './exchange.ts'

/** All V3 swaps begin with these five words; some forks append fees. */
export const rangeSwap = (words: number): Shape =>
  shape('v3_swap', 3, words, {
    amount0: int(word(0)),
    amount1: int(word(1)),
    sqrtPriceX96: uint(word(2), 160),
    liquidity: uint(word(3), 128),
    tick: tick(word(4)),
  })

/** Owner and ticks are indexed; the amounts start at word `first`, because Mint has its sender before them. */
export const rangeChange = (first: number) => ({
  owner: address(topic(1)),
  tickLower: tick(topic(2)),
  tickUpper: tick(topic(3)),
  liquidity: uint(word(first), 128),
  amount0: uint(word(first + 1)),
  amount1: uint(word(first + 2)),
})

export const UNISWAP_V3_EVENTS = {
  pool_created: [
    'PoolCreated(address,address,uint24,int24,address)',
    'v3',
    shape('pool_opened', 4, 2, {
      venue: venue('v3'),
      token0: address(topic(1)),
      token1: address(topic(2)),
      fee: number(topic(3), 24),
      stable: flag(null),
      pool: address(word(1)),
    }),
  ],
  v3_initialize: [
    'Initialize(uint160,int24)',
    'any',
    shape('v3_initialize', 1, 2, { sqrtPriceX96: uint(word(0), 160), tick: tick(word(1)) }),
  ],
  v3_mint: ['Mint(address,address,int24,int24,uint128,uint256,uint256)', 'any', shape('v3_mint', 4, 4, rangeChange(1))],
  v3_burn: ['Burn(address,int24,int24,uint128,uint256,uint256)', 'any', shape('v3_burn', 4, 3, rangeChange(0))],
  v3_swap: ['Swap(address,address,int256,int256,uint160,uint128,int24)', 'any', rangeSwap(5)],
  /** PancakeSwap V3 also logs the protocol's fees. */
  v3_swap_fees: ['Swap(address,address,int256,int256,uint160,uint128,int24,uint128,uint128)', 'any', rangeSwap(7)],
} as const satisfies ExchangeEvents

export const UNISWAP_V3: PoolTraits = {
  pool: 'v3',
  key: '0xddca3f43', // fee()
  find: '0x1698ee82', // getPool(address,address,uint24)
  keyIsFee: true,
  keyIsStable: false,
  fee: null,
  price: '0x3850c7bd', // slot0()
}
