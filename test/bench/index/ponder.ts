// Runs Ponder on the same chain: installs its projects on first use, and runs one to the end of a range on its own
// database. Its log gives the number of indexed events and the time, without its start. Then reads a sample from its
// API.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, rmSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Chain } from './chain.ts'
import { findPort } from './port.ts'
import { readProcessorSeconds } from './processor.ts'

/** The folders under test/bench/ponder: only balances, reserves and events, or also what Assay derives. */
export type PonderProject = 'events' | 'derived'

export interface PonderRun {
  /** Events that its handlers received. */
  events: number
  seconds: number
  /** Processor time, including its start but not a separate database server. */
  processorSeconds: number
  /** The answer of its API; ponder-check.ts knows the shape. */
  sample: unknown
}

interface Line {
  msg?: string
  level?: number
  error?: { message?: string }
  event_count?: number
  duration?: number
}

/** Pino's number for the level error. */
const ERROR = 50
const folder = fileURLToPath(new URL('../ponder/', import.meta.url))

/** Installs Ponder; false when that is not possible here. */
export function installPonder(): boolean {
  if (existsSync(`${folder}node_modules/ponder`)) return true
  const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock']
  return spawnSync('npm', install, { cwd: folder, stdio: 'ignore' }).status === 0
}

/** Indexes up to the block. Without a database it uses PGlite. */
export async function runPonder(
  project: PonderProject,
  chain: Chain,
  { end, database }: { end: number; database: string | undefined },
): Promise<PonderRun> {
  const state = `${folder}${project}/.ponder`
  rmSync(state, { recursive: true, force: true })
  const port = await findPort()
  const { factories, wrappedNative, stablecoins, minPoolDepthUsd } = chain.preset
  const child = spawn(
    `${folder}node_modules/.bin/ponder`,
    ['start', '--root', project, '--schema', project, '--port', String(port), '--log-format', 'json'],
    {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'ignore'],
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        PONDER_TELEMETRY_DISABLED: 'true',
        BENCH_RPC: chain.url,
        BENCH_CHAIN_ID: String(chain.chainId),
        BENCH_END: String(end),
        BENCH_FACTORY: factories[0]?.address,
        BENCH_WETH: wrappedNative,
        BENCH_STABLECOINS: stablecoins.join(','),
        BENCH_MIN_DEPTH: String(minPoolDepthUsd),
        ...(database ? { DATABASE_URL: database } : {}),
      },
    },
  )
  const stop = () => child.kill('SIGKILL')
  process.once('exit', stop)
  let events = 0
  let complaint = ''
  try {
    for await (const text of createInterface({ input: child.stdout })) {
      const line = JSON.parse(text) as Line
      if ((line.level ?? 0) >= ERROR) complaint = line.error?.message ?? line.msg ?? ''
      if (line.msg === 'Indexed block range') events += line.event_count ?? 0
      if (line.msg !== 'Completed indexing across all chains') continue
      const processorSeconds = readProcessorSeconds(child.pid ?? 0)
      const sample: unknown = await (await fetch(`http://127.0.0.1:${port}/sample`)).json()
      return { events, seconds: (line.duration ?? 0) / 1000, processorSeconds, sample }
    }
    throw new Error(`Ponder's project ${project} ended: ${complaint}`)
  } finally {
    stop()
    await once(child, 'exit').catch(() => {})
    process.off('exit', stop)
    rmSync(state, { recursive: true, force: true })
  }
}
