// Rate limiters (rate-limiter-flexible) that count in the database or in memory. Like the Redis one they take all or
// nothing, so a refusal consumes nothing. They return a RateLimiterRes, and reject with one when they refuse.
import { RateLimiterCompatibleAbstract, RateLimiterRes } from 'rate-limiter-flexible'
import type { Clock } from '../base/clock.ts'
import { type LimitRows, MOST_SKEW_MS, type Window } from '../ledger/account/limit.ts'

/** The part of a limiter that we use. In a refusal `consumedPoints` includes the refused amount. */
export type Limiter = Pick<RateLimiterCompatibleAbstract, 'consume' | 'reward' | 'get'>

export interface LimiterOptions {
  /** The first part of each key. */
  keyPrefix: string
  /** Requests per window. */
  points: number
  /** The window's length in seconds; a call's `customDuration` overrides it. */
  duration: number
}

/** Counts in `LimitRows`: the table `rate_limit`, or memory. */
export class RowLimiter extends RateLimiterCompatibleAbstract {
  override readonly keyPrefix: string
  override blockDuration = 0
  override execEvenly = false
  readonly #options: LimiterOptions
  readonly #rows: LimitRows
  readonly #clock: Clock

  constructor(options: LimiterOptions, rows: LimitRows, clock: Clock) {
    super()
    this.keyPrefix = options.keyPrefix
    this.#options = options
    this.#rows = rows
    this.#clock = clock
  }

  override async consume(key: string | number, amount = 1, more: { customDuration?: number } = {}) {
    const nowMs = this.#clock.now().getTime()
    const endsAtMs = nowMs + 1000 * (more.customDuration ?? this.#options.duration)
    const window = await this.#rows.take(`${this.keyPrefix}:${key}`, amount, this.#options.points, endsAtMs, nowMs)
    if (!window.granted) throw this.#toResult({ ...window, used: window.used + amount }, nowMs)
    return this.#toResult(window, nowMs)
  }

  override async reward(key: string | number, amount = 1) {
    await this.#rows.give(`${this.keyPrefix}:${key}`, amount, this.#clock.now().getTime())
    return new RateLimiterRes()
  }

  override async get(key: string | number) {
    const nowMs = this.#clock.now().getTime()
    const window = await this.#rows.read(`${this.keyPrefix}:${key}`, nowMs)
    return window && this.#toResult(window, nowMs)
  }

  #toResult({ used, endsAtMs }: Window, nowMs: number): RateLimiterRes {
    return new RateLimiterRes(Math.max(this.#options.points - used, 0), Math.max(endsAtMs - nowMs, 0), used)
  }
}

/** Takes one from the key's window and returns 0; or takes nothing and returns the seconds until the window ends. */
export async function takeOne(limiter: Limiter, key: string): Promise<number> {
  try {
    await limiter.consume(key)
    return 0
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return toSeconds(refusal)
    throw refusal
  }
}

/** The rest of a window in whole seconds, at least 1. */
export const toSeconds = ({ msBeforeNext }: RateLimiterRes): number => Math.max(Math.ceil(msBeforeNext / 1000), 1)

/** Windows in this process: 10,000 keys by default; the oldest are dropped first. */
export function createMemoryRows(capacity = 10_000): LimitRows {
  const windows = new Map<string, Window>()
  const find = (key: string, nowMs: number) => {
    const window = windows.get(key)
    return window && window.endsAtMs > nowMs ? window : undefined
  }
  return {
    take: async (key, amount, limit, endsAtMs, nowMs) => {
      const known = find(key, nowMs)
      const open = known && known.endsAtMs <= endsAtMs + MOST_SKEW_MS ? known : { used: 0, granted: true, endsAtMs }
      const granted = open.used + amount <= limit
      const window = { used: granted ? open.used + amount : open.used, granted, endsAtMs: open.endsAtMs }
      windows.delete(key)
      windows.set(key, window)
      const [oldest] = windows.keys()
      if (windows.size > capacity && oldest !== undefined) windows.delete(oldest)
      return window
    },
    give: async (key, amount, nowMs) => {
      const window = find(key, nowMs)
      if (window) window.used = Math.max(window.used - amount, 0)
    },
    read: async (key, nowMs) => find(key, nowMs) ?? null,
    clear: async (endedBeforeMs) => {
      for (const [key, window] of windows) if (window.endsAtMs < endedBeforeMs) windows.delete(key)
    },
  }
}
