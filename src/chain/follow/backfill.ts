// Reads finalised blocks in bulk. Input: a source and a range of blocks. Output: the blocks in order, range by range,
// fetched ahead of the consumer. At most a few ranges are in memory, each with a few thousand logs.

import type { PackedBlocks } from '../columns/columns.ts'
import type { ChainBlock } from '../event.ts'
import { unpackBlocks } from '../logs/unpack.ts'
import type { Source } from '../source/source.ts'

/** Ranges fetched ahead: enough to hide the provider's latency, few enough for memory. */
const AHEAD = 3

/**
 * All blocks from..to, one list per range. A provider fault is thrown where its range would come in the order.
 * `onAhead` gets a range once it is read, while the consumer still works on the range before it.
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
      // A failed range throws when its turn comes. Until then its rejection must not count as unhandled.
      range.catch(() => {})
      queue.push(range)
      next = end + 1
    }
  }
  // Unpack a range only when it is next. Objects that wait longer survive into V8's old generation, where only a full
  // garbage collection frees them; packed buffers cost little while they wait.
  const takeNext = (): Promise<ChainBlock[]> | undefined => {
    const range = queue.shift()?.then(unpackBlocks)
    range?.then(onAhead).catch(() => {})
    return range
  }
  // Fetch the first range alone: its size is a guess until we know how many logs a block has.
  fill(1)
  for (let range = takeNext(); range; ) {
    const blocks = await range
    fill(AHEAD)
    range = takeNext()
    yield blocks
  }
}

/** Leaves out blocks where nothing happened, except the last, which tells how far the list reaches. */
export const leaveOutEmpty = (blocks: readonly ChainBlock[]): ChainBlock[] =>
  blocks.filter((block, i) => i === blocks.length - 1 || block.logs.length > 0 || block.transactions.length > 0)
