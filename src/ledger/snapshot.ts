// Transactions that see one moment: everything read in them is as of one block, and a concurrent change of what they
// write makes them start again.
import type pg from 'pg'
import { HEAD_CHANNEL } from './listen.ts'

/** PostgreSQL: another transaction changed the row first; and: two waited for each other. */
const CONFLICTS: ReadonlySet<unknown> = new Set(['40001', '40P01'])
const ATTEMPTS = 5

/** Runs the work in one repeatable-read transaction, again when it conflicts with another one. */
export async function inSnapshot<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transact(pool, work)
    } catch (error) {
      const conflict = error instanceof Error && 'code' in error && CONFLICTS.has(error.code)
      if (!conflict || attempt === ATTEMPTS) throw error
    }
  }
}

/** Tells the processes that answer requests that the newest block's answers changed. */
export async function notifyHead(pool: pg.Pool): Promise<void> {
  await pool.query(`SELECT pg_notify('${HEAD_CHANNEL}', max(number)::text) FROM block`)
}

async function transact<Result>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
  const client = await pool.connect()
  let broken = false
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ')
    const result = await work(client)
    await client.query('COMMIT')
    return result
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {
      broken = true
    })
    throw error
  } finally {
    client.release(broken)
  }
}
