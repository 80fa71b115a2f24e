// What V8 is told about this program: how much memory may lie before it looks for garbage, and when it compiles.
import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'

/** What lives and what lies may be this much together before a full collection: a small heap grows by more of its size. */
const ROOM_BYTES = 120 * 2 ** 20
/** Shares of what lives in it; the most is what V8 chooses by itself for a small heap. */
const LEAST_GROWTH_PCT = 50
const MOST_GROWTH_PCT = 300

/** Bytes of bytecode that run before V8 looks whether a function is worth compiling, eight times its own choice. */
const COMPILE_AFTER = 540_672

/** An entry of type `gc`. */
interface Collection {
  detail?: { kind?: number }
}

/**
 * Trades some time for memory: a long backfill then stays near what it holds. And compiles late: on two processors, compiling
 * what runs for a moment costs what it was to save, a tenth of a short backfill.
 */
export function tuneV8(): void {
  const fitHeap = () => setFlagsFromString(`--heap-growing-percent=${growthOf(getHeapStatistics().used_heap_size)}`)
  const isFull = (entry: PerformanceEntry) =>
    (entry as unknown as Collection).detail?.kind === constants.NODE_PERFORMANCE_GC_MAJOR
  fitHeap()
  new PerformanceObserver((list) => {
    if (list.getEntries().some(isFull)) fitHeap()
  }).observe({ entryTypes: ['gc'] })
  setFlagsFromString(`--interrupt-budget=${COMPILE_AFTER}`)
}

/** By how many percent a heap of so many bytes may grow. */
export const growthOf = (bytes: number): number =>
  Math.round(Math.min(MOST_GROWTH_PCT, Math.max(LEAST_GROWTH_PCT, (100 * (ROOM_BYTES - bytes)) / bytes)))
