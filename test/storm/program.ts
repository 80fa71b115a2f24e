// Runs the program as a process that can be killed, and reads how far its ledger has got.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type pg from 'pg'
import { programEntry } from '../support/build.ts'

export interface Running {
  child: ChildProcess
  /** Resolves with the exit code, or null if a signal ended the process. */
  ended: Promise<number | null>
  /** Its standard output so far. */
  answers(): string
  /** Its standard error so far. */
  complaints(): string
}

const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Starts `assay`, or another entry of it, with PATH as the only inherited variable. */
export function startProgram(
  args: readonly string[],
  environment: Record<string, string>,
  entry: readonly string[] = programEntry(),
): Running {
  const child = spawn(process.execPath, [...entry, ...args], {
    env: {
      PATH: process.env.PATH ?? '',
      NODE_OPTIONS: '--throw-deprecation',
      LOG_LEVEL: 'info',
      DEMO: 'still',
      // Which holders a check samples is random, and the nodes of storms are recordings that run no code.
      CONTRACT_CHECKS: 'off',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  let answers = ''
  child.stdout?.on('data', (chunk) => {
    answers += String(chunk)
  })
  let complaints = ''
  child.stderr?.on('data', (chunk) => {
    complaints += String(chunk)
  })
  const ended = once(child, 'close').then(([code]) => {
    running.delete(child)
    return code as number | null
  })
  return { child, ended, answers: () => answers, complaints: () => complaints }
}

/** Indexes up to a block undisturbed; if that fails, throws with the standard error. */
export async function indexTo(until: number, environment: Record<string, string>): Promise<void> {
  const { ended, complaints } = startProgram(['index', '--until', String(until)], environment)
  const code = await ended
  if (code !== 0) throw new Error(`index ended with ${code}: ${complaints()}`)
}

/** The newest block, or -1 if there is none or the tables do not exist yet. */
export async function readBlock(pool: pg.Pool): Promise<number> {
  const asked = pool.query<{ number: number }>('SELECT coalesce(max(number), -1) AS number FROM block')
  return (await asked.catch(() => null))?.rows[0]?.number ?? -1
}
