// DeFi Plaza: one contract with sixteen tokens. Source: github.com/jazzrozen/defiplaza, IDeFiPlaza.sol.
import type { ExchangeEvents } from './exchange.ts'
import { fourWords } from './named-swap.ts'

export const DEFI_PLAZA_EVENTS = {
  defi_plaza_swap: ['Swapped(address,address,address,uint256,uint256)', 'maker', fourWords(1, 1, 5)],
} as const satisfies ExchangeEvents
