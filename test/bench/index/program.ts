// One run of the built program, measured from outside: duration, progress over time, memory and processor time. Input:
// the source and the command. Output: the measurements. When the run fails, it throws the program's last output.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { findPort } from './port.ts'
import { readMemoryMb, readProcessorSeconds, readServerSeconds } from './processor.ts'

export interface Sample {
  /** Seconds since the program started. */
  seconds: number
  /** Logs written so far in this run. */
  logs: number
  memoryMb: number
  processor: Processor
}

/** Processor seconds so far. */
export interface Processor {
  indexer: number
  server: number
}

export interface Run {
  /** Duration, including the start and end of the program. */
  seconds: number
  /** Seconds spent on scores. */
  scoring: number
  /** Seconds spent on building the indexes that a long backfill postpones to its end. */
  indexing: number
  samples: Sample[]
  /** Processor seconds, up to 0.25 s before the end. */
  processor: Processor
}

export interface Surroundings {
  url: string
  /** Path of the preset. */
  preset: string
  dataDir: string
  /** Folder of HISTORY_FILES. */
  historyFiles?: string | undefined
  /** Folder for CPU profiles. */
  profiles?: string | undefined
}

const MAIN = fileURLToPath(new URL('../../../dist/main.js', import.meta.url))
const SAMPLE_MS = 250

/** Runs `assay COMMAND` as installed: built, and on the embedded database. */
export async function runProgram(
  { url, preset, dataDir, historyFiles, profiles }: Surroundings,
  ...command: string[]
): Promise<Run> {
  if (!existsSync(MAIN)) throw new Error('the program is not built: run `npm run build` first')
  const port = await findPort()
  const environment: NodeJS.ProcessEnv = { ...process.env, RPC_URL: url, CHAIN_CONFIG: preset, DATA_DIR: dataDir }
  if (historyFiles) environment.HISTORY_FILES = historyFiles
  delete environment.DATABASE_URL
  const profile = profiles ? ['--cpu-prof', `--cpu-prof-dir=${profiles}`] : []
  const started = performance.now()
  const child = spawn(process.execPath, [...profile, MAIN, ...command], {
    env: { ...environment, LOG_LEVEL: 'debug', METRICS_PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const end = () => child.kill('SIGKILL')
  process.once('exit', end)
  const pid = child.pid ?? 0
  let scoringMs = 0
  let indexingMs = 0
  let complaint = ''
  createInterface({ input: child.stderr }).on('line', (line) => {
    scoringMs += Number(/"ms":(\d+),"msg":"rescored"/.exec(line)?.[1] ?? 0)
    indexingMs += Number(/"ms":(\d+),"msg":"the indexes are built"/.exec(line)?.[1] ?? 0)
    complaint = line
  })
  const samples: Sample[] = []
  const processor = { indexer: 0, server: 0 }
  const seconds = () => (performance.now() - started) / 1000
  const sampling = setInterval(async () => {
    const memoryMb = readMemoryMb(pid)
    processor.indexer = Math.max(processor.indexer, readProcessorSeconds(pid))
    processor.server = Math.max(processor.server, readServerSeconds(dataDir))
    const logs = await readLogs(port)
    if (child.exitCode === null && memoryMb > 0)
      samples.push({ seconds: seconds(), logs: logs ?? 0, memoryMb, processor: { ...processor } })
  }, SAMPLE_MS)
  const [code] = (await once(child, 'exit')) as [number | null]
  clearInterval(sampling)
  process.off('exit', end)
  if (code !== 0) throw new Error(`assay ${command.join(' ')} ended with ${code}: ${complaint}`)
  return { seconds: seconds(), scoring: scoringMs / 1000, indexing: indexingMs / 1000, samples, processor }
}

/** Logs written so far, from the program's metrics; null when it does not answer. */
async function readLogs(port: number): Promise<number | null> {
  try {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    return Number(/^assay_logs_indexed_total (\d+)/m.exec(text)?.[1] ?? 0)
  } catch {
    return null
  }
}
