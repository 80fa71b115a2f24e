// DODO V2: pools of two tokens, each at an address of its own, priced by its owner's curve. Source:
// github.com/DODOEX/contractV2, DVMTrader.sol, DODOVendingMachine and its siblings.
import type { Exchange } from './exchange.ts'
import { fourWords } from './named-swap.ts'

export const DODO = {
  about: { name: 'DODO V2', found: '`getDODOPool` of both tokens' },
  reserves: 'balances',
  events: {
    dodo_swap: ['DODOSwap(address,address,uint256,uint256,address,address)', 'pool', fourWords(0, 1, 6)],
  },
} as const satisfies Exchange
