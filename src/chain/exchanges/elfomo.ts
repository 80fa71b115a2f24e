// ElfomoFi: a market maker's contract on Base and BSC. Source: its interface IElfomoFi, as integrators publish it.
import type { Exchange } from './exchange.ts'
import { fourWords } from './named-swap.ts'

export const ELFOMO = {
  events: {
    elfomo_trade: [
      'ElfomoTrade(uint256,uint256,address,address,address,address,uint256,uint256)',
      'factory',
      fourWords(2, 3, 6),
    ],
  },
  deployed: [
    {
      address: '0xf0f0f0f0fb0d738452efd03a28e8be14c76d5f73',
      launchpad: 'elfomo',
      chains: { 56: 'published', 8453: 'published' },
    },
  ],
} as const satisfies Exchange
