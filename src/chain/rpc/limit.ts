// The request rate and batch size of one endpoint. Input: its refusals. Output: the time of the next request, and the
// number of calls in a batch. There is no rate limit until the endpoint refuses a request.
import type { Clock } from '../../base/clock.ts'

export interface RateLimit {
  /** Resolves when `cost` calls may be sent. */
  take(cost: number, signal?: AbortSignal): Promise<void>
  /** Maximum number of calls in one request: at a low rate the next one must not wait for long. */
  most(): number
  /** The endpoint answered "too many requests": pause, and halve the rate. */
  slow(pauseMs: number): void
  /** The endpoint answered, perhaps together with refusals. */
  hear(): void
  /** The endpoint answered without a refusal: raise the rate by 10 % for each second since the last refusal or raise. */
  ease(): void
}

/** Above this rate the limit is lifted, because providers that throttle allow less. */
const UNLIMITED_PER_S = 500
/** The lowest rate. An endpoint that refuses every request is down, and no lower rate would help. */
const ALL_REFUSED_PER_S = 16
/** The busiest second of the last minute is the rate that the endpoint refused; the last second may be idle. */
const BUSY_MS = 60_000

/** A token bucket that starts with the first refusal, at half the rate of the busiest second of the last minute. */
export function createRateLimit(clock: Clock): RateLimit {
  let perSecond = Number.POSITIVE_INFINITY
  let nextMs = 0
  let changedMs = 0
  /** Whether the endpoint answered since the last refusal. */
  let isHeard = true
  let second = { sinceMs: 0, count: 0 }
  let busiest = { atMs: 0, count: 1 }

  function count(cost: number, nowMs: number): void {
    if (nowMs - second.sinceMs >= 1000) second = { sinceMs: nowMs, count: 0 }
    second.count += cost
    if (second.count >= busiest.count || nowMs - busiest.atMs > BUSY_MS) busiest = { atMs: nowMs, count: second.count }
  }

  return {
    async take(cost, signal) {
      const nowMs = clock.monotonicMs()
      const startMs = Math.max(nowMs, nextMs)
      nextMs = startMs + (cost * 1000) / perSecond
      if (startMs > nowMs) await clock.sleep(startMs - nowMs, signal)
      count(cost, clock.monotonicMs())
    },
    most: () => (Number.isFinite(perSecond) ? Math.max(1, Math.floor(perSecond)) : Number.POSITIVE_INFINITY),
    slow(pauseMs) {
      const nowMs = clock.monotonicMs()
      nextMs = Math.max(nextMs, nowMs + pauseMs)
      if (nowMs - changedMs < 1000 && changedMs > 0) return
      changedMs = nowMs
      const current = Number.isFinite(perSecond) ? perSecond : busiest.count
      const least = isHeard ? 1 : Math.min(current, ALL_REFUSED_PER_S)
      perSecond = Math.max(least, current / 2)
      isHeard = false
    },
    hear: () => {
      isHeard = true
    },
    ease() {
      const nowMs = clock.monotonicMs()
      const seconds = (nowMs - changedMs) / 1000
      if (!Number.isFinite(perSecond) || seconds < 1) return
      changedMs = nowMs
      const raised = perSecond * 1.1 ** Math.min(seconds, BUSY_MS / 1000)
      perSecond = raised > UNLIMITED_PER_S ? Number.POSITIVE_INFINITY : raised
    },
  }
}

/** Calls per batch until one is refused. Providers that limit batches allow between 10 and 1,000. */
const FIRST_BATCH = 100

export interface BatchSize {
  /** Maximum number of calls of this method in one batch now. */
  sizeOf(method: string): number
  /** The endpoint refused a batch of this size: never exceed half of it again. */
  refuse(size: number): void
  /** The answer to a batch was too large: halve the batch size of this method; it can grow again. */
  shrink(method: string, size: number): void
  grow(method: string): void
}

export function createBatchSize(): BatchSize {
  let cap = FIRST_BATCH
  const sizes = new Map<string, number>()
  const sizeOf = (method: string) => Math.min(cap, Math.max(1, Math.floor(sizes.get(method) ?? FIRST_BATCH)))
  return {
    sizeOf,
    refuse: (size) => {
      cap = Math.min(cap, Math.max(1, Math.floor(size / 2)))
    },
    shrink: (method, size) => void sizes.set(method, Math.max(1, Math.floor(size / 2))),
    grow: (method) => {
      const size = sizes.get(method)
      if (size !== undefined) sizes.set(method, Math.min(FIRST_BATCH, size * 1.1))
    },
  }
}
