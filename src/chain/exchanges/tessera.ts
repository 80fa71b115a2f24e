// Tessera: a market maker's contract on Base and BSC. Source: its interface ITesseraSwap, as integrators publish it.
import type { ExchangeEvents } from './exchange.ts'
import { fourWords } from './named-swap.ts'

export const TESSERA_EVENTS = {
  tessera_trade: ['TesseraTrade(address,address,uint256,uint256,address)', 'maker', fourWords(0, 1, 5)],
} as const satisfies ExchangeEvents
