// Meters requests per account and UTC day: counted in memory, written every second and at shutdown. A failed write is
// kept and retried, so nothing is lost while the process lives.
import { type Clock, dayOf } from '../base/clock.ts'
import type { UsageEntry } from '../ledger/account/usage.ts'

/** Milliseconds between two writes: the most that a killed process can lose. */
const FLUSH_INTERVAL_MS = 1000

export interface Usage {
  /** Counts requests of the account on a day (days since 1970); a negative number gives back. */
  count(accountId: number, day: number, requests: number): void
  /** Today, in days since 1970. */
  today(): number
  /** Writes the counts; if that fails, throws and keeps them. */
  flush(): Promise<void>
  start(): void
  /** Stops the timer and writes the rest. */
  stop(): Promise<void>
}

/** Creates a meter. Failures of `write` on the timer go to `onError`. */
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
