// Ends the wait for the next block when a node tells of it, so that the follower need not look by time. Input: told
// blocks, and waits. While the node is not heard, waits last as long as without it.
import type { Clock } from '../../base/clock.ts'
import type { BlockRef } from '../event.ts'

export interface HeadBell {
  /**
   * Resolves when a block other than the cursor is told, or after `ms` without one. While the node is heard, it waits
   * two seconds longer for it. From the first told block on it gathers further ones for `gatherMs`. Never rejects.
   */
  wait(cursor: BlockRef | undefined, ms: number, signal?: AbortSignal, gatherMs?: number): Promise<void>
  /** The number of the newest told block; null while the node is not heard. */
  newest(): number | null
}

export interface ToldBell extends HeadBell {
  /** The node tells of a new block. */
  tell(head: BlockRef): void
  /** The node is no longer heard. */
  hush(): void
  isHeard(): boolean
}

/** A told block is looked for by time as well, this much later: a subscription can end without a word. */
const LATE_MS = 2_000
/** Between two waits that a told block ends: a node that floods costs 20 looks a second. */
const LEAST_MS = 50

export function createBell(clock: Pick<Clock, 'monotonicMs' | 'sleep'>): ToldBell {
  let newest: BlockRef | null = null
  /** Whether `newest` ended no wait yet. */
  let isNews = false
  let isHeard = false
  let ring = () => {}
  let rangMs = Number.NEGATIVE_INFINITY
  /** When the first block came that ended no wait yet. */
  let newsMs = Number.NEGATIVE_INFINITY

  const takeNews = (cursor: BlockRef | undefined): boolean => {
    const isOther = isNews && newest?.hash !== cursor?.hash
    isNews = false
    if (isOther) rangMs = clock.monotonicMs()
    return isOther
  }

  return {
    isHeard: () => isHeard,
    newest: () => (isHeard ? (newest?.number ?? null) : null),
    tell: (head) => {
      isHeard = true
      if (!isNews) newsMs = clock.monotonicMs()
      newest = head
      isNews = true
      ring()
    },
    hush: () => {
      isHeard = false
    },
    async wait(cursor, ms, signal, gatherMs = 0) {
      const gather = async () => {
        await clock.sleep(Math.max(0, newsMs + gatherMs - clock.monotonicMs()), signal)
        isNews = false
      }
      await clock.sleep(Math.max(0, rangMs + LEAST_MS - clock.monotonicMs()), signal)
      if (signal?.aborted) return
      if (takeNews(cursor)) return gather()
      const rung = new AbortController()
      const end = () => rung.abort()
      ring = () => {
        if (takeNews(cursor)) end()
      }
      signal?.addEventListener('abort', end)
      // A told block that the provider does not have yet is looked for by time alone.
      const isDue = newest !== null && newest.number > (cursor?.number ?? -1)
      await clock.sleep(isHeard && !isDue ? ms + LATE_MS : ms, rung.signal)
      signal?.removeEventListener('abort', end)
      ring = () => {}
      if (rung.signal.aborted && !signal?.aborted) await gather()
    },
  }
}
