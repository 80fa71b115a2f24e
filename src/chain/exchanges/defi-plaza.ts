// DeFi Plaza: one contract with sixteen tokens. Source: github.com/jazzrozen/defiplaza, IDeFiPlaza.sol.
import type { Exchange } from './exchange.ts'
import { fourWords } from './named-swap.ts'

export const DEFI_PLAZA = {
  events: {
    defi_plaza_swap: ['Swapped(address,address,address,uint256,uint256)', 'factory', fourWords(1, 1, 5)],
  },
} as const satisfies Exchange
