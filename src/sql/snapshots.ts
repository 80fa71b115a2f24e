// The snapshots of a process: queries share the newest one. A new one is taken when the last is old enough, so that
// snapshots take a small share of the time. One that nobody uses is removed after some minutes.
import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../base/clock.ts'
import type { Database } from '../database/client.ts'
import { readHead } from '../ledger/head.ts'
import { type SqlSnapshot, takeSnapshot } from './snapshot.ts'

/** The least time between two snapshots. */
const LEAST_MS = 15_000
/** A snapshot is kept this many times as long as it took, so that taking them is a twentieth of the time. */
const TIMES = 19
/** A query waits for a new snapshot if the last one took less. */
const SHORT_MS = 2_000
/** Files of merged segments of the history stay for an hour. */
const MOST_AGE_MS = 1_800_000
/** An unused snapshot is removed after this time. */
const IDLE_MS = 300_000
/** A folder that nobody has touched for so long is of a process that was killed. */
const ABANDONED_MS = 3_600_000

interface Held {
  snapshot: SqlSnapshot
  takenMs: number
  tookMs: number
  readers: number
  isReplaced: boolean
}

export interface Snapshots {
  /** Runs the work on a snapshot, which stays until then. */
  with<T>(work: (snapshot: SqlSnapshot) => Promise<T>): Promise<T>
  stop(): Promise<void>
}

export interface SnapshotsDeps {
  database: Pick<Database, 'pool' | 'history'>
  /** The folder of all snapshots. */
  folder: string
  clock: Pick<Clock, 'now' | 'monotonicMs'>
}

interface State extends SnapshotsDeps {
  ending: AbortController
  current: Held | null
  taking: Promise<Held> | null
  idle: NodeJS.Timeout | undefined
}

export function createSnapshots(deps: SnapshotsDeps): Snapshots {
  const { clock } = deps
  const state: State = { ...deps, ending: new AbortController(), current: null, taking: null, idle: undefined }
  return {
    with: async (work) => {
      state.ending.signal.throwIfAborted()
      const held = await choose(state)
      held.readers += 1
      rest(state)
      try {
        const now = clock.now()
        await utimes(held.snapshot.folder, now, now).catch(() => {})
        return await work(held.snapshot)
      } finally {
        held.readers -= 1
        if (held.isReplaced) await drop(held)
      }
    },
    stop: async () => {
      clearTimeout(state.idle)
      state.ending.abort()
      await state.taking?.catch(() => {})
      if (state.current) await rm(state.current.snapshot.folder, { recursive: true, force: true })
    },
  }
}

async function drop(held: Held): Promise<void> {
  held.isReplaced = true
  if (held.readers === 0) await rm(held.snapshot.folder, { recursive: true, force: true })
}

async function take(state: State): Promise<Held> {
  const { clock, folder, database, ending } = state
  const startedMs = clock.monotonicMs()
  await sweep(folder, clock.now().getTime())
  const snapshot = await takeSnapshot(database, join(folder, randomUUID()), { signal: ending.signal })
  const takenMs = clock.monotonicMs()
  const held = { snapshot, takenMs, tookMs: takenMs - startedMs, readers: 0, isReplaced: false }
  const old = state.current
  state.current = held
  if (old) await drop(old)
  if (ending.signal.aborted) await drop(held)
  return held
}

function takeOnce(state: State): Promise<Held> {
  state.taking ??= take(state).finally(() => {
    state.taking = null
  })
  return state.taking
}

async function isDue({ clock, database }: State, held: Held): Promise<boolean> {
  const ageMs = clock.monotonicMs() - held.takenMs
  if (ageMs < Math.max(LEAST_MS, TIMES * held.tookMs)) return false
  if (ageMs > MOST_AGE_MS) return true
  const { number, hash } = await readHead(database.pool)
  return number !== held.snapshot.head.number || hash !== held.snapshot.head.hash
}

async function choose(state: State): Promise<Held> {
  const held = state.current
  if (!held) return takeOnce(state)
  if (!(await isDue(state, held))) return held
  const next = takeOnce(state)
  if (held.tookMs < SHORT_MS || state.clock.monotonicMs() - held.takenMs > MOST_AGE_MS) return next
  next.catch(() => {})
  return held
}

function rest(state: State): void {
  clearTimeout(state.idle)
  state.idle = setTimeout(() => {
    const held = state.current
    state.current = null
    if (held) void drop(held).catch(() => {})
  }, IDLE_MS).unref()
}

/** Removes what killed processes left. */
async function sweep(folder: string, nowMs: number): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const found = await stat(path).catch(() => null)
    if (found && nowMs - found.mtimeMs > ABANDONED_MS) await rm(path, { recursive: true, force: true })
  }
}
