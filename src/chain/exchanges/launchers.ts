// Launch venues that open a token's pool at an exchange themselves. Their log names the token and its creator, and only
// the preset's addresses count. Zora's and Clanker's logs also name the contract that holds the liquidity; Doppler's
// the contract that placed it, which later logs whether it keeps it. Doppler's logs and those of Zora's trends name no
// creator. Sources: github.com/ourzora/zora-protocol, IZoraFactory.sol, ICoin.sol; github.com/clanker-devco (v3.1, v4),
// IClanker.sol; github.com/whetstoneresearch/doppler, Airlock.sol, DopplerHookInitializer.sol;
// github.com/flayerlabs/flaunchgg-contracts, PositionManager.sol.
import { addressInTuple } from '../columns/lists.ts'
import { address, id, never, none, openShape, type Shape, shape, topic, word } from '../columns/shape.ts'
import type { Exchange } from './exchange.ts'

const POOL_KEY = '(address,address,uint24,int24,address)'

/**
 * The caller, the payee (the creator) and a referrer are indexed. The coin follows a currency and three texts, and the
 * pool's key follows the coin.
 */
const zora: Shape = openShape('launched', 4, 12, {
  token: address(word(4)),
  creator: address(topic(2)),
  keeper: address(word(9)),
})

/** Flaunch: the managers differ in the tuple of what the creator asked for, which follows the fee of the launch. */
const flaunchSignature = <Asked extends string>(asked: Asked) =>
  `PoolCreated(bytes32,address,address,uint256,bool,uint256,(${asked}))` as const

/** `entry`: the creator's place in the tuple. */
const flaunched = (entry: number): Shape =>
  openShape('launched', 2, 6, { token: address(word(0)), creator: addressInTuple(5, entry), keeper: none })

export const ZORA = {
  /** By its source a hook gives nothing back, and a coin at Uniswap V3 holds its own liquidity. */
  launch: { keptByHook: true, keptByToken: true, keptByLocker: false },
  events: {
    zora_coin: [
      `CoinCreatedV4(address,address,address,address,string,string,string,address,${POOL_KEY},bytes32,string)`,
      'factory',
      zora,
    ],
    zora_creator_coin: [
      `CreatorCoinCreated(address,address,address,address,string,string,string,address,${POOL_KEY},bytes32,string)`,
      'factory',
      zora,
    ],
    /** A text, the coin, the pool's key. */
    zora_trend_coin: [
      `TrendCoinCreated(address,string,address,${POOL_KEY},bytes32,bytes,string)`,
      'factory',
      openShape('launched', 2, 10, { token: address(word(1)), creator: none, keeper: address(word(6)) }),
    ],
    /** At Uniswap V3. */
    zora_coin_v3: [
      'CoinCreated(address,address,address,address,string,string,string,address,address,string)',
      'factory',
      openShape('launched', 4, 7, { token: address(word(4)), creator: address(topic(2)), keeper: none }),
    ],
    /** Logged by the coin: the key and hash of the pool before, and of the pool from now on. */
    zora_moved: [
      `LiquidityMigrated(${POOL_KEY},bytes32,${POOL_KEY},bytes32)`,
      'pool',
      shape('launch_moved', 1, 12, { pool: id(word(11)), keeper: address(word(10)) }),
    ],
  },
} as const satisfies Exchange

export const CLANKER = {
  events: {
    clanker_v4: [
      'TokenCreated(address,address,address,string,string,string,string,string,int24,address,bytes32,address,address,address,uint256,address[])',
      'factory',
      openShape('launched', 3, 14, { token: address(topic(1)), creator: address(topic(2)), keeper: address(word(10)) }),
    ],
    clanker_v31: [
      'TokenCreated(address,address,address,address,address,uint256,string,string,int24,string,uint256,uint256,uint8,address)',
      'factory',
      openShape('launched', 4, 11, { token: address(topic(1)), creator: address(topic(2)), keeper: none }),
    ],
  },
} as const satisfies Exchange

export const DOPPLER = {
  /** After a sale, the locker of Uniswap V4 holds the liquidity. */
  launch: { keptByHook: false, keptByToken: false, keptByLocker: true },
  events: {
    doppler_created: [
      'Create(address,address,address,address)',
      'factory',
      shape('launched', 2, 3, { token: address(word(0)), creator: none, keeper: address(word(1)) }),
    ],
    /** Of a pool whose beneficiaries share its fees: the contract that placed its liquidity never returns it. */
    doppler_kept: [
      'Lock(address,(address,uint96)[])',
      'pool',
      openShape('launch_locked', 2, 2, { of: address(topic(1)), endsAt: never }),
    ],
  },
  deployed: [
    {
      address: '0xeb7c034704ef8dcd2d32324c1545f62fb4ad0862',
      launchpad: 'doppler',
      chains: { 4663: 'published', 42161: 'published' },
    },
  ],
} as const satisfies Exchange

export const FLAUNCH = {
  events: {
    /** The first manager. The tuple has three texts, and two numbers before the creator. */
    flaunched_v1: [
      flaunchSignature('string,string,string,uint256,uint256,address,uint24,uint256,bytes,bytes'),
      'factory',
      flaunched(5),
    ],
    flaunched_v11: [
      flaunchSignature('string,string,string,uint256,uint256,uint256,address,uint24,uint256,bytes,bytes'),
      'factory',
      flaunched(6),
    ],
    flaunched_v13: [
      flaunchSignature('string,string,string,uint256,address,uint24,uint256,bytes,bytes'),
      'factory',
      flaunched(4),
    ],
  },
  deployed: [
    {
      address: '0x5cf8e499c7c466c7e2cf127bdf129f57151e65dc',
      launchpad: 'flaunch',
      chains: { 1: 'published', 130: 'one_source', 4663: 'published' },
    },
  ],
} as const satisfies Exchange
