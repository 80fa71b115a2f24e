// Opens the database of a process, the one in DATABASE_URL or the embedded one, and migrates it. If it is unreachable
// or too old, throws an error that says what to do.
import pg from 'pg'
import type { Clock } from '../base/clock.ts'
import { StartupError } from '../base/errors.ts'
import type { Log } from '../telemetry/log.ts'
import { DEFAULT_SCHEMA, toChainUrl } from './chain-schema.ts'
import { type Database, openDatabase, openReplica, type Replica } from './client.ts'
import { startEmbedded } from './embedded/embedded.ts'
import { explain } from './embedded/fault.ts'
import { type HistoryPlaces, openHistoryStore } from './history-store.ts'
import { migrate } from './migrate.ts'
import { describe, noAnswer } from './refusal.ts'
import { isDiskFull } from './transient-error.ts'

export interface Ledger {
  database: Database
  /** Streaming replicas of the database. None: everything is read from it. */
  replicas?: readonly Replica[]
  /** The URL with its credentials, for connections outside of the pools. Never log it. */
  url: string
  /** Names of the migrations that were applied while opening. */
  migrated: string[]
  /** Closes the pools, then leaves the embedded server if there is one. */
  close(): Promise<void>
}

export interface LedgerOptions {
  /** Leave out to use the embedded database. */
  databaseUrl: string | undefined
  /** The schema of a further chain. Leave out for the default chain. */
  schema?: string | undefined
  /** The same database behind a pooler, for requests. */
  poolerUrl?: string | undefined
  replicaUrls?: readonly string[] | undefined
  dataDir: string
  /** Where older events are. Leave out if the database has all. */
  history?: HistoryPlaces | undefined
  log: Log
  clock: Clock
  /** The most connections per pool. */
  size?: number
  /** Aborts waiting for the database. */
  signal?: AbortSignal
  /** Called once the server is starting, when this process has nothing to do until it answers. */
  onWait?: () => void
}

/** The oldest and the newest PostgreSQL version that we test with. */
const VERSIONS = [14, 18] as const

/** How long a database may take to answer at startup. */
const ANSWER_WITHIN_MS = 10_000

/** How long running statements may take to end at shutdown. */
const CLOSE_TIMEOUT_MS = 1_000

/** Opens and migrates the database. Throws a `StartupError`. */
export async function openLedger(options: LedgerOptions): Promise<Ledger> {
  const { databaseUrl, schema = DEFAULT_SCHEMA, replicaUrls = [], dataDir, log, clock, size = 10, onWait } = options
  const further = schema === DEFAULT_SCHEMA ? undefined : schema
  // A pooler does not pass on the search path, so a further chain asks the database itself.
  const poolerUrl = further === undefined ? options.poolerUrl : undefined
  const embedded = databaseUrl === undefined ? await startEmbedded({ dataDir, log, clock, onWait }) : null
  const plainUrl = embedded?.url ?? databaseUrl ?? ''
  const url = toChainUrl(plainUrl, schema)
  const database = openDatabase(plainUrl, { size, poolerUrl, schema: further })
  database.history = await openHistoryStore(options.history ?? {}, further, log)
  const replicas = replicaUrls.map((replica) => openReplica(toChainUrl(replica, schema), { size }))
  const close = async () => {
    const closed = new AbortController()
    // A connection that is never returned must not block the stop of the embedded server, which ends it.
    const parts = [database, ...replicas, ...(database.history ? [database.history] : [])]
    const all = Promise.all(parts.map((each) => each.close()))
    await Promise.race([all.finally(() => closed.abort()), clock.sleep(CLOSE_TIMEOUT_MS, closed.signal)])
    await embedded?.stop()
  }
  try {
    const asked = askVersion(url, options)
    onWait?.()
    const warning = judgeVersion(await asked)
    if (warning) log.warn(warning)
    const migrated = await migrate(database.pool, further)
    if (poolerUrl) await judgePooler(database, poolerUrl, log)
    return { database, replicas, url, migrated, close }
  } catch (error) {
    await close()
    throw embedded && isDiskFull(error) ? explain(error, dataDir) : describe(error, url)
  }
}

/** We cannot set the settings of a pooler's connections: warns if nobody else gave them a time limit. */
async function judgePooler({ requestPool }: Database, poolerUrl: string, log: Log): Promise<void> {
  const asked = requestPool.query<{ limit: string }>(`SELECT current_setting('statement_timeout') AS limit`)
  const { rows } = await asked.catch((error) => {
    throw describe(error, poolerUrl, 'DATABASE_POOL_URL')
  })
  if (rows[0]?.limit === '0')
    log.warn('DATABASE_POOL_URL: its connections have no statement_timeout: set one in connect_query of the pooler')
}

/**
 * `server_version`, such as `16.4 (Debian 16.4-1)`. Asked on a connection of its own, because the pools wait longer.
 */
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

/** Returns a warning or null; throws a `StartupError` for a version that lacks features of our statements. */
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
