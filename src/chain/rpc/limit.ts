// How fast and in what batch size we may call one endpoint. Input: its refusals. Output: when the next request may
// start, and how many calls a batch holds. There is no rate limit until the endpoint refuses a request.
import type { Clock } from '../../base/clock.ts'

export interface RateLimit {
  /** Resolves when `cost` calls may be sent. */
  take(cost: number, signal?: AbortSignal): Promise<void>
  /** The endpoint answered "too many requests": pause, and halve the rate. */
  slow(pauseMs: number): void
  /** The endpoint answered: raise the rate by 10 % for each second without a refusal. */
  ease(): void
}

/** Above this rate the limit is lifted: providers that throttle allow less. */
const UNLIMITED_PER_S = 500

/** A token bucket that starts with the first refusal, at half the rate of the last second. */
export function createRateLimit(clock: Clock): RateLimit {
  let perSecond = Number.POSITIVE_INFINITY
  let nextMs = 0
  let changedMs = 0
  let sent = { sinceMs: 0, count: 0, lastPerSecond: 1 }

  function count(cost: number, nowMs: number): void {
    if (nowMs - sent.sinceMs >= 1000) sent = { sinceMs: nowMs, count: 0, lastPerSecond: Math.max(1, sent.count) }
    sent.count += cost
  }

  return {
    async take(cost, signal) {
      const nowMs = clock.monotonicMs()
      const startMs = Math.max(nowMs, nextMs)
      nextMs = startMs + (cost * 1000) / perSecond
      if (startMs > nowMs) await clock.sleep(startMs - nowMs, signal)
      count(cost, clock.monotonicMs())
    },
    slow(pauseMs) {
      const nowMs = clock.monotonicMs()
      nextMs = Math.max(nextMs, nowMs + pauseMs)
      if (nowMs - changedMs < 1000 && changedMs > 0) return
      changedMs = nowMs
      const current = Number.isFinite(perSecond) ? perSecond : Math.max(sent.count, sent.lastPerSecond)
      perSecond = Math.max(1, current / 2)
    },
    ease() {
      const nowMs = clock.monotonicMs()
      if (!Number.isFinite(perSecond) || nowMs - changedMs < 1000) return
      changedMs = nowMs
      perSecond = perSecond * 1.1 > UNLIMITED_PER_S ? Number.POSITIVE_INFINITY : perSecond * 1.1
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
