// The logs of tokens, pools and factories: signature, trusted emitter, and where the fields are. They cover Uniswap V2
// and V3, their forks, and the wrapped native coin. Signatures are from the published sources.
import { address, type Field, int, number, type Shape, shape, tick, topic, uint, word } from './shape.ts'

/** Any contract (the ledger confirms pools later), the chain's wrapped native coin, or a factory of the preset. */
export type PoolEmitter = 'any' | 'wrapped' | 'factory'

/** All V3 swaps begin with these five words; some forks append fees. */
const v3Swap = (words: number): Shape =>
  shape('v3_swap', 3, words, {
    amount0: int(word(0)),
    amount1: int(word(1)),
    sqrtPriceX96: uint(word(2), 160),
    liquidity: uint(word(3), 128),
    tick: tick(word(4)),
  })

/** Owner and ticks are indexed; the amounts start at word `first`, because Mint has its sender before them. */
const v3Change = (first: number) => ({
  owner: address(topic(1)),
  tickLower: tick(topic(2)),
  tickUpper: tick(topic(3)),
  liquidity: uint(word(first), 128),
  amount0: uint(word(first + 1)),
  amount1: uint(word(first + 2)),
})

const amounts = (): { amount0: Field<bigint>; amount1: Field<bigint> } => ({
  amount0: uint(word(0)),
  amount1: uint(word(1)),
})

const events = {
  /** Some tokens older than the standard index nothing: one topic, three words. ERC-721 has four topics. */
  transfer: [
    'Transfer(address,address,uint256)',
    'any',
    shape('transfer', 3, 1, { from: address(topic(1)), to: address(topic(2)), amount: uint(word(0)) }),
    shape('transfer', 1, 3, { from: address(word(0)), to: address(word(1)), amount: uint(word(2)) }),
  ],
  deposit: [
    'Deposit(address,uint256)',
    'wrapped',
    shape('deposit', 2, 1, { to: address(topic(1)), amount: uint(word(0)) }),
  ],
  withdrawal: [
    'Withdrawal(address,uint256)',
    'wrapped',
    shape('withdrawal', 2, 1, { from: address(topic(1)), amount: uint(word(0)) }),
  ],
  pair_created: [
    'PairCreated(address,address,address,uint256)',
    'factory',
    shape('pair_created', 3, 2, { token0: address(topic(1)), token1: address(topic(2)), pool: address(word(0)) }),
  ],
  v2_mint: ['Mint(address,uint256,uint256)', 'any', shape('v2_mint', 2, 2, amounts())],
  v2_burn: [
    'Burn(address,uint256,uint256,address)',
    'any',
    shape('v2_burn', 3, 2, { to: address(topic(2)), ...amounts() }),
  ],
  v2_swap: [
    'Swap(address,uint256,uint256,uint256,uint256,address)',
    'any',
    shape('v2_swap', 3, 4, {
      to: address(topic(2)),
      amount0In: uint(word(0)),
      amount1In: uint(word(1)),
      amount0Out: uint(word(2)),
      amount1Out: uint(word(3)),
    }),
  ],
  v2_sync: [
    'Sync(uint112,uint112)',
    'any',
    shape('v2_sync', 1, 2, { reserve0: uint(word(0), 112), reserve1: uint(word(1), 112) }),
  ],
  pool_created: [
    'PoolCreated(address,address,uint24,int24,address)',
    'factory',
    shape('pool_created', 4, 2, {
      token0: address(topic(1)),
      token1: address(topic(2)),
      fee: number(topic(3), 24),
      pool: address(word(1)),
    }),
  ],
  v3_initialize: [
    'Initialize(uint160,int24)',
    'any',
    shape('v3_initialize', 1, 2, { sqrtPriceX96: uint(word(0), 160), tick: tick(word(1)) }),
  ],
  v3_mint: ['Mint(address,address,int24,int24,uint128,uint256,uint256)', 'any', shape('v3_mint', 4, 4, v3Change(1))],
  v3_burn: ['Burn(address,int24,int24,uint128,uint256,uint256)', 'any', shape('v3_burn', 4, 3, v3Change(0))],
  v3_swap: ['Swap(address,address,int256,int256,uint160,uint128,int24)', 'any', v3Swap(5)],
  /** PancakeSwap V3 also logs the protocol's fees. */
  v3_swap_fees: ['Swap(address,address,int256,int256,uint160,uint128,int24,uint128,uint128)', 'any', v3Swap(7)],
} as const satisfies Record<string, readonly [signature: string, emitter: PoolEmitter, ...shapes: Shape[]]>

/** Signature, emitter and shapes of each event. */
export const POOL_EVENTS = events
export type PoolEventName = keyof typeof events
