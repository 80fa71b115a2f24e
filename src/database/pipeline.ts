// A transaction whose statements are known before the first one is sent: they travel together, so that PostgreSQL works
// through them while this process goes on.
import type pg from 'pg'

/** A statement and its values; named ones are prepared once per connection. */
export interface Statement {
  name?: string
  text: string
  values?: unknown[]
}

/** Runs the statements as one transaction on a pipelined connection; throws what failed first, and nothing is written then. */
export async function transact(client: pg.ClientBase, statements: readonly Statement[]): Promise<void> {
  const all: Statement[] = [{ text: 'BEGIN' }, ...statements, { text: 'COMMIT' }]
  // After a failure PostgreSQL refuses what follows, and takes the COMMIT for a ROLLBACK.
  const answers = await Promise.allSettled(all.map((statement) => client.query(statement)))
  const failed = answers.find((answer) => answer.status === 'rejected')
  if (failed) throw failed.reason
}
