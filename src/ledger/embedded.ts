// PostgreSQL 18 under the data folder, for whoever sets no DATABASE_URL. Any number of our processes share one server:
// each holds a shared advisory lock, the last one to leave stops it, and a server that a killed process left is taken over.
import { type ChildProcess, spawn } from 'node:child_process'
import { chownSync, closeSync, fstatSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import pg from 'pg'
import { type Clock, systemClock } from '../base/clock.ts'
import type { Log } from '../telemetry/log.ts'
import { type Account, chooseAccount, openWay } from './embedded/account.ts'
import { type Binaries, findBinaries } from './embedded/binaries.ts'
import { type Cluster, NAME, openCluster } from './embedded/cluster.ts'
import { explain, isTaken } from './embedded/fault.ts'
import { findPort, type Place, placeOf, urlOf } from './embedded/place.ts'
import { clearStale, isServing, readPostmaster, shutDown } from './embedded/postmaster.ts'

export interface EmbeddedOptions {
  /** The server lives in its subfolder `postgres`. */
  dataDir: string
  log: Log
  clock?: Clock
  /** Over the settings below, by PostgreSQL's names. */
  settings?: Record<string, string>
}

export interface Embedded {
  /** Holds the password. The same for every process that shares the server. */
  url: string
  /** Leaves the server; stops it when nobody else uses it. Never throws. */
  stop(): Promise<void>
}

/** For a small machine with two cores: short statements, no parallel workers, everything that was confirmed survives a crash. */
const SETTINGS: Record<string, string> = {
  shared_buffers: '256MB',
  effective_cache_size: '1GB',
  work_mem: '16MB',
  maintenance_work_mem: '128MB',
  max_wal_size: '2GB',
  wal_compression: 'pglz',
  wal_level: 'minimal',
  max_wal_senders: '0',
  checkpoint_timeout: '15min',
  max_connections: '100',
  max_parallel_workers_per_gather: '0',
  io_method: 'sync',
  random_page_cost: '1.1',
  jit: 'off',
  log_min_messages: 'warning',
  log_timezone: 'UTC',
  timezone: 'UTC',
}

/** Held shared by each process that uses the server, alone by the one that stops it. */
const IN_USE_LOCK = 7_243_950
/** Serve must be gone 5 s after a signal; a server that needs longer goes on stopping by itself. */
const STOP_TIMEOUT_MS = 3_000
/** How often we look whether the server answers yet. */
const POLL_MS = 20
/** The server's own log is begun anew at a start when it is longer. */
const LOG_BYTES = 10_000_000

interface Parts {
  cluster: Cluster
  binaries: Binaries
  account: Account
  place: Place
  settings: Record<string, string>
  log: Log
  clock: Clock
}

/** Starts the server of a data folder, or joins the one that runs. Throws a `StartupError` that says what to do. */
export async function startEmbedded({
  dataDir,
  log,
  clock = systemClock,
  settings,
}: EmbeddedOptions): Promise<Embedded> {
  const binaries = findBinaries()
  const account = chooseAccount(`${dataDir}/postgres`)
  const cluster = openCluster(dataDir, binaries, account)
  const place = placeOf(cluster.sockets)
  const parts = { cluster, binaries, account, place, log, clock, settings: { ...SETTINGS, ...settings } }
  let stopping = false
  let session = await join(parts)
  const watch = (client: pg.Client) => {
    client.on('end', async () => {
      if (stopping) return
      log.warn('the embedded database went away; it is started again')
      try {
        session = await join(parts)
        watch(session)
      } catch (error) {
        log.error({ err: error }, 'the embedded database could not be started again')
      }
    })
  }
  watch(session)
  return {
    url: urlOf(cluster, place),
    stop: async () => {
      if (stopping) return
      stopping = true
      await leave(session, parts).catch((error) =>
        log.warn({ err: error }, 'the embedded database was not left cleanly'),
      )
    },
  }
}

/** A session that holds the shared lock, on the server that runs or on one that is started. */
async function join(parts: Parts): Promise<pg.Client> {
  const { cluster, place, clock } = parts
  let child: Started | null = null
  for (;;) {
    const session = await connect(urlOf(cluster, place))
    if (session) {
      child?.release()
      if (await hold(session)) return session
    }
    if (child?.exited()) {
      const output = child.output()
      if (!isTaken(output)) throw explain(new Error('it stopped at its start'), cluster.data, output)
      child = null
    }
    const found = readPostmaster(cluster.data)
    const running = found !== null && isServing(found.pid, cluster.data)
    if (running && place.port !== null && found.port > 0) place.port = found.port
    if (!running && !child) {
      if (found) clearStale(cluster.data, cluster.sockets)
      child = await launch(parts)
    }
    await clock.sleep(POLL_MS)
  }
}

/** Null: no server there, or not ready yet. */
async function connect(url: string): Promise<pg.Client | null> {
  const client = new pg.Client({ connectionString: url, application_name: 'assay in use', keepAlive: true })
  client.on('error', () => {})
  try {
    await client.connect()
    return client
  } catch (error) {
    await client.end().catch(() => {})
    const { code } = error as NodeJS.ErrnoException
    if (code === '3D000') return createDatabase(url)
    // Refused, no socket, cut off, or one of PostgreSQL's "not now" (class 57) and "too many" (53300).
    if (code === undefined || /^(E[A-Z]+|57.*|53300|08.*)$/.test(code)) return null
    throw explain(error, 'its folder')
  }
}

async function createDatabase(url: string): Promise<null> {
  const admin = new URL(url)
  admin.pathname = 'postgres'
  const client = await connect(admin.href)
  // 42P04: another process has just made it. 23505: is making it.
  await client?.query(`CREATE DATABASE ${NAME}`).catch((error) => {
    if (!['42P04', '23505'].includes(error.code)) throw error
  })
  await client?.end()
  return null
}

/** False: the server is about to stop. */
async function hold(session: pg.Client): Promise<boolean> {
  try {
    const { rows } = await session.query('SELECT pg_try_advisory_lock_shared($1) AS held', [IN_USE_LOCK])
    if (rows[0]?.held) return true
  } catch {}
  await session.end().catch(() => {})
  return false
}

async function leave(session: pg.Client, { cluster, binaries, clock }: Parts): Promise<void> {
  const { rows } = await session.query('SELECT pg_advisory_unlock_shared($1), pg_try_advisory_lock($1) AS last', [
    IN_USE_LOCK,
  ])
  if (rows[0]?.last) await shutDown(cluster.data, { pgCtl: binaries.pgCtl, clock, timeoutMs: STOP_TIMEOUT_MS })
  await session.end()
}

interface Started {
  exited(): boolean
  /** What the server has written to its log since it was started. */
  output(): string
  /** From now on the server lives on its own. */
  release(): void
}

/** Starts a server that a Ctrl-C in our terminal does not reach: we end it after our own work is done. */
async function launch({ cluster, binaries, account, place, settings, log }: Parts): Promise<Started> {
  if (place.port !== null) place.port = await findPort(place.port)
  const options = { ...settings, ...place.settings() }
  const flags = Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const way = openWay(account, cluster.data, binaries.postgres)
  const { file, args, as } = way.wrap(binaries.postgres, ['-D', cluster.data, ...flags])
  const size = statSync(cluster.log, { throwIfNoEntry: false })?.size ?? 0
  const output = openSync(cluster.log, size > LOG_BYTES ? 'w' : 'a', 0o600)
  const from = fstatSync(output).size
  writeUrl(cluster, place, account)
  let ended = false
  let fault: Error | null = null
  const child: ChildProcess = spawn(file, args, {
    ...as,
    cwd: cluster.data,
    detached: true,
    windowsHide: true,
    stdio: ['ignore', output, output],
  })
  closeSync(output)
  child.on('exit', () => {
    ended = true
  })
  child.on('error', (error) => {
    ended = true
    fault = error
  })
  log.debug({ pid: child.pid }, 'the embedded database is being started')
  return {
    exited: () => ended,
    output: () => (fault ? String(fault) : readFileSync(cluster.log).subarray(from).toString()),
    release: () => child.unref(),
  }
}

function writeUrl(cluster: Cluster, place: Place, { owner }: Account): void {
  writeFileSync(cluster.url, `${urlOf(cluster, place)}\n`, { mode: 0o600 })
  if (owner) chownSync(cluster.url, owner.uid, owner.gid)
}
