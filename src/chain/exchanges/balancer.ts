// Balancer V2 and V3: a vault holds the tokens of all pools and logs for them. V2 knows a pool by 32 bytes that begin
// with its address, V3 by its address. GMX's vault logs a Swap with V3's topic, so only the vault's logs count.
// Sources: github.com/balancer/balancer-v2-monorepo, IVault.sol; github.com/balancer/balancer-v3-monorepo,
// IVaultEvents.sol.
import { addresses, amountList, noEntries } from '../columns/lists.ts'
import { address, id, openShape, topic, uint, word } from '../columns/shape.ts'
import { coinsSwap } from './coins-swap.ts'
import type { Exchange } from './exchange.ts'

const traded = {
  tokenIn: address(topic(2)),
  tokenOut: address(topic(3)),
  amountIn: uint(word(0)),
  amountOut: uint(word(1)),
}

/** V3's amounts are in the order of the pool's tokens, after the total of its shares. */
const change = (isOut: boolean) =>
  openShape('coins_change', 4, 5, {
    pool: address(topic(1)),
    provider: address(topic(2)),
    coins: noEntries,
    fees: noEntries,
    amounts: amountList(1, isOut),
  })

export const BALANCER_V2 = {
  about: {
    name: 'Balancer V2',
    preset: 'vault',
    found: '`TokensRegistered`, or `getPoolTokens`',
    owner: 'holders of shares',
    seen: '8 of 10',
  },
  reserves: 'counted',
  events: {
    balancer_tokens: [
      'TokensRegistered(bytes32,address[],address[])',
      'factory',
      openShape('coins_listed', 2, 4, { pool: id(topic(1)), coins: addresses(0) }),
    ],
    balancer_swap: [
      'Swap(bytes32,address,address,uint256,uint256)',
      'factory',
      coinsSwap(4, 2, { ...traded, pool: id(topic(1)) }),
    ],
    balancer_change: [
      'PoolBalanceChanged(bytes32,address,address[],int256[],uint256[])',
      'factory',
      openShape('coins_change', 3, 6, {
        pool: id(topic(1)),
        provider: address(topic(2)),
        coins: addresses(0),
        fees: amountList(2),
        amounts: amountList(1),
      }),
    ],
  },
  deployed: [
    {
      address: '0xba12222222228d8ba445958a75a0704d566bf2c8',
      launchpad: 'balancer_v2',
      chains: { 1: 'recorded', 137: 'published', 8453: 'published', 42161: 'recorded' },
    },
  ],
} as const satisfies Exchange

export const BALANCER_V3 = {
  about: {
    name: 'Balancer V3',
    preset: 'vault',
    found: '`PoolRegistered`, or `getPoolTokens`',
    price: 'last trade, less its fee',
    owner: 'holders of shares',
    seen: '1 of 1',
  },
  reserves: 'counted',
  events: {
    balancer_v3_pool: [
      'PoolRegistered(address,address,(address,uint8,address,bool)[],uint256,uint32,(address,address,address),' +
        '(bool,bool,bool,bool,bool,bool,bool,bool,bool,bool,address),(bool,bool,bool,bool))',
      'factory',
      openShape('coins_listed', 3, 21, { pool: address(topic(1)), coins: addresses(0, 4) }),
    ],
    balancer_v3_swap: [
      'Swap(address,address,address,uint256,uint256,uint256,uint256)',
      'factory',
      coinsSwap(4, 4, { ...traded, pool: address(topic(1)), fee: uint(word(3)) }),
    ],
    balancer_v3_add: ['LiquidityAdded(address,address,uint8,uint256,uint256[],uint256[])', 'factory', change(false)],
    balancer_v3_remove: [
      'LiquidityRemoved(address,address,uint8,uint256,uint256[],uint256[])',
      'factory',
      change(true),
    ],
  },
  deployed: [
    {
      address: '0xba1333333333a1ba1108e8412f11850a5c319ba9',
      launchpad: 'balancer_v3',
      chains: { 1: 'recorded', 8453: 'recorded', 42161: 'recorded' },
    },
  ],
} as const satisfies Exchange
