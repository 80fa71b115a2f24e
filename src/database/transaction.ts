// Runs work in one transaction: either everything is written or nothing.
import type pg from 'pg'

/** The isolation level. By default READ COMMITTED, unless the server is configured otherwise. */
type Mode = '' | 'ISOLATION LEVEL REPEATABLE READ' | 'ISOLATION LEVEL REPEATABLE READ READ ONLY'

/** Runs the work in a transaction on a connection of the pool. If it fails, the connection is closed. */
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

/** Runs the work in a transaction on the caller's connection. */
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
