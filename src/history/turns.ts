// Bounds how many questions a store answers at a time, and how many wait.
import { AssayError } from '../base/errors.ts'

/** The most that wait. */
const MOST_WAITING = 512

const refusal = (why: string) => new AssayError('SERVICE_UNAVAILABLE', why, { retryAfterSeconds: 1 })

export interface StatementTurns {
  take(): Promise<void>
  give(): void
  /** Refuses those that wait, and resolves when the others are done. */
  close(): Promise<void>
}

/** Lets `count` through at a time, in order. */
export function createStatementTurns(count: number): StatementTurns {
  const waiting: { go(): void; refuse(error: Error): void }[] = []
  let free = count
  let isClosed = false
  let closed = () => {}
  return {
    take: async () => {
      if (isClosed) throw refusal('The server is about to stop.')
      if (free > 0) free -= 1
      else if (waiting.length >= MOST_WAITING)
        throw refusal('Too many answers wait for older events: try again in a moment.')
      else await new Promise<void>((go, refuse) => void waiting.push({ go, refuse }))
    },
    give: () => {
      const next = waiting.shift()
      if (next) next.go()
      else free += 1
      if (isClosed && free === count) closed()
    },
    close: async () => {
      isClosed = true
      for (const { refuse } of waiting.splice(0)) refuse(refusal('The server is about to stop.'))
      if (free < count)
        await new Promise<void>((resolve) => {
          closed = resolve
        })
    },
  }
}
