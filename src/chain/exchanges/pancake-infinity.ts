// PancakeSwap Infinity, range pools (CL): as Uniswap V4, with a vault that holds the tokens and a manager that logs. Its
// ModifyLiquidity without fees has Uniswap V4's topic; the emitter tells them apart.
// Source: github.com/pancakeswap/infinity-core, ICLPoolManager.sol.
import {
  address,
  bitsFrom,
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
import type { ExchangeEvents } from './exchange.ts'

/** The newer managers append the fees that were collected. */
const changed = (words: number): Shape =>
  shape('v4_modify', 3, words, {
    pool: id(topic(1)),
    sender: address(topic(2)),
    tickLower: tick(word(0)),
    tickUpper: tick(word(1)),
    liquidity: nonZero(int(word(2))),
    salt: uint(word(3)),
  })

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
  infinity_modify: ['ModifyLiquidity(bytes32,address,int24,int24,int256,bytes32)', 'infinity', changed(4)],
  infinity_modify_fees: ['ModifyLiquidity(bytes32,address,int24,int24,int256,bytes32,int256)', 'infinity', changed(5)],
  infinity_swap: [
    'Swap(bytes32,address,int128,int128,uint160,uint128,int24,uint24,uint16)',
    'infinity',
    shape('v4_swap', 3, 7, {
      pool: id(topic(1)),
      sender: address(topic(2)),
      amount0: paidOut(word(0)),
      amount1: paidOut(word(1)),
      sqrtPriceX96: uint(word(2), 160),
      liquidity: uint(word(3), 128),
      tick: tick(word(4)),
      fee: number(word(5), 24),
    }),
  ],
} as const satisfies ExchangeEvents
