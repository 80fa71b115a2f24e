// Blocks that need not be asked for: what a store of history beside the node gives. The source takes what it has, and asks the
// node for the rest.
import type { LogAnswer } from '../logs/answer.ts'
import type { RawBlock } from '../raw.ts'

/** Blocks in order, with the logs of all of them. */
export interface Gathered {
  blocks: readonly RawBlock[]
  logs: readonly LogAnswer[]
  /** Logs and transactions that were looked at: what the next range's size follows. */
  items: number
}

/** What a store has, for the log: blocks of all its stretches, which reach from `from` to `to`. */
export interface Coverage {
  files: number
  from: number
  to: number
  /** Fewer than there are between the ends where it has gaps. */
  blocks: number
}

export interface History {
  coverage: Coverage
  /** The last of the blocks that are there without a gap from this one on; null when this one is not there. */
  lastFrom(block: number): number | null
  /** The first block above this one that is there; null when none is. */
  firstAbove(block: number): number | null
  /**
   * Blocks from..to, all of which are there. They were held against each other, the chain and their blooms, and their `bloom`
   * is null. Throws a `StartupError` that names what is wrong in the store, or an `RpcError` of the node that was asked.
   */
  read(from: number, to: number): Promise<Gathered>
}
