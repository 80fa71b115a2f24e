// The rates of real chains. Base and BSC make blocks faster than when their headers were recorded, with as many logs a second.
// Logs come from recorded headers: `npm run bench -- costs --headers FILE` counts them again.
import type { ChainRates } from '../support/provider-bill.ts'

/** Chains by the names of docs/scaling.md. */
export const CHAIN_RATES = {
  Ethereum: { blockMs: 12_000, logsPerBlock: 460 },
  Base: { blockMs: 200, logsPerBlock: 45, finalBlocks: 6_000 },
  BSC: { blockMs: 450, logsPerBlock: 216 },
  Arbitrum: { blockMs: 250, logsPerBlock: 34, finalBlocks: 4_800 },
  Polygon: { blockMs: 2_000, logsPerBlock: 427 },
} as const satisfies Readonly<Record<string, ChainRates>>

export type ChainName = keyof typeof CHAIN_RATES
