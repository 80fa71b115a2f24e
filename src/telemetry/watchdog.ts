// Starts a second thread that watches the main one. The event loop writes a heartbeat and the requests in flight into
// shared memory. When the heartbeat stops while the main thread works, the second thread logs these requests and kills
// the process. Input: the start and end of requests.
import { url as debuggerUrl } from 'node:inspector'
import { openThread } from '../base/thread.ts'
import { createWatchdogMemory, openMemory, type WatchdogData } from './watchdog-memory.ts'

/** Processor time that the main thread may use without a heartbeat. The longest step of a backfill takes a tenth. */
const STALL_MS = 10_000
/** Time from the signal to the end of the process, whatever it is doing. */
const LEAVE_MS = 4_900
/** Interval of the heartbeat and of the thread's checks. */
const BEAT_MS = 500
/** The thread needs very little memory. */
const LIMITS = { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 2 }

export interface Watchdog {
  /**
   * Describes a request in flight; call the returned function at its end. Beyond 64 at once, requests are not recorded.
   */
  watch(description: string): () => void
  /** Tells the thread that the process should end: it is killed if it has not ended after 4.9 s. */
  leave(): void
  stop(): Promise<void>
}

export interface WatchdogOptions {
  stallMs?: number
  leaveMs?: number
  beatMs?: number
}

/**
 * Starts the thread. Time in a debugger does not count, nor does time while the process is stopped, waits for a
 * processor, or the machine sleeps. A main thread that sleeps in one call of the system may do so for `6 * stallMs`.
 */
export function startWatchdog({
  stallMs = STALL_MS,
  leaveMs = LEAVE_MS,
  beatMs = BEAT_MS,
}: WatchdogOptions = {}): Watchdog {
  const memory = createWatchdogMemory()
  const shared = openMemory(memory)
  const free = [...shared.slots]
  let beats = 0
  const beat = () => {
    beats = (beats + 1) % 2 ** 30
    shared.set('beat', beats)
    shared.set('debugged', debuggerUrl() === undefined ? 0 : 1)
  }
  beat()
  const workerData: WatchdogData = { memory, stallMs, leaveMs, beatMs }
  const worker = openThread(import.meta.url, 'watchdog-thread', { workerData, resourceLimits: LIMITS })
  worker.unref()
  const timer = setInterval(beat, beatMs).unref()
  return {
    watch(description) {
      const slot = free.pop()
      if (slot === undefined) return () => {}
      shared.fill(slot, description)
      return () => {
        shared.empty(slot)
        free.push(slot)
      }
    },
    leave: () => shared.set('leaving', 1),
    async stop() {
      clearInterval(timer)
      await worker.terminate()
    },
  }
}
