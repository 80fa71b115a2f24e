// One writer per chain of a database, held by a session advisory lock. The writer's transactions run on the connection that holds
// the lock, so a writer that lost the lock cannot commit. PostgreSQL releases the lock when the connection dies.
import type pg from 'pg'
import { StartupError } from '../base/errors.ts'
import { LOCK_OF_CHAIN } from './chain-schema.ts'
import type { Database } from './client.ts'

/** An arbitrary number that no other program is likely to lock. */
const WRITER_LOCK = 7_243_902

// A holder whose machine vanished is detected after 3 + 3 x 1 s, a killed one within 1 s.
const KEEPALIVE = `SET tcp_keepalives_idle = 3; SET tcp_keepalives_interval = 1; SET tcp_keepalives_count = 3;
  SET client_connection_check_interval = 1000; SET idle_in_transaction_session_timeout = 0`

/** The longest single wait for the lock. The lock is granted as soon as it is free. */
const WAIT_MS = 500
const LOCK_NOT_AVAILABLE = '55P03'

// Every statement of the writer is a look-up by key, so it must never scan a whole table, whatever the statistics are.
const PLANS = 'SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off'

// Commits need not wait for the disk: a power failure loses only whole batches, together with the cursor.
const COMMITS = 'SET synchronous_commit = off'

/**
 * The connection that held the lock is gone, and the lock with it. The work can restart once the lock is acquired
 * again.
 */
export class LostLock extends Error {
  override readonly name = 'LostLock'
  constructor() {
    super("the connection that holds the writer's lock has ended")
  }
}

/** The right to write. */
export interface WriterLock {
  /** The connection that holds the lock; every write uses it. Statements are pipelined. */
  readonly client: pg.PoolClient
  /** The connection for the writer's reads. Statements are pipelined. */
  readonly reader: pg.PoolClient
  /** Aborted with a `LostLock` when the connection is gone; another process may then hold the lock. */
  readonly lost: AbortSignal
  release(): Promise<void>
}

/**
 * Waits until this process is the database's only writer. Calls `onWait` once if another process is; aborting `signal`
 * gives up with a `StartupError`.
 */
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
    const { rows } = await client.query<{ won: boolean }>(`SELECT pg_try_advisory_lock($1, ${LOCK_OF_CHAIN}) AS won`, [
      WRITER_LOCK,
    ])
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

/** Waits in steps of 500 ms, because a pipelined connection cannot be abandoned while a statement is running. */
async function waitForLock(client: pg.PoolClient, signal: AbortSignal | undefined): Promise<void> {
  await client.query(`SET lock_timeout = ${WAIT_MS}`)
  for (let won = false; !won; ) {
    if (signal?.aborted) throw new StartupError('Gave up waiting for the other indexer of this chain.')
    won = await client.query(`SELECT pg_advisory_lock($1, ${LOCK_OF_CHAIN})`, [WRITER_LOCK]).then(
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
  // These settings fail over a Unix socket or on some systems; there the operating system reports a dead process
  // itself.
  for (const statement of `${KEEPALIVE};${PLANS};${COMMITS}`.split(';')) await client.query(statement).catch(() => {})
}

async function release(client: pg.PoolClient, reader: pg.PoolClient, lost: AbortSignal): Promise<void> {
  reader.release(true)
  if (!lost.aborted)
    await client.query(`SELECT pg_advisory_unlock($1, ${LOCK_OF_CHAIN})`, [WRITER_LOCK]).catch(() => {})
  client.release(true)
}
