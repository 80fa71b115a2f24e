// How new blocks are read at the head of the chain.

/** Each block as soon as it is there, or all blocks of some time at once. */
export type HeadReads = { kind: 'latency' } | { kind: 'interval'; ms: number }

/** The interval of `HEAD_READS=saving`. */
export const SAVING_MS = 16_000
