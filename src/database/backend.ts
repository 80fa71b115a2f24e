// The server process (backend) behind a connection, by its process id. Another connection can ask for its state and
// cancel its statement.
import type pg from 'pg'

const pids = new WeakMap<pg.ClientBase, number>()

/** Asks once for the backend's process id. The id that the driver knows may be that of a connection pooler. */
export async function notePid(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  if (rows[0]) pids.set(client, rows[0].pid)
}

/** Cancels the running statement of a connection. Resolves when the server has been told; never rejects. */
export type Cancel = (client: pg.ClientBase) => Promise<void>

/** Sends one cancellation at a time on the pool; calls that come meanwhile share the next one. */
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

/** The state of a backend, according to the server. */
export interface Activity {
  state: string | null
  /** The type of event that it waits for; `Client` means that it waits for us. */
  waitsFor: string | null
}

/** The state of `client`'s backend, asked on the connection `asker`; null if the backend is gone. */
export async function readActivity(asker: pg.ClientBase, client: pg.ClientBase): Promise<Activity | null> {
  const { rows } = await asker.query<Activity>(
    'SELECT state, wait_event_type AS "waitsFor" FROM pg_stat_activity WHERE pid = $1',
    [pids.get(client) ?? null],
  )
  return rows[0] ?? null
}
