// Facts about a PostgreSQL server: the settings on which the program's guarantees depend, and its clock.
import type pg from 'pg'

export interface ServerFacts {
  /** Such as `16.4 (Debian 16.4-1)`. */
  version: string
  encoding: string
  /** Whether it is a standby of another server. */
  isReplica: boolean
  maxConnections: number
  /** Open connections, including ours. */
  connections: number
  fsync: boolean
  fullPageWrites: boolean
  synchronousCommit: string
  autovacuum: boolean
  sharedBuffersMb: number
  statementTimeoutMs: number
  databaseBytes: number
  /** The server's clock, between `askedMs` and `answeredMs` of ours. */
  nowMs: number
  askedMs: number
  answeredMs: number
}

type Row = Omit<ServerFacts, 'askedMs' | 'answeredMs'>

const isOn = (name: string) => `current_setting('${name}') = 'on'`
const number = (name: string, factor = '1') =>
  `(SELECT setting::float8 * ${factor} FROM pg_settings WHERE name = '${name}')`

const TEXT = `SELECT current_setting('server_version') AS version, current_setting('server_encoding') AS encoding,
  pg_is_in_recovery() AS "isReplica", ${number('max_connections')} AS "maxConnections",
  (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend') AS connections,
  ${isOn('fsync')} AS fsync, ${isOn('full_page_writes')} AS "fullPageWrites",
  current_setting('synchronous_commit') AS "synchronousCommit", ${isOn('autovacuum')} AS autovacuum,
  ${number('shared_buffers', '8 / 1024')} AS "sharedBuffersMb", ${number('statement_timeout')} AS "statementTimeoutMs",
  pg_database_size(current_database()) AS "databaseBytes",
  (date_part('epoch', clock_timestamp()) * 1000)::float8 AS "nowMs"`

export async function readServerFacts(pool: pg.Pool, now: () => Date): Promise<ServerFacts> {
  // The first statement of a connection waits for the connection, so the second one compares the clocks.
  await pool.query('SELECT 1')
  const askedMs = now().getTime()
  const { rows } = await pool.query<Row>(TEXT)
  const answeredMs = now().getTime()
  if (!rows[0]) throw new Error('a statement returned no row')
  return { ...rows[0], askedMs, answeredMs }
}
