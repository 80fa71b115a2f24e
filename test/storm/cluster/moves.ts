// The folder of a history while events move to it: waits for a moment of a move, and for the end of all moves.
import { readdirSync } from 'node:fs'
import type pg from 'pg'

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const LONGEST_WAIT_MS = 20_000
const LONGEST_AWAY_MS = 60_000
/** No move for this long: nothing more is due. */
const QUIET_MS = 15_000

const unfinished = (folder: string) => readdirSync(folder).filter((name) => name.startsWith('_unfinished'))

/** Resolves as soon as a segment is being written: true; after a while without one: false. */
export async function untilMoving(folder: string): Promise<boolean> {
  const [before, sinceMs] = [new Set(unfinished(folder)), performance.now()]
  while (performance.now() - sinceMs < LONGEST_WAIT_MS) {
    if (unfinished(folder).some((name) => !before.has(name))) return true
    await pause(2)
  }
  return false
}

export interface Moved {
  segments: number
  /** Events in the history. */
  old: number
  /** Events in the database. */
  kept: number
}

/** Waits for a database that is away. */
export async function readMoved(pool: pg.Pool): Promise<Moved> {
  const text = `SELECT count(*)::int AS segments, coalesce(sum(last_n - first_n + 1), 0)::int AS old,
      (SELECT count(*) FROM event)::int AS kept FROM history_segment WHERE replaced_at IS NULL`
  for (const sinceMs = performance.now(); ; await pause(500)) {
    const asked = await pool.query<Moved>(text).catch((error: unknown) => {
      if (performance.now() - sinceMs > LONGEST_AWAY_MS) throw error
    })
    if (asked) return asked.rows[0] ?? { segments: 0, old: 0, kept: 0 }
  }
}

/** Resolves when the moves have come to rest. */
export async function untilMoved(pool: pg.Pool): Promise<Moved> {
  for (let [last, sinceMs] = [await readMoved(pool), performance.now()]; ; await pause(500)) {
    const now = await readMoved(pool)
    if (now.old !== last.old || now.kept !== last.kept) [last, sinceMs] = [now, performance.now()]
    else if (performance.now() - sinceMs > QUIET_MS) return now
  }
}
