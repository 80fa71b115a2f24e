// Work in one transaction: all of it is written, or nothing.
import type pg from 'pg'

/** What stands behind BEGIN; none: READ COMMITTED, unless the server says otherwise. */
type Mode = '' | 'ISOLATION LEVEL REPEATABLE READ' | 'ISOLATION LEVEL REPEATABLE READ READ ONLY'

/** Runs the work in a transaction on a connection of the pool, which is closed when it fails. */
export async function inTransaction<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
  mode: Mode = '',
): Promise<Result> {
  const client = await pool.connect()
  let isDone = false
  try {
    const result = await transactOn(client, () => work(client), mode)
    isDone = true
    return result
  } finally {
    client.release(!isDone)
  }
}

/** The same on a connection that the caller holds. */
export async function transactOn<Result>(
  client: pg.ClientBase,
  work: () => Promise<Result>,
  mode: Mode = '',
): Promise<Result> {
  try {
    await client.query(`BEGIN ${mode}`)
    const result = await work()
    await client.query('COMMIT')
    return result
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {})
    throw error
  }
}
