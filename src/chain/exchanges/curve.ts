// Curve: pools of two to eight coins. A trade names coins by their number in the pool. Stable pools log it as int128,
// crypto pools as uint256, and pools of the newest generation (NG) add the fee. A metapool trades another pool's
// shares; exchange_underlying counts that pool's coins too. Each number of coins has its own signature of liquidity
// logs. Sources: github.com/curvefi/curve-contract (StableSwap, pool-templates), curve-crypto-contract, stableswap-ng,
// twocrypto-ng, tricrypto-ng.
import { addressRow, amountList, amountOfOne, amountRow, noEntries } from '../columns/lists.ts'
import {
  address,
  always,
  flag,
  none,
  number,
  openShape,
  type Shape,
  shape,
  topic,
  uint,
  word,
} from '../columns/shape.ts'
import { coinsSwap } from './coins-swap.ts'
import type { Exchange } from './exchange.ts'

/** A coin's number. */
const coin = (at: number) => number(word(at), 8)

const exchange = (words: number, isUnderlying = flag(null)): Shape =>
  coinsSwap(2, words, {
    coinIn: coin(0),
    coinOut: coin(2),
    amountIn: uint(word(1)),
    amountOut: uint(word(3)),
    isUnderlying,
  })

const provided = { pool: none, provider: address(topic(1)), coins: noEntries, fees: noEntries }

const change = (words: number, coins: number, isOut: boolean): Shape =>
  shape('coins_change', 2, words, { ...provided, amounts: amountRow(0, coins, isOut) })

const listed = (words: number, first: number, coins: number): Shape =>
  openShape('coins_listed', 2, words, {
    pool: address(topic(1)),
    coins: addressRow(first, coins),
  })

const taken = (words: number, coinAt: number, amountAt: number): Shape =>
  shape('coins_change', 2, words, { ...provided, amounts: amountOfOne(coinAt, amountAt) })

const takenForShares = (words: number): Shape =>
  shape('coins_taken', 2, words, { provider: address(topic(1)), numbers: amountRow(0, words) })

const listChange = (words: number, isOut: boolean): Shape =>
  openShape('coins_change', 2, words, { ...provided, amounts: amountList(0, isOut) })

/** One amount per coin of the pool, and in stable pools one fee per coin. */
const ofCoins = (name: string, types: string, coins: number): string =>
  `${name}(address,${types.replaceAll('N', `uint256[${coins}]`)})`

/** A change of a stable pool: amounts, fees, and the invariant, the total of its shares or both. */
const stable = (name: string, coins: number, rest: 1 | 2, isOut: boolean) =>
  [ofCoins(name, `N,N${',uint256'.repeat(rest)}`, coins), 'pool', change(2 * coins + rest, coins, isOut)] as const

/** A change of a crypto pool: amounts, then numbers. */
const crypto = (name: string, coins: number, rest: 1 | 2 | 3, isOut: boolean) =>
  [ofCoins(name, `N${',uint256'.repeat(rest)}`, coins), 'pool', change(coins + rest, coins, isOut)] as const

export const CURVE = {
  about: {
    name: 'Curve: stable, crypto, NG, metapools',
    preset: 'address provider, or a factory',
    found: "crypto factories' logs, or the registry",
    owner: 'holders of shares, where the pool is the share token',
    seen: '17 of 17',
  },
  reserves: 'balances',
  events: {
    curve_swap: ['TokenExchange(address,int128,uint256,int128,uint256)', 'pool', exchange(4)],
    curve_crypto_swap: ['TokenExchange(address,uint256,uint256,uint256,uint256)', 'pool', exchange(4)],
    curve_ng_swap: ['TokenExchange(address,uint256,uint256,uint256,uint256,uint256,uint256)', 'pool', exchange(6)],
    curve_underlying_swap: [
      'TokenExchangeUnderlying(address,int128,uint256,int128,uint256)',
      'pool',
      exchange(4, always),
    ],
    curve_twocrypto: [
      'TwocryptoPoolDeployed(address,string,string,address,address[2],address,bytes32,uint256[2],uint256,uint256,uint256,uint256,address)',
      'factory',
      listed(14, 3, 2),
    ],
    curve_tricrypto: [
      'TricryptoPoolDeployed(address,string,string,address,address[3],address,bytes32,uint256,uint256,uint256,uint256,address)',
      'factory',
      listed(13, 3, 3),
    ],
    curve_add_2: stable('AddLiquidity', 2, 2, false),
    curve_add_3: stable('AddLiquidity', 3, 2, false),
    curve_add_4: stable('AddLiquidity', 4, 2, false),
    curve_remove_2: stable('RemoveLiquidity', 2, 1, true),
    curve_remove_3: stable('RemoveLiquidity', 3, 1, true),
    curve_remove_4: stable('RemoveLiquidity', 4, 1, true),
    curve_remove_uneven_2: stable('RemoveLiquidityImbalance', 2, 2, true),
    curve_remove_uneven_3: stable('RemoveLiquidityImbalance', 3, 2, true),
    curve_remove_uneven_4: stable('RemoveLiquidityImbalance', 4, 2, true),
    curve_crypto_add_2: crypto('AddLiquidity', 2, 2, false),
    curve_crypto_add_3: crypto('AddLiquidity', 3, 2, false),
    curve_crypto_ng_add_2: crypto('AddLiquidity', 2, 3, false),
    curve_crypto_ng_add_3: crypto('AddLiquidity', 3, 3, false),
    curve_crypto_remove_2: crypto('RemoveLiquidity', 2, 1, true),
    curve_crypto_remove_3: crypto('RemoveLiquidity', 3, 1, true),
    curve_ng_add: ['AddLiquidity(address,uint256[],uint256[],uint256,uint256)', 'pool', listChange(6, false)],
    curve_ng_remove: ['RemoveLiquidity(address,uint256[],uint256[],uint256)', 'pool', listChange(5, true)],
    curve_ng_remove_uneven: [
      'RemoveLiquidityImbalance(address,uint256[],uint256[],uint256,uint256)',
      'pool',
      listChange(6, true),
    ],
    curve_ng_remove_one: ['RemoveLiquidityOne(address,int128,uint256,uint256,uint256)', 'pool', taken(4, 0, 2)],
    /** Older pools: two or three words, whose meaning differs by pool. */
    curve_remove_one_2: ['RemoveLiquidityOne(address,uint256,uint256)', 'pool', takenForShares(2)],
    curve_remove_one_3: ['RemoveLiquidityOne(address,uint256,uint256,uint256)', 'pool', takenForShares(3)],
    /** Of a crypto pool of the newest generation. */
    curve_crypto_ng_remove_one: [
      'RemoveLiquidityOne(address,uint256,uint256,uint256,uint256,uint256)',
      'pool',
      taken(5, 1, 2),
    ],
  },
  deployed: [
    {
      address: '0x5ffe7fb82894076ecb99a30d6a32e969e6e35e98',
      launchpad: 'curve',
      chains: { 1: 'published', 56: 'published', 137: 'published', 8453: 'published', 42161: 'published' },
    },
  ],
} as const satisfies Exchange

/** PancakeSwap StableSwap: its pools log as Curve's. */
export const PANCAKE_STABLE = {
  about: { name: 'PancakeSwap StableSwap', found: '`getPairInfo` of both coins', owner: 'as Curve' },
  reserves: 'balances',
  events: {},
} as const satisfies Exchange
