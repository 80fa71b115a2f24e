// When to look for the next block. Input: the blocks that were appended, and looks that found none. Output: a wait. The
// pace learns when blocks arrive, so that one look mostly suffices. It looks a little earlier after each success, and
// soon again after a look that came too early.
import type { Clock } from '../../base/clock.ts'

export interface HeadPace {
  /** A look has found these blocks. */
  found(blocks: readonly { number: number; time: number }[]): void
  /** A look has found nothing new. */
  missed(): void
  /** A look begins. */
  look(): void
  /** The time until the next look. */
  waitMs(): number
  /** How many blocks the next look should find; 0: unknown. */
  expected(): number
  /** How long told blocks are gathered before they are read together. */
  gatherMs(): number
}

/** Blocks whose times give the interval: many, because times are whole seconds. */
const RECENT = 100
/** From this mean on, the median is the interval: it ignores slots without a block. */
const SLOW_MS = 2_000
const UNKNOWN_INTERVAL_MS = 2_000
/** No public network is slower. Beyond this the times of blocks do not tell when they come: a test chain, a recording. */
const LONGEST_INTERVAL_MS = 15_000
/** The longest wait on such a chain, whose blocks are awaited by when earlier ones were found. */
const IRREGULAR_MS = 1_000
/** Parts of the interval: looks come that much earlier after each success, and that much later after a miss. */
const EARLIER = 1 / 32
const RETRY = 1 / 8
const SHORTEST_RETRY_MS = 100
/** Blocks that come faster are read several at once: a request for each costs a provider's client too much. */
const LEAST_LOOK_MS = 440
/** So few blocks of one look are asked for once the newest is known; more are asked for with it, and these besides. */
const FEW_TOGETHER = 10
export const SPARE = 2
/** Told blocks that come so fast are read together: with the notice and the request, the first of them waits half a second. */
const GATHER_MS = 400
/** The most blocks of one look: with their receipts they fit into one request. */
export const MOST_EXPECTED = 45
const LONGEST_RETRY_MS = 2_000

/** The pace of single blocks. `leastLookMs`: blocks of so many milliseconds are read at once; 0: each alone. */
export function createHeadPace(clock: Pick<Clock, 'monotonicMs'>, leastLookMs = LEAST_LOOK_MS): HeadPace {
  const recent: { number: number; time: number }[] = []
  let lookedMs = clock.monotonicMs()
  let missedMs: number | null = null
  let dueMs = lookedMs
  /** When blocks were found, on the clock. */
  let foundMs = lookedMs

  const clamp = (ms: number) => Math.min(IRREGULAR_MS, Math.max(SHORTEST_RETRY_MS, ms))

  function intervalMs(): number {
    const [first, last] = [recent[0], recent.at(-1)]
    if (!first || !last || last.number <= first.number) return UNKNOWN_INTERVAL_MS
    const meanMs = (1000 * (last.time - first.time)) / (last.number - first.number)
    if (meanMs < SLOW_MS) return meanMs
    const gaps = recent.slice(1).map(({ time }, at) => time - (recent[at]?.time ?? time))
    return 1000 * (gaps.sort((a, b) => a - b)[Math.floor(gaps.length / 2)] ?? 0)
  }

  /** The blocks between two looks: one, or several once the interval is well known to be short. */
  const together = (): number => {
    const toldMs = intervalMs()
    if (recent.length < RECENT || toldMs <= 0) return 1
    return Math.min(MOST_EXPECTED, Math.max(1, Math.floor(leastLookMs / toldMs)))
  }

  return {
    expected: () => (together() > 1 ? together() + 1 : 1),
    gatherMs: () => (together() > 1 ? GATHER_MS : 0),
    found(blocks) {
      for (const { number, time } of blocks) recent.push({ number, time })
      recent.splice(0, Math.max(0, recent.length - RECENT))
      const toldMs = intervalMs()
      const toNextMs = toldMs > LONGEST_INTERVAL_MS ? clamp((lookedMs - foundMs) / blocks.length) : toldMs
      // After a miss the block arrived between both looks.
      const arrivedMs = missedMs === null ? lookedMs - EARLIER * toNextMs : (missedMs + lookedMs) / 2
      missedMs = null
      foundMs = lookedMs
      dueMs = arrivedMs + toNextMs * together()
    },
    missed() {
      missedMs = lookedMs
      const toldMs = intervalMs()
      const retryMs = Math.min(LONGEST_RETRY_MS, Math.max(SHORTEST_RETRY_MS, RETRY * toldMs))
      dueMs = lookedMs + (toldMs > LONGEST_INTERVAL_MS ? clamp(lookedMs - foundMs) : retryMs)
    },
    look() {
      lookedMs = clock.monotonicMs()
    },
    waitMs: () => Math.max(0, dueMs - clock.monotonicMs()),
  }
}

/** A pace that waits for the same time after each look. */
export function createFixedPace(ms: number): HeadPace {
  /** Blocks found since the last wait. */
  let count = 0
  let last = 0
  return {
    found: (blocks) => {
      count += blocks.length
    },
    missed() {},
    look() {},
    waitMs: () => {
      last = count
      count = 0
      return ms
    },
    expected: () => (last < FEW_TOGETHER ? 0 : Math.min(MOST_EXPECTED, last + SPARE)),
    gatherMs: () => 0,
  }
}
