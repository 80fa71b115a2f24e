// Reads finalised blocks in bulk. Input: a source and a range of blocks. Output: the blocks in order, range by range,
// fetched ahead of the consumer. At most a few ranges are in memory, each with a few thousand logs.

import { dayOf } from '../../base/clock.ts'
import type { PackedBlocks } from '../columns/columns.ts'
import type { ChainBlock } from '../event.ts'
import { unpackBlocks } from '../logs/unpack.ts'
import type { Source } from '../source/source.ts'

/** Ranges fetched ahead: enough to hide the provider's latency, few enough for memory. */
const AHEAD = 3

/**
 * All blocks from..to, one list per range. A provider fault is thrown at its range's turn. `onAhead` gets a range once
 * it is read, while the consumer still works on the previous one.
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
      // A failed range throws at its turn. Until then its rejection must not count as unhandled.
      range.catch(() => {})
      queue.push(range)
      next = end + 1
    }
  }
  // Unpack a range only at its turn. Objects that wait longer survive into V8's old generation, where only a full
  // garbage collection frees them. Packed buffers cost little while they wait.
  const takeNext = (): Promise<ChainBlock[]> | undefined => {
    const range = queue.shift()?.then(unpackBlocks)
    range?.then(onAhead).catch(() => {})
    return range
  }
  // Fetch the first range alone, because its size is a guess until the number of logs per block is known.
  fill(1)
  for (let range = takeNext(); range; ) {
    const blocks = await range
    fill(AHEAD)
    range = takeNext()
    yield blocks
  }
}

/**
 * Leaves out blocks without events, with two exceptions. The last blocks stay, because they mark the end of the list.
 * The last block of each day stays too: daily scores refer to it, and must not depend on the ranges.
 */
export const leaveOutEmpty = (blocks: readonly ChainBlock[], last = 1): ChainBlock[] =>
  blocks.filter((block, i) => {
    const next = blocks[i + 1]
    return (
      i >= blocks.length - last ||
      !next ||
      block.logs.length > 0 ||
      block.transactions.length > 0 ||
      dayOf(next.time) > dayOf(block.time)
    )
  })
