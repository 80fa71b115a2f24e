// Deletes events that are older than the configured days, in the background and in small steps.
import type { Clock } from '../base/clock.ts'
import type { Database } from '../database/client.ts'
import { notifyHead } from '../ledger/head.ts'
import { forgetEvents, moveEventsSince } from '../ledger/write/retention.ts'
import type { Log } from '../telemetry/log.ts'
import { createOutage } from '../telemetry/outage.ts'

/** The interval of checks. Hidden events stay this long for answers that began before: no request takes so long. */
const LOOK_MS = 30_000
/** The pause after a step, so that the database is free for others most of the time. */
const REST_MS = 200

/** Works until the signal is aborted. Never rejects. */
export async function keepRetention(
  deps: { database: Database; days: number; clock: Clock; log: Pick<Log, 'info' | 'warn'> },
  signal: AbortSignal,
): Promise<void> {
  const { database, days, clock, log } = deps
  const { pool } = database
  const outage = createOutage(
    (error) => log.warn({ err: error }, 'old events could not be deleted; trying again'),
    () => log.info({}, 'old events are deleted again'),
  )
  while (!signal.aborted) {
    try {
      // First the events hidden at the last check, then those hidden from now on.
      for (let gone = await forgetEvents(pool); gone > 0 && !signal.aborted; gone = await forgetEvents(pool))
        await clock.sleep(REST_MS, signal)
      if (!signal.aborted && (await moveEventsSince(pool, days))) {
        await notifyHead(pool)
        log.info({ days }, 'events older than this are no longer kept')
      }
      outage.pass()
    } catch (error) {
      outage.fail(error)
    }
    await clock.sleep(LOOK_MS, signal)
  }
}
