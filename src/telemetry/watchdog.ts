// A second thread that watches this one. The event loop beats into memory that both see, and says there which requests are
// under way; when the beat stays out, the thread names them on standard error and ends the process. In: the start and end of
// requests. Out: nothing, as long as all is well.
import { url as debuggerUrl } from 'node:inspector'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { createWatchdogMemory, openMemory, type WatchdogData } from './watchdog-memory.ts'

/** The loop stands still after so long without a beat: the longest step of a backfill takes a tenth of it. */
const STALL_MS = 10_000
/** From the signal to the end of the process, whatever it is in. */
const LEAVE_MS = 4_900
/** How often the loop beats, and the thread looks. */
const BEAT_MS = 500
/** The thread needs next to nothing. */
const LIMITS = { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 2 }

export interface Watchdog {
  /** Names a request that is under way; the function it returns says that it is over. Beyond 64 at once they stay unnamed. */
  watch(description: string): () => void
  /** The process was told to end: it is ended when it has not in 5 s, and now also when the loop stands still. */
  leave(): void
  stop(): Promise<void>
}

export interface WatchdogOptions {
  stallMs?: number
  leaveMs?: number
  beatMs?: number
}

/** Starts the thread. A loop that stands in a debugger does not count, nor does a process that is stopped or asleep. */
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
  const worker = openWorker({ memory, stallMs, leaveMs, beatMs })
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

/** Node reads no TypeScript by itself: from sources, what reads it is loaded before the first file. */
function openWorker(workerData: WatchdogData): Worker {
  const extension = extname(import.meta.url)
  const start = `import(${JSON.stringify(new URL(`./watchdog-thread${extension}`, import.meta.url).href)})`
  const options = { eval: true, workerData, resourceLimits: LIMITS }
  if (extension !== '.ts') return new Worker(start, options)
  const loader = JSON.stringify(import.meta.resolve('tsx/esm/api'))
  return new Worker(`import(${loader}).then(({ register }) => (register(), ${start}))`, options)
}
