// Logs outages for all parts that use the database. An outage is one line at its start and one at its end, whatever the
// number of parts and errors. A restarting server breaks every statement under way, and each would log its stack.
import pg from 'pg'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../telemetry/log.ts'
import type { Database } from './client.ts'
import { isBrokenOff } from './transient-error.ts'

const GONE = 'the database is unavailable; retrying'
const BACK = 'the database answers again'
/** The interval of checks whether the database is back. */
const ASK_EVERY_MS = 500

interface Outage {
  lasts: boolean
}

/** One for each pool, which the parts of a process share. */
const outages = new WeakMap<pg.Pool, Outage>()

function outageOf(pool: pg.Pool): Outage {
  const outage = outages.get(pool) ?? { lasts: false }
  outages.set(pool, outage)
  return outage
}

/** The same log, which reports an `err` of a database that went away once for all lines. */
export function tellOutages(log: Log, { pool }: Pick<Database, 'pool'>, clock: Clock): Log {
  const outage = outageOf(pool)
  const untilBack = async () => {
    do await clock.sleep(ASK_EVERY_MS)
    while (await isStillGone(pool))
    outage.lasts = false
    // A closed pool never answers again.
    if (!pool.ending) log.info({}, BACK)
  }
  const tell =
    (level: 'warn' | 'error') =>
    (fields: object | string, ...rest: unknown[]) => {
      const error = typeof fields === 'object' && 'err' in fields ? fields.err : undefined
      if (!isBrokenOff(error)) return log[level](fields as object, ...(rest as [string]))
      const reason = (error as Error).message
      log.debug({ reason }, ...(rest as [string]))
      if (outage.lasts || pool.ending) return
      outage.lasts = true
      log.warn({ reason }, GONE)
      void untilBack()
    }
  return Object.assign(Object.create(log) as Log, { warn: tell('warn'), error: tell('error') })
}

/** A new connection tells it: a server process whose server was killed may answer once more on an old one. */
async function isStillGone({ options }: pg.Pool): Promise<boolean> {
  const client = new pg.Client(options)
  client.on('error', () => {})
  try {
    await client.connect()
    return false
  } catch (error) {
    return isBrokenOff(error)
  } finally {
    void client.end().catch(() => {})
  }
}
