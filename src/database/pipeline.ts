// Transactions whose statements are all known in advance: they are sent together, and PostgreSQL works through them
// while this process continues.
import type pg from 'pg'

/** A statement and its values; a named one is prepared once per connection. */
export interface Statement {
  name?: string
  text: string
  values?: unknown[]
}

/**
 * Runs the statements as one transaction on a pipelined connection. If one fails, throws the first failure and writes
 * nothing.
 */
export async function transact(client: pg.ClientBase, statements: readonly Statement[]): Promise<void> {
  const all: Statement[] = [{ text: 'BEGIN' }, ...statements, { text: 'COMMIT' }]
  // After a failure PostgreSQL refuses the following statements and treats COMMIT as ROLLBACK.
  const answers = await Promise.allSettled(all.map((statement) => client.query(statement)))
  const failed = answers.find((answer) => answer.status === 'rejected')
  if (failed) throw failed.reason
}
