// Blocks that need no request: a store of history beside the node has them. The source requests all other blocks from
// the node.
import type { LogAnswer } from '../logs/answer.ts'
import type { RawBlock } from '../raw.ts'

/** Blocks in order, with the logs of all of them. */
export interface Gathered {
  blocks: readonly RawBlock[]
  logs: readonly LogAnswer[]
  /** The number of logs and transactions that were read; the size of the next range follows it. */
  items: number
}

/** The content of a store, for the log: blocks of all its ranges, between `from` and `to`. */
export interface Coverage {
  files: number
  from: number
  to: number
  /** Fewer than the blocks between the ends if there are gaps. */
  blocks: number
}

export interface History {
  coverage: Coverage
  /** The last block without a gap from this one on; null if this block is missing. */
  lastFrom(block: number): number | null
  /** The first block above this one that the store has; null if there is none. */
  firstAbove(block: number): number | null
  /**
   * Blocks from..to; the store must have them all. They were checked against each other, the chain and their blooms,
   * and their `bloom` is null. Throws a `StartupError` that names the fault of the store, or an `RpcError` of the node.
   */
  read(from: number, to: number): Promise<Gathered>
}
