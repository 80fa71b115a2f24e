// Senders that share a queue. One of them asks whether something waits, and calls in the next one when it has taken a
// message. So an empty queue costs one statement, and a receiver that hangs keeps one sender.
import type { Outage } from '../telemetry/outage.ts'

export interface CrewOptions {
  /** The most senders at once. */
  most: number
  /** Sends until nothing waits; calls back when it has taken a message. */
  send: (onTaken: () => void) => Promise<unknown>
  outage: Outage
  signal: AbortSignal
}

/** `wake()` makes one more sender ask, unless all work. `ended()` waits for those that work. */
export function createCrew({ most, send, outage, signal }: CrewOptions) {
  const running = new Set<Promise<void>>()
  let isMissed = false

  function wake(): void {
    if (signal.aborted) return
    if (running.size >= most) {
      isMissed = true
      return
    }
    // Runs in a later turn, so that the sender is counted before it calls in the next one.
    const sender = Promise.resolve()
      .then(() => send(wake))
      .then(outage.pass, outage.fail)
      .then(() => {
        running.delete(sender)
        if (!isMissed) return
        isMissed = false
        wake()
      })
    running.add(sender)
  }

  return {
    wake,
    async ended(): Promise<void> {
      while (running.size > 0) await Promise.all(running)
    },
  }
}
