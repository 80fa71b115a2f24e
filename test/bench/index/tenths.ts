// Divides a run into parts with equally many logs: time, processor time and peak memory of each. The start belongs to
// the first part, scores and the end of the program to the last. The parts therefore add up to the run.
import type { Run } from './program.ts'

export interface Part {
  seconds: number
  /** Seconds of all processors together. */
  processor: number
  memoryMb: number
}

interface Moment {
  seconds: number
  processor: number
}

/** The parts of a run that wrote `logs` logs. */
export function divide(run: Run, logs: number, count: number): Part[] {
  const ends = Array.from({ length: count }, (_, i) =>
    i === count - 1 ? endOf(run) : momentOf(run, (logs * (i + 1)) / count, logs),
  )
  return ends.map((end, i) => {
    const start = ends[i - 1] ?? { seconds: 0, processor: 0 }
    const within = run.samples.filter(({ seconds }) => seconds > start.seconds && seconds <= end.seconds)
    // A part without a sample of its own gets the memory of the next sample.
    const next = run.samples.find(({ seconds }) => seconds > end.seconds) ?? run.samples.at(-1)
    if (within.length === 0 && next) within.push(next)
    return {
      seconds: Math.max(end.seconds - start.seconds, Number.EPSILON),
      processor: end.processor - start.processor,
      memoryMb: Math.max(0, ...within.map(({ memoryMb }) => memoryMb)),
    }
  })
}

const endOf = ({ seconds, processor }: Pick<Run, 'seconds' | 'processor'>): Moment => ({
  seconds,
  processor: processor.indexer + processor.server,
})

/** The moment at which `logs` logs were written, interpolated between two samples. */
function momentOf(run: Run, logs: number, all: number): Moment {
  let before = { seconds: 0, logs: 0, processor: 0 }
  const samples = run.samples.map((sample) => ({ ...endOf(sample), logs: sample.logs }))
  for (const sample of [...samples, { ...endOf(run), logs: all }]) {
    if (sample.logs >= logs) {
      const share = (logs - before.logs) / Math.max(sample.logs - before.logs, 1)
      return {
        seconds: before.seconds + share * (sample.seconds - before.seconds),
        processor: before.processor + share * (sample.processor - before.processor),
      }
    }
    if (sample.logs > before.logs) before = sample
  }
  return endOf(run)
}
