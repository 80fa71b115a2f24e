// The session through which a process uses the embedded server: while it holds the shared lock, nobody stops the
// server. Connects to the running server, or starts one.
import pg from 'pg'
import { codeOf } from '../../base/json.ts'
import { NAME } from './cluster.ts'
import { explain, isOrphaned, isTaken } from './fault.ts'
import { launch, type Parts, type Started } from './launch.ts'
import { refusePassword } from './password.ts'
import { urlOf } from './place.ts'
import { clearStale, emptyLockMs, isServing, readPostmaster, shutDown } from './postmaster.ts'

/** A database that every server has and no program uses. */
const TEMPLATE = 'template1'
/** Held in shared mode by each process that uses the server, and exclusively by the one that stops it. */
const IN_USE_LOCK = 7_243_950
/** `serve` must exit within 5 s of a signal; a server that needs longer goes on stopping by itself. */
const STOP_TIMEOUT_MS = 3_000
/** An empty lock file belongs to a starting server; if it is still empty after this time, a crash left it. */
const EMPTY_LOCK_MS = 10_000
/** Connections of a killed server end within a moment; until they do, no server can start on its data. */
const ORPHANS_MS = 10_000
const ORPHANS_POLL_MS = 200
/** How often to check whether the server answers yet. */
const POLL_MS = 20

/** Returns a session that holds the shared lock, on the running server or on one that it starts. */
export async function join(parts: Parts): Promise<pg.Client> {
  const started: { child: Started | null } = { child: null }
  try {
    return await seek(parts, started)
  } catch (error) {
    // Stop a server that we started and that refuses us: nobody else would.
    if (started.child && !started.child.exited()) await stop(parts)
    throw error
  }
}

async function seek(parts: Parts, started: { child: Started | null }): Promise<pg.Client> {
  const { cluster, place, clock } = parts
  const orphansUntil = clock.monotonicMs() + ORPHANS_MS
  for (;;) {
    const { child } = started
    const session = await connect(urlOf(cluster, place), parts)
    if (session) {
      child?.release()
      if (await hold(session)) return session
    }
    if (child?.exited()) {
      const output = child.output()
      const waits = isOrphaned(output) && clock.monotonicMs() < orphansUntil
      if (!waits && !isTaken(output)) throw explain(new Error('it stopped at its start'), cluster.data, output)
      started.child = null
      if (waits) await clock.sleep(ORPHANS_POLL_MS)
    }
    const found = readPostmaster(cluster.data)
    const running = found !== null && isServing(found.pid, cluster.data)
    if (running && place.port !== null && found.port > 0) place.port = found.port
    const emptyMs = emptyLockMs(cluster.data, clock.now())
    if (!running && !started.child && (emptyMs === null || emptyMs > EMPTY_LOCK_MS)) {
      if (found || emptyMs !== null) clearStale(cluster.data, cluster.sockets)
      started.child = await launch(parts).catch((error) => {
        throw explain(error, cluster.data)
      })
    }
    parts.onWait?.()
    await clock.sleep(POLL_MS)
  }
}

/** Null: there is no server, or it is not ready yet. */
async function connect(url: string, parts: Parts): Promise<pg.Client | null> {
  const client = new pg.Client({ connectionString: url, application_name: 'assay in use', keepAlive: true })
  client.on('error', () => {})
  try {
    await client.connect()
    return client
  } catch (error) {
    await client.end().catch(() => {})
    const code = codeOf(error)
    if (code === '3D000') return createDatabase(url, parts)
    // 28000: the user does not exist. Our folders always have it, unless another cluster took their place.
    if (code === '28P01' || code === '28000')
      throw refusePassword(parts.cluster.passwordFile, { data: parts.cluster.data, ...parts }, error)
    if (code === 'EACCES' || code === 'EPERM') throw explain(error, parts.cluster.sockets)
    // Refused, no socket, disconnected, or PostgreSQL's "not now" (class 57) and "too many connections" (53300).
    if (code === undefined || /^(E[A-Z]+|57.*|53300|08.*)$/.test(code)) return null
    throw explain(error, parts.cluster.data)
  }
}

/** A new server has an empty, unused database `postgres`; renaming it takes a hundredth of the time of creating one. */
async function createDatabase(url: string, parts: Parts): Promise<null> {
  const admin = new URL(url)
  if (admin.pathname === `/${TEMPLATE}`)
    throw explain(new Error('its folder base is not a valid data directory'), parts.cluster.data)
  admin.pathname = TEMPLATE
  const client = await connect(admin.href, parts)
  try {
    await client?.query(`ALTER DATABASE postgres RENAME TO ${NAME}`).catch(async (error) => {
      // Another process has renamed it, or is connected to it.
      if (!['3D000', '55006'].includes(error.code)) throw error
      await client.query(`CREATE DATABASE ${NAME}`)
    })
  } catch (error) {
    // 42P04: another process has just created it. 23505: is creating it. 55006: is using the template.
    if (!['42P04', '23505', '55006'].includes(codeOf(error))) throw error
  } finally {
    await client?.end()
  }
  return null
}

/** Acquires the shared lock; false if the server is about to stop. */
async function hold(session: pg.Client): Promise<boolean> {
  try {
    const { rows } = await session.query('SELECT pg_try_advisory_lock_shared($1) AS held', [IN_USE_LOCK])
    if (rows[0]?.held) return true
  } catch {}
  await session.end().catch(() => {})
  return false
}

/** Ends the session, and stops the server if nobody else uses it. */
export async function leaveServer(session: pg.Client, parts: Parts): Promise<void> {
  const { rows } = await session.query('SELECT pg_advisory_unlock_shared($1), pg_try_advisory_lock($1) AS last', [
    IN_USE_LOCK,
  ])
  if (rows[0]?.last) await stop(parts)
  await session.end()
}

const stop = ({ cluster, binaries, clock }: Parts): Promise<void> =>
  shutDown(cluster.data, { pgCtl: binaries.pgCtl, clock, timeoutMs: STOP_TIMEOUT_MS })
