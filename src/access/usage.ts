// Meters requests per account and UTC day: counted in memory, written every second and at the end. What could not be
// written stays counted and is tried again, so that nothing is lost while the process lives.
import { type Clock, dayOf } from '../base/clock.ts'
import type { UsageEntry } from '../ledger/account/usage.ts'

/** Milliseconds between two writes: what a killed process can lose at most. */
const FLUSH_INTERVAL_MS = 1000

export interface Usage {
  /** Counts requests of the account on a day (days since 1970); negative gives back. */
  count(accountId: number, day: number, requests: number): void
  /** Today, in days since 1970. */
  today(): number
  /** Writes what is counted; throws when that fails, and keeps it. */
  flush(): Promise<void>
  start(): void
  /** Ends the timer and writes the rest. */
  stop(): Promise<void>
}

/** Writes through `write`, whose failures on the timer go to `onError`. */
export function createUsage(
  write: (entries: UsageEntry[]) => Promise<void>,
  clock: Clock,
  onError: (error: unknown) => void,
): Usage {
  const counted = new Map<string, UsageEntry>()
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()

  const count = (accountId: number, day: number, requests: number): void => {
    const key = `${accountId}:${day}`
    const entry = counted.get(key) ?? { accountId, day, requests: 0 }
    entry.requests += requests
    counted.set(key, entry)
  }
  const writeOnce = async (): Promise<void> => {
    const entries = [...counted.values()].filter(({ requests }) => requests !== 0)
    counted.clear()
    try {
      await write(entries)
    } catch (error) {
      for (const { accountId, day, requests } of entries) count(accountId, day, requests)
      throw error
    }
  }
  const flush = (): Promise<void> => {
    writing = writing.catch(() => {}).then(writeOnce)
    return writing
  }
  return {
    count,
    flush,
    today: () => dayOf(clock.now().getTime() / 1000),
    start: () => {
      timer ??= setInterval(() => void flush().catch(onError), FLUSH_INTERVAL_MS).unref()
    },
    stop: async () => {
      clearInterval(timer)
      timer = undefined
      await flush()
    },
  }
}
