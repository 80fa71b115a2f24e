// The database of a process: the one that DATABASE_URL names, or the embedded one; reachable, new enough and migrated,
// or a sentence that says what is wrong with it.
import type { Clock } from '../base/clock.ts'
import { StartupError } from '../base/errors.ts'
import type { Log } from '../telemetry/log.ts'
import { type Database, openDatabase } from './client.ts'
import { startEmbedded } from './embedded.ts'
import { migrate } from './migrate.ts'

export interface Ledger {
  database: Database
  /** With its credentials: for connections outside of the pool, never for a log. */
  url: string
  /** Names of the migrations that were applied while it was opened. */
  migrated: string[]
  /** Closes the pool, then leaves the embedded server where there is one. */
  close(): Promise<void>
}

export interface LedgerOptions {
  /** None: the embedded database. */
  databaseUrl: string | undefined
  dataDir: string
  log: Log
  clock: Clock
  /** Connections at most. */
  size?: number
}

/** PostgreSQL 14, as `server_version_num` has it. */
const OLDEST_VERSION = 140_000

/** How long statements under way may take to end. */
const CLOSE_TIMEOUT_MS = 1_000

/** What the driver's and PostgreSQL's codes mean for the one who set DATABASE_URL. */
const SENTENCES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there: start PostgreSQL, or correct the host and port',
  ENOENT: 'nothing listens there: start PostgreSQL, or correct the host and port',
  ENOTFOUND: 'its host is not known: correct the name',
  EAI_AGAIN: 'its host cannot be looked up now: check the name and the network',
  ETIMEDOUT: 'it does not answer: check the address and the firewall',
  EHOSTUNREACH: 'its host cannot be reached: check the address and the network',
  ECONNRESET: 'it closed the connection: check the port, and whether it wants TLS (sslmode=require)',
  '28P01': 'it refuses the password: correct the user name or the password',
  '28000': 'it refuses this user: correct the user name, or allow it in pg_hba.conf',
  '3D000': 'it has no database of that name: create it first',
  '42501': 'the user may not create tables there: grant it CREATE on the schema public',
  '53300': 'it has too many connections already: raise max_connections, or end some',
}

/** Opens and migrates the database. Throws a `StartupError`. */
export async function openLedger({ databaseUrl, dataDir, log, clock, size = 10 }: LedgerOptions): Promise<Ledger> {
  const embedded = databaseUrl === undefined ? await startEmbedded({ dataDir, log, clock }) : null
  const url = embedded?.url ?? databaseUrl ?? ''
  const database = openDatabase(url, { size })
  const close = async () => {
    const closed = new AbortController()
    // A connection that is not given back must not keep the embedded server alive: it ends it.
    await Promise.race([database.close().finally(() => closed.abort()), clock.sleep(CLOSE_TIMEOUT_MS, closed.signal)])
    await embedded?.stop()
  }
  try {
    await checkVersion(database)
    return { database, url, migrated: await migrate(database.pool), close }
  } catch (error) {
    await close()
    throw describe(error, url)
  }
}

async function checkVersion({ pool }: Database): Promise<void> {
  const { rows } = await pool.query<{ n: number; v: string }>(
    `SELECT current_setting('server_version_num')::int AS n, current_setting('server_version') AS v`,
  )
  const [found] = rows
  if (found && found.n < OLDEST_VERSION) {
    throw new StartupError(
      `DATABASE_URL is PostgreSQL ${found.v}, and version 14 or later is needed: use another server.`,
    )
  }
}

function describe(error: unknown, url: string): unknown {
  if (error instanceof StartupError) return error
  const code = codeOf(error)
  const sentence = code && SENTENCES[code]
  if (!sentence) return error
  return new StartupError(
    `The database at ${placeOf(url)} cannot be used: ${sentence} (DATABASE_URL; ${code}).`,
    1,
    error,
  )
}

/** The error's code; with several addresses tried, the first one's. */
function codeOf(error: unknown): string | undefined {
  if (error instanceof AggregateError) return codeOf(error.errors[0])
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : undefined
}

/** Host, port and database: what may be shown. */
function placeOf(url: string): string {
  const { hostname, port, pathname } = new URL(url)
  return `${hostname || 'localhost'}:${port || '5432'}${pathname}`
}
