// The contracts that hold positions in ranges for their owners, each as an ERC-721 token: NonfungiblePositionManager of
// Uniswap V3 and its forks, PositionManager of Uniswap V4. Uniswap V4's logs no amounts; there the pool's log has the
// token's number. Source: github.com/Uniswap/v3-periphery, INonfungiblePositionManager.sol.
import { address, nonZero, number, paidOut, type Shape, shape, topic, uint, word } from '../columns/shape.ts'
import type { ExchangeEvents } from './exchange.ts'

/** Numbers start at 1. No manager has given a number beyond 31 bits. */
const numberAt = (at: number) => number(topic(at), 31)

/** The pool's log has the amounts too. */
const changed = (liquidity: ReturnType<typeof uint>, words: number): Shape =>
  shape('position_changed', 2, words, { number: numberAt(1), liquidity: nonZero(liquidity) })

/** The staker of a token stays its owner. */
export const staked = (number: number, words: number): Shape =>
  shape('position_staked', 4, words, { number: numberAt(number), owner: address(topic(1)) })

export const POSITION_EVENTS = {
  /** The topic of an ERC-20 Transfer, with the token's number as a fourth one. */
  position_moved: [
    'Transfer(address,address,uint256)',
    'positions',
    shape('position_moved', 4, 0, { number: numberAt(3), from: address(topic(1)), to: address(topic(2)) }),
  ],
  position_increased: [
    'IncreaseLiquidity(uint256,uint128,uint256,uint256)',
    'positions',
    changed(uint(word(0), 128), 3),
  ],
  /** Algebra's log has first the desired amount, then the added one. */
  position_increased_algebra: [
    'IncreaseLiquidity(uint256,uint128,uint128,uint256,uint256,address)',
    'positions',
    changed(uint(word(1), 128), 5),
  ],
  position_collected: [
    'Collect(uint256,address,uint256,uint256)',
    'positions',
    shape('position_collected', 2, 3, { number: numberAt(1), amount0: uint(word(1)), amount1: uint(word(2)) }),
  ],
  position_decreased: ['DecreaseLiquidity(uint256,uint128,uint256,uint256)', 'positions', changed(paidOut(word(0)), 3)],
} as const satisfies ExchangeEvents
