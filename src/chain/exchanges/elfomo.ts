// ElfomoFi: a market maker's contract on Base and BSC. Source: its interface IElfomoFi, as integrators publish it.
import type { ExchangeEvents } from './exchange.ts'
import { fourWords } from './named-swap.ts'

export const ELFOMO_EVENTS = {
  elfomo_trade: [
    'ElfomoTrade(uint256,uint256,address,address,address,address,uint256,uint256)',
    'maker',
    fourWords(2, 3, 6),
  ],
} as const satisfies ExchangeEvents
