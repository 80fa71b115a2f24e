// Transactions on one snapshot: every read sees the same block. The transaction restarts if another one changed a row
// that it writes.
import type pg from 'pg'
import { inTransaction } from './transaction.ts'

/** PostgreSQL's codes for a serialization failure and a deadlock. */
const CONFLICTS: ReadonlySet<unknown> = new Set(['40001', '40P01'])
const ATTEMPTS = 5

/**
 * Runs the work in a repeatable-read transaction and retries it on conflicts. Pass a pipelined pool if the work does
 * not wait between statements.
 */
export async function inSnapshot<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await inTransaction(pool, work, 'ISOLATION LEVEL REPEATABLE READ')
    } catch (error) {
      const conflict = error instanceof Error && 'code' in error && CONFLICTS.has(error.code)
      if (!conflict || attempt === ATTEMPTS) throw error
    }
  }
}
