// A run in parts of equally many logs: the rate and the peak of memory of each. The start belongs to the first part, scores and
// the end of the program to the last one, so that the parts' times add up to the run's.
import type { Run } from './program.ts'

export interface Part {
  logsPerSecond: number
  memoryMb: number
}

/** The parts of a run that wrote so many logs. */
export function divide(run: Run, logs: number, count: number): Part[] {
  const ends = Array.from({ length: count }, (_, i) =>
    i === count - 1 ? run.seconds : momentOf(run, (logs * (i + 1)) / count, logs),
  )
  return ends.map((end, i) => {
    const start = ends[i - 1] ?? 0
    const within = run.samples.filter(({ seconds }) => seconds > start && seconds <= end)
    // A part that was over between two samples has the memory of the sample after it.
    const next = run.samples.find(({ seconds }) => seconds > end) ?? run.samples.at(-1)
    if (within.length === 0 && next) within.push(next)
    return {
      logsPerSecond: logs / count / Math.max(end - start, Number.EPSILON),
      memoryMb: Math.max(0, ...within.map(({ memoryMb }) => memoryMb)),
    }
  })
}

/** When so many logs were written, between two samples in proportion. */
function momentOf({ samples, seconds }: Run, logs: number, all: number): number {
  let before = { seconds: 0, logs: 0 }
  for (const sample of [...samples, { seconds, logs: all }]) {
    if (sample.logs >= logs) {
      const share = (logs - before.logs) / Math.max(sample.logs - before.logs, 1)
      return before.seconds + share * (sample.seconds - before.seconds)
    }
    if (sample.logs > before.logs) before = sample
  }
  return seconds
}
