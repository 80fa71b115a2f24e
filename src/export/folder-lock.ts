// One export writes a folder at a time, on one machine. The lock is the database's, so a killed export leaves none.
import { StartupError } from '../base/errors.ts'
import type { pg } from '../database/client.ts'

/** The first half of the lock; the second one is the folder's. */
const EXPORT_LOCK = 0x65787074
/** An interrupted export may still be ending. */
const WAIT_MS = 2_000
const LOCK_NOT_AVAILABLE = '55P03'

/** Takes the lock of a folder, named by what identifies it on its machine. Throws if another export has it. */
export type LockFolder = (identity: string, path: string) => Promise<void>

/** Runs the work with locks that end with it, or with the signal. */
export async function withFolderLock<T>(
  { pool, signal }: { pool: pg.Pool; signal: AbortSignal },
  work: (lock: LockFolder) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  // A broken connection gives the lock up; the export then ends at its own connection.
  client.on('error', () => {})
  let isHeld = true
  const release = () => {
    if (isHeld) client.release(true)
    isHeld = false
  }
  // A closing pool waits for this connection, and leaves the work without another one.
  signal.addEventListener('abort', release)
  try {
    return await work(async (identity, path) => {
      await client.query(`SET lock_timeout = ${WAIT_MS}`)
      await client.query('SELECT pg_advisory_lock($1, hashtext($2))', [EXPORT_LOCK, identity]).catch((error) => {
        if (error.code !== LOCK_NOT_AVAILABLE) throw error
        throw new StartupError(
          `Another export writes into ${path}: wait for its end, or name another folder with --out.`,
        )
      })
    })
  } finally {
    signal.removeEventListener('abort', release)
    release()
  }
}
