// The server's process behind a connection, by its number: what it does can be asked for, and ended, on another connection.
import type pg from 'pg'

const pids = new WeakMap<pg.ClientBase, number>()

/** Asks which process serves the connection, once. The number that the driver knows is a pooler's where there is one. */
export async function notePid(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  if (rows[0]) pids.set(client, rows[0].pid)
}

/** Ends the statement at hand of a connection; resolves when the server has been told. Never rejects. */
export type Cancel = (client: pg.ClientBase) => Promise<void>

/** One statement at a time on the pool, for all that are to be ended by then. */
export function createCancel(pool: pg.Pool): Cancel {
  let last: Promise<unknown> = Promise.resolve()
  let next: { pids: number[]; done: Promise<void> } | undefined
  const send = async (these: readonly number[]): Promise<void> => {
    next = undefined
    await pool.query('SELECT pg_cancel_backend(pid) FROM unnest($1::int[]) AS p (pid)', [these]).catch(() => {})
  }
  return async (client) => {
    const pid = pids.get(client)
    if (pid === undefined) return
    if (!next) {
      const batch: number[] = []
      next = { pids: batch, done: last.then(() => send(batch)) }
      last = next.done
    }
    next.pids.push(pid)
    await next.done
  }
}

/** What the server says that the process does. */
export interface Activity {
  state: string | null
  /** What it waits for: `Client` is us. */
  waitsFor: string | null
}

/** What the process behind the connection does, asked on another connection; null: there is no such process. */
export async function readActivity(asker: pg.ClientBase, client: pg.ClientBase): Promise<Activity | null> {
  const { rows } = await asker.query<Activity>(
    'SELECT state, wait_event_type AS "waitsFor" FROM pg_stat_activity WHERE pid = $1',
    [pids.get(client) ?? null],
  )
  return rows[0] ?? null
}
