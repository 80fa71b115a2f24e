// The strides in which a past is filled in with its newest part first. Each one is an index of its own up to the newest block, since
// profit and first buyers follow from the order of events; so an early result costs that what is newer is read again.

/** A stride reaches about so many times as far back as the one before it: docs/indexing.md says what that costs. */
const REACH = 4
/** So many strides at most: an index that just began is too short to multiply. */
const MOST_STRIDES = 3

/** The first block of each stride; the last one is the target. None: the index begins there, or earlier, already. */
export function planStrides({ begins, head }: { begins: number; head: number }, target: number): number[] {
  if (begins <= target) return []
  const far = head - target + 1
  const near = Math.max(head - begins + 1, far / REACH ** MOST_STRIDES)
  const count = Math.max(1, Math.round(Math.log(far / near) / Math.log(REACH)))
  // Alike, so that the last one does not add a little to the one before it.
  const reach = (far / near) ** (1 / count)
  return Array.from({ length: count }, (_, index) =>
    index === count - 1 ? target : Math.round(head + 1 - near * reach ** (index + 1)),
  )
}
