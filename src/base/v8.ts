// Sets V8 flags for this program: how far the heap may grow between full collections, and how late code is compiled.
import { constants, type PerformanceEntry, PerformanceObserver, performance } from 'node:perf_hooks'
import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Target for live data plus garbage before a full collection, in bytes. A small heap may grow by a larger share. */
const ROOM_BYTES = 120 * 2 ** 20
/** Growth in percent of the live data; the maximum is V8's own default for a small heap. */
const LEAST_GROWTH_PCT = 50
const MOST_GROWTH_PCT = 300

/**
 * Flags by Node's major version. V8 writes to standard error for an unknown flag and offers no query for known ones, so
 * only tested versions are listed. Any other version gets no flags.
 */
const FLAGS_BY_NODE: Readonly<Record<number, readonly string[]>> = {
  // Bytes of bytecode to run before V8 considers compiling a function: eight times its default. Later versions of Node
  // count calls instead, and changing that gains nothing.
  20: ['--interrupt-budget=540672'],
  22: [],
  24: [],
  26: [],
}

/**
 * The size at which the young generation stops growing on Node 24, in bytes: as on 20 and 22. Its default takes and
 * keeps four times that.
 */
const YOUNG_BYTES = 32 * 2 ** 20
/** The rounds of garbage within which it has grown; about ten suffice. */
const GROW_ROUNDS = 100

/** A performance entry of type `gc`. */
interface Collection {
  detail?: { kind?: number }
}

/**
 * Spends some time to save memory, so that a long backfill stays near the size of its live data. On Node 20 it also
 * compiles later: with two processors, compiling code that runs only briefly costs a tenth of a short backfill.
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
  if (majorOf(process.versions.node) === 24) holdYoung()
}

/**
 * Lets the young generation grow to its bound, then stops it. Only Node's command line can set the bound itself, and
 * that belongs to the user. It grows when many objects survive a collection, so for some milliseconds many do.
 */
function holdYoung(): void {
  const kept: object[] = []
  for (let round = 0; round < GROW_ROUNDS && youngBytes() < YOUNG_BYTES; round++) {
    for (let index = 0; index < 1_000; index++) kept.push({ round, index: [index] })
  }
  setFlagsFromString('--semi-space-growth-factor=1')
}

/** The size of the young generation, in bytes. */
const youngBytes = (): number =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0

/**
 * Returns unused memory to the system after a start, a backfill or an hour of use. V8 keeps the pages of a formerly
 * larger heap, and a young generation of its largest size, until it runs short of memory. This blocks the event loop
 * for a tenth of a second.
 */
function giveBack(): void {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect !== 'function') return
  // A collection of the last resort: only that shrinks the young generation and drops unused code. Node 20 lacks this
  // option.
  if (majorOf(process.versions.node) < 22) collect()
  else collect({ type: 'major', flavor: 'last-resort' })
}

/** The measurements before memory is returned, and the function that returns it. */
interface Memory {
  /** The memory of the process, in bytes. */
  takenBytes(): number
  /** Share of the time since the last call in which the event loop worked. */
  busyShare(): number
  giveBack(): void
}

/** Growth that is worth the tenth of a second that a full collection takes. */
const WORTH_BYTES = 40 * 2 ** 20
/** A process that works more than this share of the time is not interrupted. */
const IDLE_SHARE = 0.2

/**
 * Returns memory at the first look, and again whenever the process has grown since and is idle. V8 alone would collect
 * the heap of an hour's use only after as much has been allocated again.
 */
export function createMemoryWatch(memory: Memory = createMemory()): { look(): void } {
  let restBytes: number | undefined
  return {
    look: () => {
      const share = memory.busyShare()
      const isWorth = restBytes === undefined || memory.takenBytes() - restBytes > WORTH_BYTES
      if (!isWorth || (restBytes !== undefined && share > IDLE_SHARE)) return
      memory.giveBack()
      restBytes = memory.takenBytes()
    },
  }
}

function createMemory(): Memory {
  let seen = performance.eventLoopUtilization()
  return {
    takenBytes: () => process.memoryUsage.rss(),
    busyShare: () => {
      const now = performance.eventLoopUtilization()
      const { utilization } = performance.eventLoopUtilization(now, seen)
      seen = now
      return utilization
    },
    giveBack,
  }
}

const majorOf = (version: string): number => Number.parseInt(version, 10)

/** The flags for a version such as 24.1.0; undefined for an untried one, which may not know the heap flag either. */
export const flagsOf = (version: string): readonly string[] | undefined => FLAGS_BY_NODE[majorOf(version)]

/** The growth in percent for a heap of this many bytes. */
export const growthOf = (bytes: number): number =>
  Math.round(Math.min(MOST_GROWTH_PCT, Math.max(LEAST_GROWTH_PCT, (100 * (ROOM_BYTES - bytes)) / bytes)))
