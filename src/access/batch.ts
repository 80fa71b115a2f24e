// Requests of one account that arrive while its windows are being asked wait, and are then counted in one go: as exact as
// one by one, and at a fraction of the statements. In and out as `Limits`.
import type { Limits, Outcome, Reading } from './limits.ts'
import type { PlanLimits } from './plan.ts'

interface Waiting {
  limits: PlanLimits
  amount: number
  resolve(outcome: Outcome): void
  reject(error: unknown): void
}

/** The same limits, with at most one question per account under way. */
export function batchLimits(inner: Limits): Limits {
  const queues = new Map<number, Waiting[]>()
  const run = async (accountId: number, queue: Waiting[]): Promise<void> => {
    while (queue.length > 0) {
      const batch = queue.splice(0)
      await settle(inner, accountId, batch).catch((error: unknown) => {
        for (const waiting of batch) waiting.reject(error)
      })
    }
    queues.delete(accountId)
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
        const opened = [waiting]
        queues.set(accountId, opened)
        void run(accountId, opened)
      }),
  }
}

/** Grants those that fit, in the order of their arrival, and refuses the others. */
async function settle(inner: Limits, accountId: number, batch: readonly Waiting[]): Promise<void> {
  const refused: Waiting[] = []
  let rest = batch
  let outcome: Outcome = { granted: true, readings: [] }
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

/** Each of them sees the windows as they stood after its own turn. */
function grant(batch: readonly Waiting[], sum: number, readings: readonly Reading[]): void {
  let later = sum
  for (const { amount, resolve } of batch) {
    later -= amount
    const behind = later
    resolve({ granted: true, readings: readings.map((reading) => ({ ...reading, used: reading.used - behind })) })
  }
}

const roomOf = (readings: readonly Reading[]): number =>
  Math.min(...readings.map((reading) => reading.limit - reading.used))
