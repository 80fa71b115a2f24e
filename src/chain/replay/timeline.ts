// The times of the blocks of a moving demo. The chain moves while the program runs, stands still otherwise, and
// continues from its last block. A file in the data folder has its progress, and the begin of each run. Input: that
// file and the clock. The file is written before a block is shown, so no block ever gets another time. Another
// recording starts the file anew.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Clock } from '../../base/clock.ts'
import { createOutage } from '../../telemetry/outage.ts'

/** Seconds from one block to the next. */
export const BLOCK_SECONDS = 5
/** The most runs remembered; older ones merge into one. */
const MOST_RUNS = 1_000

interface Kept {
  /** Hash of the recording's last block. */
  recording: string
  /** Seconds added to the recorded times. */
  shift: number
  /** The newest block shown. */
  reached: number
  /** Each run: its first block and that block's time in seconds, the oldest first. */
  runs: [first: number, time: number][]
}

export interface Timeline {
  /** The newest block, which is never lower than before. */
  head(): number
  /** The time of a block in seconds, from its recorded time if it was recorded. */
  timeOf(number: number, recordedTime?: number): number
}

interface LastBlock {
  number: number
  hash: string
  time: number
}

interface TimelineOptions {
  dataDir: string
  clock: Clock
  /** The recording's last block; its time in seconds. */
  last: LastBlock
  /** Whether the chain stands still. */
  isStill: boolean
  /** Gets each block when it is first shown. */
  onBlock?: (number: number) => void
  /**
   * Gets the seconds without a block between the recording and the present, if the data folder has the recorded times.
   */
  onGap?: (seconds: number) => void
  /** The chain stands still, because its file cannot be written for this reason; null: it goes on. */
  onRest?: (reason: string | null) => void
}

/** Opens the timeline of a data folder. A run enters the file when its first block is shown. */
export function openTimeline({ dataDir, clock, last, isStill, onBlock, onGap, onRest }: TimelineOptions): Timeline {
  const file = join(dataDir, 'demo-chain.json')
  const nowSeconds = () => Math.floor(clock.now().getTime() / 1_000)
  const before = readKept(file)
  const known = before?.recording === last.hash ? before : null
  // A data folder of a demo that stood still keeps the recorded times, because its index has them.
  const keepsTimes = isStill || (before === null && existsSync(join(dataDir, 'demo-key')))
  const kept = known ?? startKept(last, keepsTimes ? last.time : nowSeconds())
  // The index of this folder gets these times, so the file is written before any read.
  if (!isStill) keep(file, kept)
  if (!isStill && kept.runs.length === 0 && kept.shift === 0) onGap?.(nowSeconds() - last.time)
  const rest = createOutage(
    (error) => onRest?.(error instanceof Error ? error.message : String(error)),
    () => onRest?.(null),
  )
  const startedMs = clock.monotonicMs()
  const first = kept.reached + 1
  // After the clock was set back, a block must still not be older than its parent.
  const started = Math.max(nowSeconds() + BLOCK_SECONDS, timeIn(kept, kept.reached, last) + 1)
  const advance = (number: number) => {
    if (kept.runs.at(-1)?.[0] !== first) kept.runs.push([first, started])
    while (kept.runs.length > MOST_RUNS) kept.runs.splice(1, 1)
    const from = kept.reached
    const fault = keep(file, { ...kept, reached: number })
    if (fault !== null) return rest.fail(fault)
    rest.pass()
    kept.reached = number
    for (let block = from + 1; block <= number; block++) onBlock?.(block)
  }
  return {
    head() {
      if (isStill) return kept.reached
      const due = first - 1 + Math.floor((clock.monotonicMs() - startedMs) / 1_000 / BLOCK_SECONDS)
      if (due > kept.reached) advance(due)
      return kept.reached
    },
    timeOf: (number, recordedTime) =>
      recordedTime === undefined ? timeIn(kept, number, last) : recordedTime + kept.shift,
  }
}

function timeIn({ runs, shift }: Kept, number: number, last: LastBlock): number {
  const run = runs.findLast(([first]) => first <= number)
  if (!run) return last.time + shift
  return run[1] + (number - run[0]) * BLOCK_SECONDS
}

const startKept = ({ number, hash, time }: LastBlock, now: number): Kept => ({
  recording: hash,
  shift: now - time,
  reached: number,
  runs: [],
})

function readKept(file: string): Kept | null {
  try {
    const { recording, shift, reached, runs } = JSON.parse(readFileSync(file, 'utf8')) as Kept
    const isKept = Number.isInteger(shift) && Number.isInteger(reached) && Array.isArray(runs)
    return isKept ? { recording, shift, reached, runs } : null
  } catch {
    return null
  }
}

/** The reason why the file could not be written; null: it was written. Until it is, the chain stands still. */
function keep(file: string, kept: Kept): unknown {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(`${file}.new`, JSON.stringify(kept))
    renameSync(`${file}.new`, file)
    return null
  } catch (error) {
    return error
  }
}
