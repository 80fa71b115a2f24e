// PancakeSwap Infinity, range pools (CL): like Uniswap V4, with a vault that holds the tokens and a manager that logs.
// Its ModifyLiquidity without fees has Uniswap V4's topic; the emitter distinguishes them. Source:
// github.com/pancakeswap/infinity-core, ICLPoolManager.sol.
import { address, bitsFrom, id, lowBits, number, shape, topic, uint, word } from '../columns/shape.ts'
import type { ExchangeEvents } from './exchange.ts'
import { managedChange, managedSwap } from './uniswap-v4.ts'

export const PANCAKE_INFINITY_EVENTS = {
  infinity_initialize: [
    'Initialize(bytes32,address,address,address,uint24,bytes32,uint160,int24)',
    'infinity',
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
  infinity_modify: ['ModifyLiquidity(bytes32,address,int24,int24,int256,bytes32)', 'infinity', managedChange(4)],
  infinity_modify_fees: [
    'ModifyLiquidity(bytes32,address,int24,int24,int256,bytes32,int256)',
    'infinity',
    managedChange(5),
  ],
  infinity_swap: [
    'Swap(bytes32,address,int128,int128,uint160,uint128,int24,uint24,uint16)',
    'infinity',
    managedSwap(7),
  ],
} as const satisfies ExchangeEvents
