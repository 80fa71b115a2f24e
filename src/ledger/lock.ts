// One writer per database: a session advisory lock. The writer's transactions run on the very connection that holds it,
// so whoever has lost the lock can't commit. PostgreSQL frees the lock when the connection dies.
import type pg from 'pg'
import { StartupError } from '../base/errors.ts'
import type { Database } from './client.ts'

/** Any number that no other program is likely to lock. */
const WRITER_LOCK = 7_243_902

// A holder whose machine has vanished is found dead in 3 + 3 x 1 s, one that was killed within the second.
const KEEPALIVE = `SET tcp_keepalives_idle = 3; SET tcp_keepalives_interval = 1; SET tcp_keepalives_count = 3;
  SET client_connection_check_interval = 1000; SET idle_in_transaction_session_timeout = 0`

// Every statement of the writer is a look-up by key: no table is read whole, whatever its statistics say just now.
const PLANS = `SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off;
  SET plan_cache_mode = force_generic_plan; SET jit = off`

/** The right to write. */
export interface WriterLock {
  /** The connection that holds the lock: every write goes through it. */
  readonly client: pg.PoolClient
  /** Aborted once the connection is gone; the lock is then another's. */
  readonly lost: AbortSignal
  release(): Promise<void>
}

/** Waits until this process is the database's only writer. `onWait` is called once when another one is; aborting `signal` gives up with a `StartupError`. */
export async function acquireWriter(deps: {
  database: Database
  signal?: AbortSignal
  onWait?: () => void
}): Promise<WriterLock> {
  const client = await deps.database.pool.connect()
  const lost = new AbortController()
  const lose = () => lost.abort()
  client.on('error', lose)
  client.on('end', lose)
  const abandon = () => client.release(true)
  try {
    await prepareSession(client)
    const { rows } = await client.query<{ won: boolean }>('SELECT pg_try_advisory_lock($1) AS won', [WRITER_LOCK])
    if (!rows[0]?.won) {
      deps.onWait?.()
      deps.signal?.addEventListener('abort', abandon, { once: true })
      if (deps.signal?.aborted) throw new Error('aborted')
      await client.query('SELECT pg_advisory_lock($1)', [WRITER_LOCK])
    }
  } catch (error) {
    if (!deps.signal?.aborted) client.release(true)
    throw deps.signal?.aborted ? new StartupError('Gave up waiting for the other indexer of this database.') : error
  } finally {
    deps.signal?.removeEventListener('abort', abandon)
  }
  return { client, lost: lost.signal, release: () => release(client, lost.signal) }
}

async function prepareSession(client: pg.PoolClient): Promise<void> {
  // Over a Unix socket, or on systems without these settings, the operating system tells of a death by itself.
  for (const statement of `${KEEPALIVE};${PLANS}`.split(';')) await client.query(statement).catch(() => {})
}

async function release(client: pg.PoolClient, lost: AbortSignal): Promise<void> {
  if (!lost.aborted) await client.query('SELECT pg_advisory_unlock($1)', [WRITER_LOCK]).catch(() => {})
  client.release(true)
}
