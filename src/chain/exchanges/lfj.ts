// LFJ (Trader Joe) Liquidity Book: liquidity in bins, each of one price. Both amounts of a swap share one word: the
// lower half is token X, the upper half token Y. Version 2.0 logs two words. A change of liquidity has one such word
// per bin. Source: github.com/lfj-gg/joe-v2, ILBPair.sol and ILBFactory.sol (tags v2.0 to v2.2).
import { coinOf, halvesSummed, noEntries, oneHalf, sideOfHalf } from '../columns/lists.ts'
import { address, none, openShape, topic, uint, word } from '../columns/shape.ts'
import { coinsSwap } from './coins-swap.ts'
import { type Exchange, poolOpened } from './exchange.ts'

const change = (isOut: boolean) =>
  openShape('coins_change', 3, 4, {
    pool: none,
    provider: address(topic(2)),
    coins: noEntries,
    fees: noEntries,
    amounts: halvesSummed(1, isOut),
  })

export const LFJ = {
  about: { name: 'LFJ (Liquidity Book) 2.0 to 2.2', found: 'factory log, or `getLBPairInformation`', owner: 'signer' },
  reserves: 'balances',
  events: {
    lfj_pair: [
      'LBPairCreated(address,address,uint256,address,uint256)',
      'factory',
      poolOpened(4, 2, [topic(1), topic(2), word(0)]),
    ],
    lfj_swap: [
      'Swap(address,address,uint24,bytes32,bytes32,uint24,bytes32,bytes32)',
      'pool',
      coinsSwap(3, 6, {
        coinIn: sideOfHalf(1),
        coinOut: sideOfHalf(2),
        amountIn: oneHalf(1),
        amountOut: oneHalf(2),
      }),
    ],
    lfj_swap_20: [
      'Swap(address,address,uint256,bool,uint256,uint256,uint256,uint256)',
      'pool',
      coinsSwap(4, 5, {
        coinIn: coinOf(0, 0, 1),
        coinOut: coinOf(0, 1, 0),
        amountIn: uint(word(1)),
        amountOut: uint(word(2)),
      }),
    ],
    lfj_add: ['DepositedToBins(address,address,uint256[],bytes32[])', 'pool', change(false)],
    lfj_remove: ['WithdrawnFromBins(address,address,uint256[],bytes32[])', 'pool', change(true)],
  },
  deployed: [
    {
      address: '0x8e42f2f4101563bf679975178e880fd87d3efd4e',
      launchpad: 'lfj',
      chains: { 56: 'published', 42161: 'published' },
    },
    {
      address: '0xb43120c4745967fa9b93e79c149e66b0f2d6fe0c',
      launchpad: 'lfj',
      chains: { 56: 'published', 42161: 'published' },
    },
  ],
} as const satisfies Exchange
