// Transactions that see one moment: everything read in them is as of one block, and a concurrent change of what they
// write makes them start again.
import type pg from 'pg'
import { inTransaction } from './transaction.ts'

/** PostgreSQL: another transaction changed the row first; and: two waited for each other. */
const CONFLICTS: ReadonlySet<unknown> = new Set(['40001', '40P01'])
const ATTEMPTS = 5

/** Runs the work in one repeatable-read transaction, again when it conflicts with another one. `pool`: its connections are pipelined where the work does not wait between statements. */
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
