// The number of mistyped letters between a text and many others. A column of the distance table is two words of bits
// (Myers, Hyyrö), so that each letter costs a few operations. Pure.
import { int32At } from '../base/item-at.ts'

/** Units of UTF-16, or bytes where they are all ASCII. */
type Units = ArrayLike<number>

/** The most units of a text that others are compared with: one bit each. */
export const MOST_TYPED = 31

/**
 * Whether a text, from `from` up to `to`, differs from `typed` by at most this many letters: missing, extra, exchanged,
 * or swapped with their neighbour. `typed` has a unit at least, and `MOST_TYPED` at most.
 */
export function createNearness(typed: Units, most: number): (text: Units, from: number, to: number) => boolean {
  const { length } = typed
  /** By unit: its places in `typed`, the first one in the lowest bit. */
  const places = new Int32Array(0x10000)
  for (let at = 0; at < length; at += 1) {
    const unit = typed[at] as number
    places[unit] = int32At(places, unit) | (1 << at)
  }
  const lastBit = 1 << (length - 1)
  return (text, from, to) => {
    if (Math.abs(to - from - length) > most) return false
    // Down a column, the distance rises by one, or falls by one; and the places where the diagonal stays equal.
    let [rises, falls, stays] = [-1, 0, 0]
    let [distance, before] = [length, 0]
    for (let at = from; at < to; at += 1) {
      const here = int32At(places, text[at] as number)
      const swapped = ((~stays & here) << 1) & before
      stays = ((((here & rises) + rises) | 0) ^ rises) | here | falls | swapped
      const risesAlong = falls | ~(stays | rises)
      const fallsAlong = stays & rises
      if ((risesAlong & lastBit) !== 0) distance += 1
      else if ((fallsAlong & lastBit) !== 0) distance -= 1
      // Each remaining letter lowers it by at most one.
      if (distance - (to - at - 1) > most) return false
      const along = (risesAlong << 1) | 1
      rises = (fallsAlong << 1) | ~(stays | along)
      falls = along & stays
      before = here
    }
    return distance <= most
  }
}
