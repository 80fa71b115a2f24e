// A connection behind a pooler that assigns server processes per transaction (PgBouncer's `pool_mode = transaction`).
// The next statement may run in another process, so session state is unreliable: no settings, and no statements
// prepared by name.
import pg from 'pg'

/** Leaves the names of statements out; each is then parsed and planned when it is sent. */
export class PooledClient extends pg.Client {
  override query = ((statement: unknown, ...rest: unknown[]) => {
    const run = pg.Client.prototype.query.bind(this) as (...all: unknown[]) => unknown
    return run(isNamed(statement) ? { ...statement, name: undefined } : statement, ...rest)
  }) as pg.Client['query']
}

/** Whether it is a statement's description with a name, rather than a text or an object of the driver. */
const isNamed = (statement: unknown): statement is { name: string } =>
  typeof statement === 'object' && statement !== null && 'name' in statement && !('submit' in statement)
