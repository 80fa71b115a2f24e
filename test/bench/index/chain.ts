// A chain to measure with: its URL, its size, and the preset to index it with.

interface Markets {
  factories: readonly { address: string; kind: string; launchpad: string }[]
  wrappedNative: string
  stablecoins: readonly string[]
  minPoolDepthUsd: number
}

export interface Chain {
  url: string
  chainId: number
  /** Number of blocks that hold all logs, counted from block 0. */
  blocks: number
  /** The newest block; some empty blocks may precede it. */
  head: number
  /** Number of all logs. */
  logs: number
  /** Number of logs of events that Assay reads. */
  readableLogs: number
  preset: Readonly<Record<string, unknown>> & Markets
  /** Lets the node answer so many requests a second; undefined: as many as it can. */
  limit?(requestsPerSecond: number | undefined): void
  /** A description in words. */
  about: string
}
