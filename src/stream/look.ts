// Reads the ledger whenever the chain moves: one read at a time, and one more if it moved meanwhile. A failed read is
// repeated after a second.
import type { Outage } from '../telemetry/outage.ts'

/** The pause after a failed read. */
const RETRY_MS = 1_000

export interface Look {
  /** Reads now. */
  now(): void
  stop(): void
}

/** Begins to read. */
export function lookAtEachMove(
  head: { onChange(listener: () => void): () => void },
  work: () => Promise<void>,
  outage: Outage,
): Look {
  let isRunning = false
  let again = false
  let isStopped = false
  let retry: NodeJS.Timeout | undefined
  const look = async (): Promise<void> => {
    again = true
    if (isRunning || isStopped) return
    isRunning = true
    try {
      while (again && !isStopped) {
        again = false
        await work()
      }
      outage.pass()
    } catch (error) {
      outage.fail(error)
      clearTimeout(retry)
      retry = setTimeout(() => void look(), RETRY_MS).unref()
    } finally {
      isRunning = false
    }
  }
  const stopWatching = head.onChange(() => void look())
  return {
    now: () => void look(),
    stop: () => {
      isStopped = true
      stopWatching()
      clearTimeout(retry)
    },
  }
}
