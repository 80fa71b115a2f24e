// Prints the results of the runs: rates, ratio, halves, tenths, memory, processor time, and which goals they meet.
import type { Pass } from './alone.ts'
import type { Chain } from './chain.ts'
import type { Run } from './program.ts'
import { divide, type Part } from './tenths.ts'

export interface Goal {
  name: string
  value: string
  goal: string
  isMet: boolean
}

export interface Runs {
  /** The run over the whole chain. */
  run: Run
  /** A run with nothing to do. */
  idle: Run
}

/** Goal: at least this share of the rate of reading alone. */
const LEAST_RATIO = 0.25
/** Goal: the second half takes at most this multiple of the first half's time. */
const MOST_HALVES = 1.2
const MOST_MB = 400

export const say = (line: string) => process.stdout.write(`${line}\n`)
export const perSecond = (count: number, seconds: number) =>
  `${Math.round(count / seconds).toLocaleString('en')} logs/s`

/** Prints how fast the logs can be read alone; returns the fastest rate in logs per second. */
export function reportAlone(chain: Chain, passes: readonly Pass[]): number {
  say('eth_getLogs by fetch and JSON.parse alone, by blocks per call:')
  for (const { blocksPerCall, seconds } of passes) {
    const logsPerCall = Math.round((chain.logs / chain.blocks) * blocksPerCall)
    say(`  ${blocksPerCall}: ${perSecond(chain.logs, seconds)}, ${logsPerCall.toLocaleString('en')} logs per call`)
  }
  return chain.logs / Math.min(...passes.map(({ seconds }) => seconds))
}

/** Prints the run over the chain. Logs that Assay does not read count only for reading alone. */
export function report(chain: Chain, logsPerSecondAlone: number, { run, idle }: Runs): Goal[] {
  const { seconds, scoring, indexing, processor } = run
  const logs = chain.readableLogs
  say(
    `indexed, all derived data written: ${perSecond(logs, seconds)} (${logs.toLocaleString('en')} logs in ${seconds.toFixed(1)} s)`,
  )
  say(
    `  of which start and end of the program ${idle.seconds.toFixed(1)} s, scores ${scoring.toFixed(1)} s; ` +
      `without them ${perSecond(logs, seconds - scoring - idle.seconds)}`,
  )
  const micros = (part: 'indexer' | 'server') => `${Math.round((processor[part] / logs) * 1e6)} µs`
  say(`  processor time per log: indexer ${micros('indexer')}, PostgreSQL ${micros('server')}`)
  const [first, second] = divide(run, logs, 2) as [Part, Part]
  // Scores are computed once, from all rows, when these are written. Building the indexes belongs to the second half.
  const rest = second.seconds - scoring
  const halves = rest / first.seconds
  say(
    `  halves: ${first.seconds.toFixed(1)} s and, without the scores of both, ${rest.toFixed(1)} s (indexes at the end ` +
      `${indexing.toFixed(1)} s); processor time ${first.processor.toFixed(1)} s and ${second.processor.toFixed(1)} s with them`,
  )
  const tenths = divide(run, logs, 10)
  say(`  tenths, thousand logs/s: ${tenths.map((tenth) => (logs / 1e4 / tenth.seconds).toFixed(1)).join(' ')}`)
  say(`  tenths, peak RSS in MB:  ${tenths.map(({ memoryMb }) => Math.round(memoryMb)).join(' ')}`)
  const ratio = logs / seconds / logsPerSecondAlone
  const memoryMb = Math.max(...run.samples.map((sample) => sample.memoryMb))
  return [
    {
      name: 'rate against reading alone',
      value: ratio.toFixed(3),
      goal: `at least ${LEAST_RATIO}`,
      isMet: ratio >= LEAST_RATIO,
    },
    {
      name: 'second half against first half, without scores',
      value: halves.toFixed(2),
      goal: `at most ${MOST_HALVES}`,
      isMet: halves <= MOST_HALVES,
    },
    {
      name: 'memory of the indexer',
      value: `${Math.round(memoryMb)} MB`,
      goal: `at most ${MOST_MB} MB`,
      isMet: memoryMb <= MOST_MB,
    },
  ]
}
