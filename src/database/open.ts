// The database of a process: the one that DATABASE_URL names, or the embedded one; reachable, new enough and migrated,
// or a sentence that says what is wrong with it.
import pg from 'pg'
import type { Clock } from '../base/clock.ts'
import { StartupError } from '../base/errors.ts'
import type { Log } from '../telemetry/log.ts'
import { type Database, openDatabase } from './client.ts'
import { startEmbedded } from './embedded/embedded.ts'
import { explain } from './embedded/fault.ts'
import { migrate } from './migrate.ts'
import { describe, noAnswer } from './refusal.ts'
import { isDiskFull } from './transient-error.ts'

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
  /** Gives up waiting for an answer of the database. */
  signal?: AbortSignal
}

/** Oldest and newest PostgreSQL that this was tried with. */
const VERSIONS = [14, 18] as const

/** How long a database may take to answer at the start. */
const ANSWER_WITHIN_MS = 10_000

/** How long statements under way may take to end. */
const CLOSE_TIMEOUT_MS = 1_000

/** Opens and migrates the database. Throws a `StartupError`. */
export async function openLedger(options: LedgerOptions): Promise<Ledger> {
  const { databaseUrl, dataDir, log, clock, size = 10 } = options
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
    const warning = judgeVersion(await askVersion(url, options))
    if (warning) log.warn(warning)
    return { database, url, migrated: await migrate(database.pool), close }
  } catch (error) {
    await close()
    throw embedded && isDiskFull(error) ? explain(error, dataDir) : describe(error, url)
  }
}

/** `server_version`, such as `16.4 (Debian 16.4-1)`; asked on a connection of its own, since the pools wait for as long as it takes. */
async function askVersion(url: string, { clock, signal }: LedgerOptions): Promise<string> {
  const client = new pg.Client({ connectionString: url, application_name: 'assay' })
  client.on('error', () => {})
  const answered = new AbortController()
  const silence = async () => {
    await clock.sleep(ANSWER_WITHIN_MS, signal ? AbortSignal.any([signal, answered.signal]) : answered.signal)
    throw noAnswer()
  }
  const ask = async () => {
    await client.connect()
    const { rows } = await client.query<{ v: string }>(`SELECT current_setting('server_version') AS v`)
    return rows[0]?.v ?? ''
  }
  try {
    return await Promise.race([ask(), silence()])
  } finally {
    answered.abort()
    void client.end().catch(() => {})
  }
}

/** What to warn of; throws a `StartupError` for a version that lacks what the statements need. */
export function judgeVersion(version: string): string | null {
  const major = Number.parseInt(version, 10)
  const [oldest, newest] = VERSIONS
  if (major < oldest) {
    throw new StartupError(
      `DATABASE_URL is PostgreSQL ${version}, and version ${oldest} or later is needed: use another server.`,
    )
  }
  return major > newest
    ? `DATABASE_URL is PostgreSQL ${version}, and nothing newer than version ${newest} was tried with this program`
    : null
}
