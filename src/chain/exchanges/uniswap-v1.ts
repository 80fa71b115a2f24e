// Uniswap V1: an exchange per token, against the native coin. Coin 0 is the token. Source: github.com/Uniswap/v1-contracts,
// uniswap_exchange.vy, uniswap_factory.vy.
import { constant, topic, uint } from '../columns/shape.ts'
import { coinsSwap } from './coins-swap.ts'
import type { Exchange } from './exchange.ts'

const traded = (coinIn: number, coinOut: number) =>
  coinsSwap(4, 0, {
    coinIn: constant(coinIn),
    coinOut: constant(coinOut),
    amountIn: uint(topic(2)),
    amountOut: uint(topic(3)),
  })

export const UNISWAP_V1 = {
  about: { name: 'Uniswap V1', found: '`getToken`', seen: '2 of 2' },
  reserves: 'unknown',
  events: {
    uniswap_v1_buy: ['TokenPurchase(address,uint256,uint256)', 'pool', traded(1, 0)],
    uniswap_v1_sell: ['EthPurchase(address,uint256,uint256)', 'pool', traded(0, 1)],
  },
} as const satisfies Exchange
