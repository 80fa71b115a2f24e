// Balancer V2 and V3: a vault holds the tokens of all pools and logs for them. V2 knows a pool by 32 bytes that begin
// with its address, V3 by its address. GMX's vault logs a Swap with V3's topic, so only the vault's logs count.
// Sources: github.com/balancer/balancer-v2-monorepo, IVault.sol; github.com/balancer/balancer-v3-monorepo,
// IVaultEvents.sol.
import { addresses, amountList, noEntries } from '../columns/lists.ts'
import { address, id, openShape, topic, uint, venue, word } from '../columns/shape.ts'
import { coinsSwap } from './coins-swap.ts'
import type { ExchangeEvents } from './exchange.ts'

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

export const BALANCER_EVENTS = {
  balancer_tokens: [
    'TokensRegistered(bytes32,address[],address[])',
    'balancer_v2',
    openShape('coins_listed', 2, 4, { venue: venue('balancer_v2'), pool: id(topic(1)), coins: addresses(0) }),
  ],
  balancer_swap: [
    'Swap(bytes32,address,address,uint256,uint256)',
    'balancer_v2',
    coinsSwap(4, 2, { ...traded, pool: id(topic(1)) }),
  ],
  balancer_change: [
    'PoolBalanceChanged(bytes32,address,address[],int256[],uint256[])',
    'balancer_v2',
    openShape('coins_change', 3, 6, {
      pool: id(topic(1)),
      provider: address(topic(2)),
      coins: addresses(0),
      fees: amountList(2),
      amounts: amountList(1),
    }),
  ],
  balancer_v3_pool: [
    'PoolRegistered(address,address,(address,uint8,address,bool)[],uint256,uint32,(address,address,address),' +
      '(bool,bool,bool,bool,bool,bool,bool,bool,bool,bool,address),(bool,bool,bool,bool))',
    'balancer_v3',
    openShape('coins_listed', 3, 21, { venue: venue('balancer_v3'), pool: address(topic(1)), coins: addresses(0, 4) }),
  ],
  balancer_v3_swap: [
    'Swap(address,address,address,uint256,uint256,uint256,uint256)',
    'balancer_v3',
    coinsSwap(4, 4, { ...traded, pool: address(topic(1)), fee: uint(word(3)) }),
  ],
  balancer_v3_add: ['LiquidityAdded(address,address,uint8,uint256,uint256[],uint256[])', 'balancer_v3', change(false)],
  balancer_v3_remove: [
    'LiquidityRemoved(address,address,uint8,uint256,uint256[],uint256[])',
    'balancer_v3',
    change(true),
  ],
} as const satisfies ExchangeEvents
