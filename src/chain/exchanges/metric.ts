// Metric: pools of two tokens at the price of an oracle, which the pool's owner chooses. So a pool prices nothing, and no
// log shows what it could pay. Deltas are the pool's side: a positive one flowed in. Sources:
// github.com/duneanalytics/spellbook (macro of its trades), github.com/DefiLlama/dimension-adapters, DefiLlama-Adapters.
import { amountPaid, coinPaid, deltaHalf, sideOfDelta } from '../columns/lists.ts'
import { topic, word } from '../columns/shape.ts'
import { coinsSwap } from './coins-swap.ts'
import { type Exchange, poolOpened } from './exchange.ts'

/** Two words, from word `at` on. The positive one was paid. */
const byWords = (topics: number, words: number, at: number) =>
  coinsSwap(topics, words, {
    coinIn: coinPaid(at, true),
    coinOut: coinPaid(at),
    amountIn: amountPaid(at, true),
    amountOut: amountPaid(at),
  })

export const METRIC = {
  about: { name: 'Metric', found: 'factory log' },
  reserves: 'unknown',
  events: {
    /** Names the owner of the price too, and the pool's key. */
    metric_pool: [
      'PoolCreated(address,address,address,address,bytes32)',
      'factory',
      poolOpened(4, 2, [topic(1), topic(2), word(0)]),
    ],
    /** The second and third factory: 18 words follow the topics. No source prints all their types. */
    metric_pool_v1: [
      '0x4b36a0ddce54edb36597ee7d496df06c53fe875aba9d7257534a38d5177899aa',
      'factory',
      { ...poolOpened(4, 1, [topic(2), topic(3), topic(1)]), isOpen: true },
    ],
    metric_swap: ['Swap(address,address,bool,int128,int128,int16,uint104)', 'pool', byWords(1, 7, 3)],
    metric_swap_v1: ['Swap(address,address,bool,int256,int256,int8,uint104,uint256)', 'pool', byWords(3, 6, 1)],
    /** One word has both deltas; token 0's is the upper half. */
    metric_swap_v2: [
      'Swap(address,address,uint256,uint256,uint256)',
      'pool',
      coinsSwap(3, 3, {
        coinIn: sideOfDelta(word(1), true),
        coinOut: sideOfDelta(word(1)),
        amountIn: deltaHalf(word(1), true),
        amountOut: deltaHalf(word(1)),
      }),
    ],
  },
  deployed: [
    {
      address: '0x622911384e7973439b8be305f5e3fc3c5736ede4',
      launchpad: 'metric',
      chains: { 1: 'published', 999: 'published', 4663: 'published', 8453: 'published', 42161: 'published' },
    },
    {
      address: '0xa32761549a1de40060c194c86a8df24f0a29ba2d',
      launchpad: 'metric',
      chains: { 1: 'published', 56: 'published', 137: 'published', 8453: 'published', 42161: 'published' },
    },
    {
      address: '0xe22f9fc0f04486de25ed6cf1800a4a47afd82e0c',
      launchpad: 'metric',
      fromBlock: {
        1: 24521185,
        56: 82964761,
        137: 83380134,
        143: 64807339,
        999: 30774348,
        4326: 9083666,
        4663: 9477535,
        8453: 42540736,
        42161: 435210755,
      },
      chains: {
        1: 'published',
        56: 'published',
        137: 'published',
        143: 'published',
        999: 'published',
        4326: 'published',
        4663: 'published',
        8453: 'published',
        42161: 'published',
      },
    },
  ],
} as const satisfies Exchange
