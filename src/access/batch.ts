// Batches requests of one account that arrive together, or while its windows are being updated, into one statement. The
// count is as exact as one by one. Takes and returns `Limits`.
import type { LimitOutcome, LimitReading, Limits } from './limits.ts'
import type { PlanLimits } from './plan.ts'

interface Waiting {
  limits: PlanLimits
  amount: number
  resolve(outcome: LimitOutcome): void
  reject(error: unknown): void
}

/**
 * Wraps the limits so that each account has at most one update running. Requests of the same event-loop turn are sent
 * together at its end.
 */
export function batchLimits(inner: Limits): Limits {
  const queues = new Map<number, Waiting[]>()
  let opened: number[] = []
  const run = async (accountId: number): Promise<void> => {
    const batch = queues.get(accountId) ?? []
    queues.set(accountId, [])
    await settle(inner, accountId, batch).catch((error: unknown) => {
      for (const waiting of batch) waiting.reject(error)
    })
    if (queues.get(accountId)?.length) open(accountId)
    else queues.delete(accountId)
  }
  const open = (accountId: number): void => {
    if (opened.push(accountId) > 1) return
    setImmediate(() => {
      const accounts = opened
      opened = []
      for (const account of accounts) void run(account)
    })
  }
  return {
    give: inner.give,
    take: (accountId, limits, amount) =>
      new Promise((resolve, reject) => {
        const waiting = { limits, amount, resolve, reject }
        const queue = queues.get(accountId)
        if (queue) {
          queue.push(waiting)
          return
        }
        queues.set(accountId, [waiting])
        open(accountId)
      }),
  }
}

/** Grants the requests that fit, in the order of arrival, and refuses the others. */
async function settle(inner: Limits, accountId: number, batch: readonly Waiting[]): Promise<void> {
  const refused: Waiting[] = []
  let rest = batch
  let outcome: LimitOutcome = { granted: true, readings: [] }
  while (rest[0]) {
    const sum = rest.reduce((total, { amount }) => total + amount, 0)
    outcome = await inner.take(accountId, rest[0].limits, sum)
    if (outcome.granted) {
      grant(rest, sum, outcome.readings)
      break
    }
    let room = roomOf(outcome.readings)
    const fitting: Waiting[] = []
    for (const waiting of rest) {
      if (waiting.amount <= room) {
        room -= waiting.amount
        fitting.push(waiting)
      } else refused.push(waiting)
    }
    rest = fitting
  }
  for (const waiting of refused) waiting.resolve({ granted: false, readings: outcome.readings })
}

/** Each request sees the windows as they stood after its own turn. */
function grant(batch: readonly Waiting[], sum: number, readings: readonly LimitReading[]): void {
  let later = sum
  for (const { amount, resolve } of batch) {
    later -= amount
    const behind = later
    resolve({ granted: true, readings: readings.map((reading) => ({ ...reading, used: reading.used - behind })) })
  }
}

const roomOf = (readings: readonly LimitReading[]): number =>
  Math.min(...readings.map((reading) => reading.limit - reading.used))
