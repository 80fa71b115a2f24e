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

/** How long one step of waiting for the lock takes at most; it is had as soon as it is free. */
const WAIT_MS = 500
const LOCK_NOT_AVAILABLE = '55P03'

// Every statement of the writer is a look-up by key: no table is read whole, whatever its statistics say just now.
const PLANS = 'SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off'

// A commit need not wait for the disk: what a power failure takes are whole batches, and the cursor goes with them.
const COMMITS = 'SET synchronous_commit = off'

/** The connection that held the lock is gone, and the lock with it: the work may be begun anew once the lock is had again. */
export class LostLock extends Error {
  override readonly name = 'LostLock'
  constructor() {
    super("the connection that holds the writer's lock has ended")
  }
}

/** The right to write. */
export interface WriterLock {
  /** The connection that holds the lock: every write goes through it. Statements may be sent before those before are answered. */
  readonly client: pg.PoolClient
  /** What the writer reads while it writes. Statements may be sent before those before are answered. */
  readonly reader: pg.PoolClient
  /** Aborted with a `LostLock` once the connection is gone; the lock is then another's. */
  readonly lost: AbortSignal
  release(): Promise<void>
}

/** Waits until this process is the database's only writer. `onWait` is called once when another one is; aborting `signal` gives up with a `StartupError`. */
export async function acquireWriter(deps: {
  database: Database
  signal?: AbortSignal
  onWait?: () => void
}): Promise<WriterLock> {
  const client = await deps.database.writePool.connect()
  const lost = new AbortController()
  const lose = () => lost.abort(new LostLock())
  client.on('error', lose)
  client.on('end', lose)
  try {
    await prepareSession(client)
    const { rows } = await client.query<{ won: boolean }>('SELECT pg_try_advisory_lock($1) AS won', [WRITER_LOCK])
    if (!rows[0]?.won) {
      deps.onWait?.()
      await waitForLock(client, deps.signal)
    }
  } catch (error) {
    client.release(true)
    throw error
  }
  const reader = await connectReader(deps.database, client)
  reader.on('error', lose)
  return { client, reader, lost: lost.signal, release: () => release(client, reader, lost.signal) }
}

/** In steps, since a pipelined connection can't be left before it has answered. */
async function waitForLock(client: pg.PoolClient, signal: AbortSignal | undefined): Promise<void> {
  await client.query(`SET lock_timeout = ${WAIT_MS}`)
  for (let won = false; !won; ) {
    if (signal?.aborted) throw new StartupError('Gave up waiting for the other indexer of this database.')
    won = await client.query('SELECT pg_advisory_lock($1)', [WRITER_LOCK]).then(
      () => true,
      (error: { code?: string }) => {
        if (error.code === LOCK_NOT_AVAILABLE) return false
        throw error
      },
    )
  }
  await client.query('RESET lock_timeout')
}

async function connectReader(database: Database, client: pg.PoolClient): Promise<pg.PoolClient> {
  try {
    const reader = await database.writePool.connect()
    await prepareSession(reader)
    return reader
  } catch (error) {
    client.release(true)
    throw error
  }
}

async function prepareSession(client: pg.PoolClient): Promise<void> {
  // Over a Unix socket, or on systems without these settings, the operating system tells of a death by itself.
  for (const statement of `${KEEPALIVE};${PLANS};${COMMITS}`.split(';')) await client.query(statement).catch(() => {})
}

async function release(client: pg.PoolClient, reader: pg.PoolClient, lost: AbortSignal): Promise<void> {
  reader.release(true)
  if (!lost.aborted) await client.query('SELECT pg_advisory_unlock($1)', [WRITER_LOCK]).catch(() => {})
  client.release(true)
}
