// Balancer V2 and V3: a vault holds the tokens of all pools and logs for them. V2 knows a pool by 32 bytes that begin with its
// address, V3 by its address. GMX's vault logs a Swap with V3's topic, so only the vault's own word counts.
// Sources: github.com/balancer/balancer-v2-monorepo, IVault.sol; github.com/balancer/balancer-v3-monorepo, IVaultEvents.sol.
import { addresses, amountList, noEntries } from '../columns/lists.ts'
import { address, flag, id, none, openShape, shape, topic, uint, venue, word } from '../columns/shape.ts'
import type { ExchangeEvents } from './exchange.ts'

const traded = {
  coinIn: none,
  coinOut: none,
  amountIn: uint(word(0)),
  amountOut: uint(word(1)),
  isUnderlying: flag(null),
}
const sides = { tokenIn: address(topic(2)), tokenOut: address(topic(3)) }

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
    shape('coins_swap', 4, 2, {
      pool: id(topic(1)),
      coinIn: traded.coinIn,
      coinOut: traded.coinOut,
      ...sides,
      amountIn: traded.amountIn,
      amountOut: traded.amountOut,
      fee: none,
      isUnderlying: traded.isUnderlying,
    }),
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
    shape('coins_swap', 4, 4, {
      pool: address(topic(1)),
      coinIn: traded.coinIn,
      coinOut: traded.coinOut,
      ...sides,
      amountIn: traded.amountIn,
      amountOut: traded.amountOut,
      fee: uint(word(3)),
      isUnderlying: traded.isUnderlying,
    }),
  ],
  balancer_v3_add: ['LiquidityAdded(address,address,uint8,uint256,uint256[],uint256[])', 'balancer_v3', change(false)],
  balancer_v3_remove: [
    'LiquidityRemoved(address,address,uint8,uint256,uint256[],uint256[])',
    'balancer_v3',
    change(true),
  ],
} as const satisfies ExchangeEvents
