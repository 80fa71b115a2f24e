// Which swaps are of one moment: those of one block, and of blocks of one second. A fast chain makes several blocks a
// second, and nobody but a program trades twice in one.

import { itemAt } from '../base/item-at.ts'

/** A number for each swap; swaps of one moment have the same. */
export function toBeats(
  swaps: readonly { time: number; block: number }[],
): (swap: { time: number; block: number }) => number {
  const first = new Map<number, number>()
  for (const { time, block } of swaps) if (!first.has(time)) first.set(time, block)
  return ({ time, block }) => first.get(time) ?? block
}

/** The items of each time that has several. The list is in the order of time. */
export function listMoments<Item>(items: readonly Item[], timeOf: (item: Item) => number): Item[][] {
  const moments: Item[][] = []
  for (let from = 0; from < items.length; ) {
    const time = timeOf(itemAt(items, from))
    let to = from + 1
    while (to < items.length && timeOf(itemAt(items, to)) === time) to += 1
    if (to - from > 1) moments.push(items.slice(from, to))
    from = to
  }
  return moments
}
