// Ekubo V3: one contract holds all pools, each known by 32 bytes. A swap is a log without a topic, of packed bytes. Amounts
// are the pool's side: a positive one came in. A pool's extension may refuse swaps, and may take a fee that no log of the
// swap has. Source: github.com/EkuboProtocol/evm-contracts, Core.sol, ICore.sol.
import { ZERO_ADDRESS } from '../../base/address.ts'
import { amountRow, deltaHalf, deltaHalves, integerAt, noEntries, sideOfDelta } from '../columns/lists.ts'
import { address, byte, constant, type Field, fixedAddress, id, shape, word, zero } from '../columns/shape.ts'
import type { LogOf } from '../event.ts'
import { coinsSwap } from './coins-swap.ts'
import type { Exchange } from './exchange.ts'
import { ekuboRights } from './hooks.ts'

/** A swap is the holder of the lock (20 bytes), the pool (32), both amounts (32) and the pool's state (32). */
const [SWAP_BYTES, SWAP_POOL, SWAP_AMOUNTS] = [116, byte(20), byte(52)]

/** One word configures a pool: the address of its extension, its fee as a fraction of 2^64, and the kind of the pool. */
const CONFIG = word(3)
const [FEE_AT, FEE_DIGITS] = [40, 16]

const extension: Field<LogOf<'v4_initialize'>['hooks']> = {
  place: CONFIG,
  write: (to, bytes, at) => to.addressAt(bytes, at) !== null,
}

/** The first byte of the extension's address tells when it is called. */
const calls: Field<number> = {
  place: CONFIG,
  write: (to, bytes, at) => {
    to.number(bytes.number(at, at + 2))
    return true
  },
}

/** In hundredths of a basis point. */
const fee: Field<number> = {
  place: CONFIG,
  write: (to, bytes, at) => {
    const fraction = integerAt(bytes, at + FEE_AT, FEE_DIGITS)
    to.number(Number(((fraction ?? 0n) * 1_000_000n) >> 64n))
    return fraction !== null
  },
}

const noCoins = { coins: noEntries }

export const EKUBO = {
  about: { name: 'Ekubo V3', preset: 'Core', found: '`PoolInitialized`', owner: 'signer' },
  manager: { hasRanges: false, rightsOf: ekuboRights },
  reserves: 'counted',
  bare: {
    ekubo_swap: coinsSwap(0, SWAP_BYTES / 32, {
      pool: id(SWAP_POOL),
      coinIn: sideOfDelta(SWAP_AMOUNTS, true),
      coinOut: sideOfDelta(SWAP_AMOUNTS),
      amountIn: deltaHalf(SWAP_AMOUNTS, true),
      amountOut: deltaHalf(SWAP_AMOUNTS),
    }),
  },
  events: {
    ekubo_pool: [
      'PoolInitialized(bytes32,(address,address,bytes32),int32,uint96)',
      'factory',
      shape('v4_initialize', 1, 6, {
        pool: id(word(0)),
        token0: address(word(1)),
        token1: address(word(2)),
        fee,
        tickSpacing: constant(0),
        hooks: extension,
        rights: calls,
        sqrtPriceX96: zero,
      }),
    ],
    ekubo_position: [
      'PositionUpdated(address,bytes32,bytes32,int128,bytes32,bytes32)',
      'factory',
      shape('coins_change', 1, 6, {
        ...noCoins,
        pool: id(word(1)),
        provider: address(word(0)),
        fees: noEntries,
        amounts: deltaHalves(word(4)),
      }),
    ],
    /** Fees leave the pool with this log, and are part of a swap's amounts before. */
    ekubo_collected: [
      'PositionFeesCollected(address,bytes32,bytes32,uint128,uint128)',
      'factory',
      shape('coins_change', 1, 5, {
        ...noCoins,
        pool: id(word(1)),
        provider: address(word(0)),
        fees: amountRow(3, 2),
        amounts: noEntries,
      }),
    ],
    /** An extension gives the pool's providers what it took. */
    ekubo_accumulated: [
      'FeesAccumulated(bytes32,uint128,uint128)',
      'factory',
      shape('coins_change', 1, 3, {
        ...noCoins,
        pool: id(word(0)),
        provider: fixedAddress(ZERO_ADDRESS),
        fees: amountRow(1, 2, true),
        amounts: noEntries,
      }),
    ],
  },
  deployed: [
    {
      address: '0x00000000000014aa86c5d3c41765bb24e11bd701',
      launchpad: 'ekubo',
      chains: {
        1: 'published',
        56: 'published',
        137: 'published',
        4663: 'published',
        8453: 'published',
        42161: 'published',
      },
    },
  ],
} as const satisfies Exchange
