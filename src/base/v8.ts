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
 * Flags by Node's major version. V8 writes to standard error for a flag that it does not know, and there is no way to
 * ask it first, so only versions that were tried are listed; any other version gets no flags.
 */
const FLAGS_BY_NODE: Readonly<Record<number, readonly string[]>> = {
  // Bytes of bytecode to run before V8 considers compiling a function: eight times its default. Later versions of Node
  // count calls instead, and changing that gains nothing.
  20: ['--interrupt-budget=540672'],
  22: [],
  24: [],
  26: [],
}

/** Where the young generation stops growing on Node 24, in bytes: as on 20 and 22. By itself it takes four times that, and keeps it. */
const YOUNG_BYTES = 32 * 2 ** 20
/** Rounds of garbage within which it has grown; it takes about ten. */
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
 * Lets the young generation grow to its bound, then stops it: the bound itself can only be set on Node's command line, which
 * belongs to whoever starts the program. It grows when much of it survives a collection, so for some milliseconds much does.
 */
function holdYoung(): void {
  const kept: object[] = []
  for (let round = 0; round < GROW_ROUNDS && youngBytes() < YOUNG_BYTES; round++) {
    for (let index = 0; index < 1_000; index++) kept.push({ round, index: [index] })
  }
  setFlagsFromString('--semi-space-growth-factor=1')
}

/** What the young generation has taken, in bytes. */
const youngBytes = (): number =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0

/**
 * Gives what a start, a backfill or an hour of use left behind back to the system: V8 keeps the pages of a heap that was larger, and a young
 * generation as large as it ever was, until it runs short of memory. It takes a tenth of a second, in which nothing else runs.
 */
function giveBack(): void {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect !== 'function') return
  // As at the last resort: only that shrinks the young generation and drops code that is not in use. Node 20 knows no such words.
  if (majorOf(process.versions.node) < 22) collect()
  else collect({ type: 'major', flavor: 'last-resort' })
}

/** What is looked at before memory is given back, and how it is. */
interface Memory {
  /** What the process takes, in bytes. */
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
 * Gives memory back at the first look, and at a later one whenever the process has grown since and is idle: a heap that an hour of use
 * left behind would be collected only when as much again has been used.
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
