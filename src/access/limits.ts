// The two windows of an account: a minute that starts with its first request, and the UTC day. Takes an amount from
// both, or refuses and consumes nothing.
import { RateLimiterRes } from 'rate-limiter-flexible'
import { type Clock, dayOf } from '../base/clock.ts'
import type { LimitState } from '../base/errors.ts'
import { DAY_SECONDS } from '../base/time.ts'
import type { Limiter, LimiterOptions } from './limiter.ts'
import type { PlanLimits } from './plan.ts'

const MINUTE_SECONDS = 60

/** The state of a window after a request, and its counter. */
export interface LimitReading extends LimitState {
  /** The end of the window, in milliseconds since 1970. */
  endsAtMs: number
  key: string
}

/** Whether the amount fitted into every window, and the state of each. */
export interface LimitOutcome {
  granted: boolean
  readings: LimitReading[]
}

export interface Limits {
  take(accountId: number, limits: PlanLimits, amount: number): Promise<LimitOutcome>
  /** Gives the amount back to the windows that are still open. */
  give(readings: readonly LimitReading[], amount: number): Promise<void>
}

interface WindowOf {
  reading: LimitReading
  limiter: Limiter
}

/** Creates the limits over limiters made by `createLimiter`; one per window and limit is kept. */
export function createLimits(createLimiter: (options: LimiterOptions) => Limiter, clock: Clock): Limits {
  const limiters = new Map<string, Limiter>()
  const limiterOf = (name: LimitReading['name'], points: number): Limiter => {
    const id = `${name}:${points}`
    const limiter =
      limiters.get(id) ??
      createLimiter({ keyPrefix: `assay:${name}`, points, duration: name === 'minute' ? MINUTE_SECONDS : DAY_SECONDS })
    limiters.set(id, limiter)
    return limiter
  }
  const give = async (readings: readonly LimitReading[], amount: number): Promise<void> => {
    const nowMs = clock.now().getTime()
    const open = readings.filter((reading) => reading.endsAtMs > nowMs)
    await Promise.all(open.map(({ name, limit, key }) => limiterOf(name, limit).reward(key, amount)))
  }
  const take = async (accountId: number, limits: PlanLimits, amount: number): Promise<LimitOutcome> => {
    const windows = openWindows(accountId, limits, clock.now().getTime()).map((reading) => ({
      reading,
      limiter: limiterOf(reading.name, reading.limit),
    }))
    // Both windows are updated in one statement. If only one of them grants the amount, it is given back there.
    const fits = await Promise.all(windows.map((window) => consume(window, amount, clock)))
    if (fits.includes(false)) {
      const taken = windows.filter((_, index) => fits[index]).map(({ reading }) => reading)
      await give(taken, amount)
      for (const reading of taken) reading.used -= amount
      return { granted: false, readings: windows.map(({ reading }) => reading) }
    }
    return { granted: true, readings: windows.map(({ reading }) => reading) }
  }
  return { take, give }
}

/** The windows of an account, as if nothing were used yet. */
function openWindows(accountId: number, limits: PlanLimits, nowMs: number): LimitReading[] {
  const readings: LimitReading[] = []
  const day = dayOf(nowMs / 1000)
  const endOfDayMs = (day + 1) * DAY_SECONDS * 1000
  if (limits.requestsPerMinute !== null) {
    readings.push({
      name: 'minute',
      limit: limits.requestsPerMinute,
      windowSeconds: MINUTE_SECONDS,
      used: 0,
      resetSeconds: MINUTE_SECONDS,
      endsAtMs: nowMs + MINUTE_SECONDS * 1000,
      key: String(accountId),
    })
  }
  if (limits.requestsPerDay !== null) {
    readings.push({
      name: 'day',
      limit: limits.requestsPerDay,
      windowSeconds: DAY_SECONDS,
      used: 0,
      resetSeconds: Math.ceil((endOfDayMs - nowMs) / 1000),
      endsAtMs: endOfDayMs,
      key: `${accountId}:${day}`,
    })
  }
  return readings
}

/** Takes the amount from one window and updates its reading; false if it does not fit. */
async function consume({ reading, limiter }: WindowOf, amount: number, clock: Clock): Promise<boolean> {
  try {
    const result = await limiter.consume(reading.key, amount, { customDuration: reading.resetSeconds })
    update(reading, result.consumedPoints, result, clock)
    return true
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal
    update(reading, refusal.consumedPoints - amount, refusal, clock)
    return false
  }
}

/** The day ends at midnight UTC; the minute ends 60 s after its first request. */
function update(reading: LimitReading, used: number, { msBeforeNext }: RateLimiterRes, clock: Clock): void {
  reading.used = used
  if (reading.name === 'day') return
  reading.endsAtMs = clock.now().getTime() + msBeforeNext
  reading.resetSeconds = Math.max(Math.ceil(msBeforeNext / 1000), 1)
}
