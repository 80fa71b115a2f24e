// PancakeSwap Infinity, range pools (CL): like Uniswap V4, with a vault that holds the tokens and a manager that logs.
// Its ModifyLiquidity without fees has Uniswap V4's topic; the emitter distinguishes them. Source:
// github.com/pancakeswap/infinity-core, ICLPoolManager.sol.
import { address, bitsFrom, id, lowBits, number, shape, topic, uint, word } from '../columns/shape.ts'
import type { Exchange } from './exchange.ts'
import { infinityRights } from './hooks.ts'
import { managedChange, managedSwap } from './uniswap-v4.ts'

export const PANCAKE_INFINITY = {
  about: { name: 'PancakeSwap Infinity CL', preset: 'CLPoolManager', found: '`Initialize`', owner: 'as Uniswap V4' },
  manager: { hasRanges: true, rightsOf: infinityRights },
  events: {
    infinity_initialize: [
      'Initialize(bytes32,address,address,address,uint24,bytes32,uint160,int24)',
      'factory',
      shape('v4_initialize', 4, 5, {
        pool: id(topic(1)),
        token0: address(topic(2)),
        token1: address(topic(3)),
        fee: number(word(1), 24),
        tickSpacing: bitsFrom(word(2), 16, 24),
        hooks: address(word(0)),
        rights: lowBits(word(2), 14),
        sqrtPriceX96: uint(word(3), 160),
      }),
    ],
    infinity_modify: ['ModifyLiquidity(bytes32,address,int24,int24,int256,bytes32)', 'factory', managedChange(4)],
    infinity_modify_fees: [
      'ModifyLiquidity(bytes32,address,int24,int24,int256,bytes32,int256)',
      'factory',
      managedChange(5),
    ],
    infinity_swap: [
      'Swap(bytes32,address,int128,int128,uint160,uint128,int24,uint24,uint16)',
      'factory',
      managedSwap(7),
    ],
  },
  deployed: [
    {
      address: '0xa0ffb9c1ce1fe56963b0321b32e7a0302114058b',
      launchpad: 'pancakeswap_infinity',
      positions: '0x55f4c8aba71a1e923edc303eb4feff14608cc226',
      chains: { 56: 'published', 8453: 'recorded' },
    },
  ],
} as const satisfies Exchange
