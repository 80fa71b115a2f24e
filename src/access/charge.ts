// The consumption of one request and the rest of the limits, and the refusal with the time to wait.
import { AssayError, type LimitState } from '../base/errors.ts'
import type { Caller, Charge, Remaining } from './guard.ts'
import type { LimitReading, Limits } from './limits.ts'
import { limitsOf } from './plan.ts'
import type { Usage } from './usage.ts'

/** Charges the caller for a route; the returned charge remembers the amount to refund. */
export async function startCharge(
  { limits, usage }: { limits: Limits; usage: Usage },
  caller: Caller,
  requests: number,
  route: string,
): Promise<Charge> {
  const plan = limitsOf(caller.plan, caller)
  const limited = plan.requestsPerMinute !== null || plan.requestsPerDay !== null
  const use = { accountId: caller.accountId, day: usage.today(), route }
  let readings: LimitReading[] = []
  let taken = 0

  const take = async (amount: number): Promise<void> => {
    if (limited) {
      const requests = taken + amount
      const impossible = findImpossible(requests, [plan.requestsPerMinute, plan.requestsPerDay])
      if (impossible) {
        await refund()
        throw impossible
      }
      const outcome = await limits.take(caller.accountId, plan, amount)
      readings = outcome.readings
      if (!outcome.granted) {
        const exceeded = readings.filter(({ used, limit }) => used + amount > limit)
        await refund()
        throw rateLimited(exceeded, toStates(readings), requests)
      }
    }
    taken += amount
    usage.count({ ...use, requests: amount })
  }
  const refund = async (): Promise<void> => {
    const amount = taken
    if (amount === 0) return
    taken = 0
    usage.count({ ...use, requests: -amount })
    readings = readings.map((reading) => ({ ...reading, used: Math.max(reading.used - amount, 0) }))
    await limits.give(readings, amount)
  }

  await take(requests)
  usage.note(caller.keyId)
  return {
    get limits() {
      return readings
    },
    get requests() {
      return taken
    },
    get remaining() {
      return toRemaining(readings)
    },
    add: take,
    refund,
  }
}

/** The refusal of a request that costs more than a whole window: waiting would not help it. */
function findImpossible(requests: number, limits: readonly (number | null)[]): AssayError | null {
  const limit = limits.find((most) => most !== null && requests > most)
  if (limit === undefined || limit === null) return null
  return new AssayError(
    'FORBIDDEN',
    `This query counts as ${requests} requests and your plan allows ${limit} at a time: ask for fewer items.`,
  )
}

function rateLimited(exceeded: readonly LimitReading[], limits: readonly LimitState[], requests: number): AssayError {
  const seconds = Math.max(1, ...exceeded.map(({ resetSeconds }) => resetSeconds))
  const names = exceeded.map(({ name, limit }) => `${limit} requests per ${name}`).join(' and ')
  const price = requests > 1 ? `This query counts as ${requests} requests. ` : ''
  return new AssayError('RATE_LIMITED', `${price}Your plan allows ${names}: wait ${seconds} s.`, {
    limits,
    retryAfterSeconds: seconds,
  })
}

/** A copy, because the readings are updated later. */
const toStates = (readings: readonly LimitReading[]): LimitState[] =>
  readings.map(({ name, limit, windowSeconds, used, resetSeconds }) => ({
    name,
    limit,
    windowSeconds,
    used,
    resetSeconds,
  }))

/** How many requests a window has left. */
export const leftOf = ({ limit, used }: LimitState): number => Math.max(limit - used, 0)

/** The rest of each window; null without such a limit. */
export function toRemaining(limits: readonly LimitState[]): Remaining {
  const left = (name: LimitState['name']) => {
    const window = limits.find((state) => state.name === name)
    return window ? leftOf(window) : null
  }
  return { minute: left('minute'), day: left('day') }
}
