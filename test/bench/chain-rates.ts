// The rates of real chains. Logs come from recorded headers: `npm run bench -- costs --headers FILE` counts them again.
import type { ChainRates } from '../support/provider-bill.ts'

/** Chains by the names of docs/scaling.md. */
export const CHAIN_RATES = {
  Ethereum: { blockMs: 12_000, logsPerBlock: 460 },
  Base: { blockMs: 2_000, logsPerBlock: 450 },
  BSC: { blockMs: 750, logsPerBlock: 360 },
  Arbitrum: { blockMs: 250, logsPerBlock: 34 },
  Polygon: { blockMs: 2_000, logsPerBlock: 427 },
} as const satisfies Readonly<Record<string, ChainRates>>

export type ChainName = keyof typeof CHAIN_RATES
