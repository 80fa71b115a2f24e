// Finalised blocks, many at a time. Comes in: a source and a stretch of blocks; goes out: their blocks in order, range by
// range, fetched ahead of the consumer. A few ranges are in memory at most, and each holds some thousands of logs.

import type { ChainBlock } from '../event.ts'
import type { PackedBlocks } from '../logs/columns.ts'
import { unpackBlocks } from '../logs/unpack.ts'
import type { Source } from '../source/source.ts'

/** Ranges fetched ahead: enough to hide the provider's delay, few enough for memory. */
const AHEAD = 3

/**
 * All blocks from..to, each range as one list. A fault of the provider is thrown at its place in the order. `onAhead` is
 * told of a range when the one before it is handed on, or when it is there.
 */
export async function* readAhead(
  source: Source,
  from: number,
  to: number,
  onAhead: (blocks: ChainBlock[]) => void = () => {},
): AsyncGenerator<ChainBlock[]> {
  const queue: Promise<PackedBlocks>[] = []
  let next = from
  const fill = (ahead: number) => {
    while (next <= to && queue.length < ahead) {
      const end = Math.min(to, next + source.rangeSize() - 1)
      const range = source.readRange(next, end)
      // Its fault is met when its turn comes; until then it must not count as unhandled.
      range.catch(() => {})
      queue.push(range)
      next = end + 1
    }
  }
  // Objects that wait for long are moved by V8 twice, and are found dead by a full collection only: a range becomes objects
  // when it is the next one.
  const takeNext = (): Promise<ChainBlock[]> | undefined => {
    const range = queue.shift()?.then(unpackBlocks)
    range?.then(onAhead).catch(() => {})
    return range
  }
  // Alone at first: nothing is known yet of how full the blocks are.
  fill(1)
  for (let range = takeNext(); range; ) {
    const blocks = await range
    fill(AHEAD)
    range = takeNext()
    yield blocks
  }
}

/** Without the blocks in which nothing happened, but for the last, which says how far the list goes. */
export const leaveOutEmpty = (blocks: readonly ChainBlock[]): ChainBlock[] =>
  blocks.filter((block, i) => i === blocks.length - 1 || block.logs.length > 0 || block.transactions.length > 0)
