// Which segments become one. Pure. Neighbours of about one size are merged when there are enough of them. So the number
// of segments grows slowly, until they are as large as a segment gets.
import type { Segment } from './history.ts'

/** Segments that become one. */
const TOGETHER = 8
/** Sizes, each eight times the one before; segments of the last are not merged. */
const LEVELS = 3

const sizeOf = ({ firstN, lastN }: Pick<Segment, 'firstN' | 'lastN'>): number => lastN - firstN + 1

/** The newest neighbours to merge, oldest first; empty: none. `most`: the events of a segment that was never merged. */
export function chooseMerge<S extends Pick<Segment, 'firstN' | 'lastN'>>(segments: readonly S[], most: number): S[] {
  for (let level = 0; level < LEVELS; level += 1) {
    const [above, upTo] = [level === 0 ? 0 : most * TOGETHER ** (level - 1), most * TOGETHER ** level]
    const last = segments.findLastIndex((segment) => sizeOf(segment) > above) + 1
    const first = segments.findLastIndex((segment) => sizeOf(segment) > upTo) + 1
    if (last - first >= TOGETHER) return segments.slice(first, first + TOGETHER)
  }
  return []
}
