// The program as a process that is killed, and what its ledger then says.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { dumpLedger } from '../support/live.ts'

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

export interface Running {
  child: ChildProcess
  /** Resolves with the exit code; null: a signal ended it. */
  ended: Promise<number | null>
  /** What it wrote to standard error. */
  complaints(): string
}

const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Starts `assay` with nothing of our environment but the path. */
export function startProgram(args: readonly string[], environment: Record<string, string>): Running {
  const child = spawn(process.execPath, ['--import', 'tsx', MAIN, ...args], {
    env: { PATH: process.env.PATH ?? '', NODE_OPTIONS: '--throw-deprecation', LOG_LEVEL: 'info', ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  running.add(child)
  let complaints = ''
  child.stderr?.on('data', (chunk) => {
    complaints += String(chunk)
  })
  const ended = once(child, 'close').then(([code]) => {
    running.delete(child)
    return code as number | null
  })
  return { child, ended, complaints: () => complaints }
}

/** Indexes up to a block without being disturbed; throws what it complained of when it fails. */
export async function indexTo(until: number, environment: Record<string, string>): Promise<void> {
  const { ended, complaints } = startProgram(['index', '--until', String(until)], environment)
  const code = await ended
  if (code !== 0) throw new Error(`index ended with ${code}: ${complaints()}`)
}

/** The newest block; -1 before the first, also before there are tables. */
export async function readBlock(pool: pg.Pool): Promise<number> {
  const asked = pool.query<{ number: number }>('SELECT coalesce(max(number), -1) AS number FROM block')
  return (await asked.catch(() => null))?.rows[0]?.number ?? -1
}

/** A score without the block and the hour that it was computed at, which its explanation says again in its first two places. */
const SCORE = `(jsonb_set(to_jsonb(t) - '{block_number,updated_at}'::text[], '{explanation}', t.explanation::jsonb - 0 - 0))::text AS row`

/** Every table that follows from the blocks. Left out: when a score was computed, which depends on when somebody looked. */
export async function dumpAll(pool: pg.Pool): Promise<Record<string, string[]>> {
  const lines = async (text: string) => (await pool.query<{ row: string }>(text)).rows.map(({ row }) => row)
  return {
    ...(await dumpLedger(pool)),
    token: await lines(`SELECT (to_jsonb(t) - 'updated_block')::text AS row FROM token t ORDER BY id`),
    token_score: await lines(`SELECT ${SCORE} FROM token_score t ORDER BY token_id`),
    wallet_score: await lines(`SELECT ${SCORE} FROM wallet_score t ORDER BY wallet_id`),
    token_block: await lines(`SELECT to_jsonb(t)::text AS row FROM token_block t
      WHERE time > (SELECT max(time) FROM block) - interval '24 hours' ORDER BY 1`),
  }
}

/** A line for each table whose rows differ: how many, and the columns and values of the first one. */
export function findDifferences(one: Record<string, string[]>, other: Record<string, string[]>): string[] {
  return Object.entries(one).flatMap(([table, rows]) => {
    const others = other[table] ?? []
    const wrong = [...rows.keys()].filter((i) => rows[i] !== others[i])
    if (wrong.length === 0 && rows.length === others.length) return []
    const [at = 0] = wrong
    const [left, right] = [rows[at], others[at]].map((row) => JSON.parse(row ?? '{}') as Record<string, unknown>)
    const values = Object.keys({ ...left, ...right })
      .map((name) => [name, JSON.stringify(left?.[name]), JSON.stringify(right?.[name])])
      .filter(([, a, b]) => a !== b)
    const shown = values.map(([name, a, b]) => `${name} ${a} and not ${b}`).join(', ')
    return [`${table}: ${wrong.length} rows of ${rows.length} (${others.length}) differ, first row ${at + 1}: ${shown}`]
  })
}
