// Uniswap V3 and its forks: liquidity in ranges, pools that hold their tokens.
// Source: github.com/Uniswap/v3-core, IUniswapV3PoolEvents.sol and IUniswapV3Factory.sol.
import { address, int, number, type Shape, shape, tick, topic, uint, word } from '../columns/shape.ts'
import { type Exchange, poolOpened } from './exchange.ts'
import { staked } from './position-tokens.ts'

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

export const UNISWAP_V3 = {
  about: { name: 'Uniswap V3 and forks, PancakeSwap V3', found: 'factory log, or `getPool`', seen: '92 of 92' },
  pools: {
    pool: 'v3',
    key: 'fee()',
    find: 'getPool(address,address,uint24)',
    keyIsFee: true,
    keyIsStable: false,
    fee: null,
    price: 'slot0()',
  },
  events: {
    /** PancakeSwap's MasterChef V3 (github.com/pancakeswap/pancake-v3-contracts). */
    position_staked_farm: ['Deposit(address,uint256,uint256,uint256,int24,int24)', 'pool', staked(3, 3)],
    pool_created: [
      'PoolCreated(address,address,uint24,int24,address)',
      'factory',
      poolOpened(4, 2, [topic(1), topic(2), word(1)], { fee: number(topic(3), 24) }),
    ],
    v3_initialize: [
      'Initialize(uint160,int24)',
      'any',
      shape('v3_initialize', 1, 2, { sqrtPriceX96: uint(word(0), 160), tick: tick(word(1)) }),
    ],
    v3_mint: [
      'Mint(address,address,int24,int24,uint128,uint256,uint256)',
      'any',
      shape('v3_mint', 4, 4, rangeChange(1)),
    ],
    v3_burn: ['Burn(address,int24,int24,uint128,uint256,uint256)', 'any', shape('v3_burn', 4, 3, rangeChange(0))],
    v3_swap: ['Swap(address,address,int256,int256,uint160,uint128,int24)', 'any', rangeSwap(5)],
    /** PancakeSwap V3 also logs the protocol's fees. */
    v3_swap_fees: ['Swap(address,address,int256,int256,uint160,uint128,int24,uint128,uint128)', 'any', rangeSwap(7)],
  },
  deployed: [
    {
      address: '0x0bfbcf9fa4f9c56b0f40a671ad40e0805a091865',
      launchpad: 'pancakeswap_v3',
      positions: '0x46a15b0b27311cedf172ab29e4f4766fbe7f4364',
      chains: { 1: 'published', 56: 'published', 8453: 'published', 42161: 'published' },
    },
    {
      address: '0x1f98431c8ad98523631ae4a59f267346ea31f984',
      launchpad: 'uniswap_v3',
      positions: '0xc36442b4a4522e871399cd717abdd847ab11fe88',
      chains: { 1: 'published', 137: 'published', 42161: 'published' },
    },
  ],
} as const satisfies Exchange
