// What V8 is told about this program: how much memory may lie before it looks for garbage, and when it compiles.
import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'

/** What lives and what lies may be this much together before a full collection: a small heap grows by more of its size. */
const ROOM_BYTES = 120 * 2 ** 20
/** Shares of what lives in it; the most is what V8 chooses by itself for a small heap. */
const LEAST_GROWTH_PCT = 50
const MOST_GROWTH_PCT = 300

/**
 * What each Node that this was tried on is told. A flag that V8 does not know makes it write to standard error, and nobody can
 * ask it before: any other Node is told nothing.
 */
const FLAGS_BY_NODE: Readonly<Record<number, readonly string[]>> = {
  // Bytes of bytecode that run before V8 looks whether a function is worth compiling, eight times its own choice. The counts
  // of calls that took its place are worth no time.
  20: ['--interrupt-budget=540672'],
  22: [],
  24: [],
  26: [],
}

/** An entry of type `gc`. */
interface Collection {
  detail?: { kind?: number }
}

/**
 * Trades some time for memory: a long backfill then stays near what it holds. And compiles late on Node 20: on two processors, compiling
 * what runs for a moment costs what it was to save, a tenth of a short backfill.
 */
export function tuneV8(): void {
  const flags = flagsOf(process.versions.node)
  if (!flags) return
  const fitHeap = () => setFlagsFromString(`--heap-growing-percent=${growthOf(getHeapStatistics().used_heap_size)}`)
  const isFull = (entry: PerformanceEntry) =>
    (entry as unknown as Collection).detail?.kind === constants.NODE_PERFORMANCE_GC_MAJOR
  fitHeap()
  new PerformanceObserver((list) => {
    if (list.getEntries().some(isFull)) fitHeap()
  }).observe({ entryTypes: ['gc'] })
  for (const flag of flags) setFlagsFromString(flag)
}

/** By a version of Node such as 24.1.0; undefined where it was not tried, and not even the heap's flag is sure to be known. */
export const flagsOf = (version: string): readonly string[] | undefined => FLAGS_BY_NODE[Number.parseInt(version, 10)]

/** By how many percent a heap of so many bytes may grow. */
export const growthOf = (bytes: number): number =>
  Math.round(Math.min(MOST_GROWTH_PCT, Math.max(LEAST_GROWTH_PCT, (100 * (ROOM_BYTES - bytes)) / bytes)))
