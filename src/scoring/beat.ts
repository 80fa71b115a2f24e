// Which swaps are of one moment: those of one block, and of blocks of one second. A fast chain makes several blocks a
// second, and nobody but a program trades twice in one.

/** A number for each swap; swaps of one moment have the same. */
export function toBeats(
  swaps: readonly { time: number; block: number }[],
): (swap: { time: number; block: number }) => number {
  const first = new Map<number, number>()
  for (const { time, block } of swaps) if (!first.has(time)) first.set(time, block)
  return ({ time, block }) => first.get(time) ?? block
}
