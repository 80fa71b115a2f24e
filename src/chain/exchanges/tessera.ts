// Tessera: a market maker's contract on Base and BSC. Source: its interface ITesseraSwap, as integrators publish it.
import type { Exchange } from './exchange.ts'
import { fourWords } from './named-swap.ts'

export const TESSERA = {
  events: {
    tessera_trade: ['TesseraTrade(address,address,uint256,uint256,address)', 'factory', fourWords(0, 1, 5)],
  },
  deployed: [
    {
      address: '0x55555522005bcae1c2424d474bfd5ed477749e3e',
      launchpad: 'tessera',
      chains: { 56: 'published', 8453: 'published' },
    },
  ],
} as const satisfies Exchange
