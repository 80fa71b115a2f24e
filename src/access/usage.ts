// Meters requests per account, UTC day and route, and the last use of each key: counted in memory, written every second
// and at shutdown. A failed write is kept and retried, so nothing is lost while the process lives.
import { type Clock, dayOf } from '../base/clock.ts'
import type { KeyUse, UsageEntry } from '../ledger/account/usage.ts'

/** Milliseconds between two writes: the most that a killed process can lose. */
const FLUSH_INTERVAL_MS = 1000

export interface Usage {
  /** Counts requests; a negative number gives back. */
  count(entry: UsageEntry): void
  /** Notes that the key is in use. */
  note(keyId: number): void
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
  write: (entries: UsageEntry[], uses: KeyUse[]) => Promise<void>,
  clock: Clock,
  onError: (error: unknown) => void,
): Usage {
  const counted = new Map<string, UsageEntry>()
  const used = new Map<number, Date>()
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()

  const count = ({ requests, ...use }: UsageEntry): void => {
    const key = `${use.accountId}:${use.day}:${use.route}`
    const entry = counted.get(key) ?? { ...use, requests: 0 }
    entry.requests += requests
    counted.set(key, entry)
  }
  const writeOnce = async (): Promise<void> => {
    const entries = [...counted.values()].filter(({ requests }) => requests !== 0)
    const uses = [...used].map(([keyId, at]) => ({ keyId, at }))
    counted.clear()
    used.clear()
    try {
      await write(entries, uses)
    } catch (error) {
      for (const entry of entries) count(entry)
      for (const { keyId, at } of uses) if (!used.has(keyId)) used.set(keyId, at)
      throw error
    }
  }
  const flush = (): Promise<void> => {
    writing = writing.catch(() => {}).then(writeOnce)
    return writing
  }
  return {
    count,
    note: (keyId) => void used.set(keyId, clock.now()),
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
