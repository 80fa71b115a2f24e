// How new blocks are read at the head of the chain.

/**
 * `block`: each block as soon as it is there. `latency`: the same, but blocks faster than .22 s are read several at
 * once. `interval`: all blocks of some time at once.
 */
export type HeadReads = { kind: 'block' | 'latency' } | { kind: 'interval'; ms: number }

/** The interval of `HEAD_READS=saving`. */
export const SAVING_MS = 16_000
