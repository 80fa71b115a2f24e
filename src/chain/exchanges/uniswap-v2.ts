// Uniswap V2 and its forks: pairs that are their own share token and log their reserves.
// Source: github.com/Uniswap/v2-core, UniswapV2Pair.sol and UniswapV2Factory.sol.
import { address, constant, type Field, shape, topic, uint, word } from '../columns/shape.ts'
import { type Exchange, poolOpened } from './exchange.ts'

/** The fee of Uniswap V2, 0.3 %, in hundredths of a basis point. Its pairs do not have it. */
const FEE = 3000

/** Amounts of both tokens in the first two words. */
export const amounts = (): { amount0: Field<bigint>; amount1: Field<bigint> } => ({
  amount0: uint(word(0)),
  amount1: uint(word(1)),
})

/** The fields of a swap: the amounts in and out of each token. */
export const pairSwap = () => ({
  amount0In: uint(word(0)),
  amount1In: uint(word(1)),
  amount0Out: uint(word(2)),
  amount1Out: uint(word(3)),
})

export const UNISWAP_V2 = {
  about: { name: 'Uniswap V2 and forks', found: 'factory log, or `getPair`', seen: '51 of 52' },
  pools: {
    pool: 'v2',
    key: null,
    find: 'getPair(address,address)',
    keyIsFee: false,
    keyIsStable: false,
    fee: FEE,
    price: null,
  },
  events: {
    pair_created: [
      'PairCreated(address,address,address,uint256)',
      'factory',
      poolOpened(3, 2, [topic(1), topic(2), word(0)], { fee: constant(FEE) }),
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
      shape('v2_swap', 3, 4, { to: address(topic(2)), ...pairSwap() }),
    ],
    v2_sync: [
      'Sync(uint112,uint112)',
      'any',
      shape('v2_sync', 1, 2, { reserve0: uint(word(0), 112), reserve1: uint(word(1), 112) }),
    ],
  },
  deployed: [
    {
      address: '0x02a84c1b3bbd7401a5f7fa98a384ebc70bb5749e',
      launchpad: 'pancakeswap_v2',
      chains: { 8453: 'published', 42161: 'published' },
    },
    {
      address: '0xc35dadb65012ec5796536bd9864ed8773abc74c4',
      launchpad: 'sushiswap',
      chains: { 56: 'published', 137: 'published', 42161: 'published' },
    },
    {
      address: '0x8909dc15e40173ff4699343b6eb8132c65e18ec6',
      launchpad: 'uniswap_v2',
      chains: { 56: 'published', 8453: 'published' },
    },
  ],
} as const satisfies Exchange
