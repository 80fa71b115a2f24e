// PostgreSQL 18 in the data folder, used when DATABASE_URL is not set. Any number of our processes share one server.
// Each holds a shared advisory lock, and the last one to leave stops the server. Each also holds the server's lifeline,
// so that the server ends with its last process, also if that is killed.
import { type Clock, systemClock } from '../../base/clock.ts'
import type { Log } from '../../telemetry/log.ts'
import { createOutage } from '../../telemetry/outage.ts'
import { chooseAccount } from './account.ts'
import { findBinaries } from './binaries.ts'
import { openCluster } from './cluster.ts'
import { readEnd } from './fault.ts'
import { openLifeline } from './lifeline.ts'
import { readMemory, sizeMemory } from './memory.ts'
import { placeOf, urlOf } from './place.ts'
import { join, leaveServer } from './session.ts'

export interface EmbeddedOptions {
  /** The server lives in its subfolder `postgres`. */
  dataDir: string
  log: Log
  clock?: Clock
  /** Overrides the settings below, by PostgreSQL's names. */
  settings?: Record<string, string>
  /** Called while the server is starting. */
  onWait?: (() => void) | undefined
}

export interface Embedded {
  /** Contains the password. The same for every process that shares the server. */
  url: string
  /** Leaves the server, and stops it if nobody else uses it. Never throws. */
  stop(): Promise<void>
}

/** For a small machine with two cores: short statements, no parallel workers, and committed data survives a crash. */
const SETTINGS: Record<string, string> = {
  work_mem: '16MB',
  maintenance_work_mem: '128MB',
  max_wal_size: '8GB',
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

/** Pause between attempts to restart a server that cannot start, such as on a full disk. */
const REVIVE_EVERY_MS = 5_000
/** How long `stop` waits for a restart that is under way, so that no server is left running. */
const REVIVED_WITHIN_MS = 1_000

function prepare({ dataDir, log, clock = systemClock, settings, onWait }: EmbeddedOptions) {
  const binaries = findBinaries()
  const account = chooseAccount(`${dataDir}/postgres`)
  const cluster = openCluster(dataDir, binaries, account)
  const place = placeOf(cluster.sockets)
  const lifeline = openLifeline(cluster.sockets, account)
  const all = { ...SETTINGS, ...sizeMemory(readMemory()), ...settings }
  return { cluster, binaries, account, lifeline, place, log, clock, onWait, settings: all }
}

/** Starts the server of a data folder, or joins the running one. Throws a `StartupError` that says what to do. */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const parts = prepare(options)
  const { cluster, place, lifeline, log, clock } = parts
  const stopping = new AbortController()
  let reviving: Promise<void> = Promise.resolve()
  let session = await join(parts).catch((error) => {
    lifeline?.close()
    throw error
  })
  const revive = async (): Promise<void> => {
    log.warn({ said: readEnd(cluster.log) }, 'the embedded database went away; it is started again')
    const outage = createOutage((error) =>
      log.error({ reason: sayOf(error) }, 'the embedded database could not be started again; trying again'),
    )
    while (!stopping.signal.aborted) {
      try {
        session = await join(parts)
        log.info({}, 'the embedded database runs again')
        return watch()
      } catch (error) {
        outage.fail(error)
        await clock.sleep(REVIVE_EVERY_MS, stopping.signal)
      }
    }
  }
  const watch = () => {
    session.on('end', () => {
      if (!stopping.signal.aborted) reviving = revive()
    })
  }
  watch()
  return {
    url: urlOf(cluster, place),
    stop: async () => {
      if (stopping.signal.aborted) return
      stopping.abort()
      await Promise.race([reviving, clock.sleep(REVIVED_WITHIN_MS)])
      await leaveServer(session, parts).catch((error) =>
        log.warn({ reason: sayOf(error) }, 'the embedded database was not left cleanly'),
      )
      lifeline?.close()
    },
  }
}

const sayOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
