// A chain to measure with: what answers, how much is on it, and the preset to index it with.

interface Markets {
  factories: readonly { address: string; kind: string; launchpad: string }[]
  wrappedNative: string
  stablecoins: readonly string[]
  minPoolDepthUsd: number
}

export interface Chain {
  url: string
  chainId: number
  /** Blocks with all of the logs; the first one is 0. */
  blocks: number
  /** The newest block, perhaps some empty ones later. */
  head: number
  /** All of its logs. */
  logs: number
  /** Those of events that Assay reads. */
  readableLogs: number
  preset: Readonly<Record<string, unknown>> & Markets
  /** What it is, in words. */
  about: string
}
