// PancakeSwap Infinity, bins: like LFJ's, but a manager logs for all pools, each known by 32 bytes. Source:
// github.com/pancakeswap/infinity-core, IBinPoolManager.sol.
import { amountPaid, coinPaid, halvesSummed, noEntries } from '../columns/lists.ts'
import { address, bitsFrom, id, lowBits, number, openShape, shape, topic, word, zero } from '../columns/shape.ts'
import { coinsSwap } from './coins-swap.ts'
import type { Exchange } from './exchange.ts'
import { infinityRights } from './hooks.ts'

const change = (isOut: boolean, words: number, amountsAt: number) =>
  openShape('coins_change', 3, words, {
    pool: id(topic(1)),
    provider: address(topic(2)),
    coins: noEntries,
    fees: noEntries,
    amounts: halvesSummed(amountsAt, isOut),
  })

export const PANCAKE_INFINITY_BIN = {
  about: { name: 'PancakeSwap Infinity bins', preset: 'BinPoolManager', found: '`Initialize`', owner: 'signer' },
  manager: { hasRanges: false, rightsOf: infinityRights },
  reserves: 'counted',
  events: {
    infinity_bin_initialize: [
      'Initialize(bytes32,address,address,address,uint24,bytes32,uint24)',
      'factory',
      shape('v4_initialize', 4, 4, {
        pool: id(topic(1)),
        token0: address(topic(2)),
        token1: address(topic(3)),
        fee: number(word(1), 24),
        tickSpacing: bitsFrom(word(2), 16, 16),
        hooks: address(word(0)),
        rights: lowBits(word(2), 14),
        sqrtPriceX96: zero,
      }),
    ],
    infinity_bin_swap: [
      'Swap(bytes32,address,int128,int128,uint24,uint24,uint16)',
      'factory',
      coinsSwap(3, 5, {
        pool: id(topic(1)),
        coinIn: coinPaid(0),
        coinOut: coinPaid(0, true),
        amountIn: amountPaid(0),
        amountOut: amountPaid(0, true),
      }),
    ],
    infinity_bin_mint: [
      'Mint(bytes32,address,uint256[],bytes32,bytes32[],bytes32,bytes32)',
      'factory',
      change(false, 7, 2),
    ],
    infinity_bin_burn: ['Burn(bytes32,address,uint256[],bytes32,bytes32[])', 'factory', change(true, 5, 2)],
  },
  deployed: [
    {
      address: '0xc697d2898e0d09264376196696c51d7abbbaa4a9',
      launchpad: 'pancakeswap_infinity_bin',
      chains: { 56: 'published', 8453: 'published' },
    },
  ],
} as const satisfies Exchange
