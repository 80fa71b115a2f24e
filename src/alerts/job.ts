// The role `alerts`: sweeps when the chain or an alert moves, and sends what is due. Between notifications a slow tick
// finds cool-downs and retries that fell due.

import type { Clock } from '../base/clock.ts'
import type { Log } from '../telemetry/log.ts'
import { createOutage, type Outage } from '../telemetry/outage.ts'
import type { createNotifier } from './notifier.ts'
import type { createSweep } from './sweep.ts'

/** How late a due retry or a mail after its cool-down may be. */
const TICK_MS = 2_000
/** Pause after a failure, such as a database that is away. */
const PAUSE_AFTER_FAILURE_MS = 1_000
/** Mails on their way at once, from this process. */
const SENDERS = 4

export interface AlertsJobOptions {
  sweep: ReturnType<typeof createSweep>
  notifier: ReturnType<typeof createNotifier>
  clock: Clock
  log: Pick<Log, 'info' | 'error'>
}

/** `wake()` asks for a round now; `stop()` ends after the round at hand. */
export function createAlertsJob({ sweep, notifier, clock, log }: AlertsJobOptions) {
  const stopping = new AbortController()
  let alarm = new AbortController()
  let generation = 0

  async function round(task: () => Promise<unknown>, outage: Outage): Promise<void> {
    while (!stopping.signal.aborted) {
      const seen = generation
      try {
        await task()
        outage.pass()
      } catch (error) {
        outage.fail(error)
        await clock.sleep(PAUSE_AFTER_FAILURE_MS, stopping.signal)
      }
      if (generation === seen && !stopping.signal.aborted) await clock.sleep(TICK_MS, alarm.signal)
    }
  }

  const sweepOnce = async () => {
    const result = await sweep.run()
    if (result?.messages) log.info(result, 'alerts matched')
  }
  const tell = (name: string) =>
    createOutage(
      (error) => log.error({ err: error }, `${name} failed; it is tried again until it works`),
      () => log.info({}, `${name} works again`),
    )
  const sending = tell('sending mail')
  const running = Promise.all([
    round(sweepOnce, tell('the alert sweep')),
    ...Array.from({ length: SENDERS }, () => round(() => notifier.run(stopping.signal), sending)),
  ])

  const wake = () => {
    generation++
    const previous = alarm
    alarm = new AbortController()
    previous.abort()
  }

  return {
    wake,
    async stop(): Promise<void> {
      stopping.abort()
      wake()
      await running
    },
  }
}
