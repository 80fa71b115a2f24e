// The role `alerts`: matches alerts when the chain or an alert changes, hands events to webhooks, and sends due
// messages. Without a notification it checks every 2 s for due cool-downs and retries.

import { setMaxListeners } from 'node:events'
import type { Clock } from '../base/clock.ts'
import { isBrokenOff } from '../database/transient-error.ts'
import { byChannel, NOTIFICATION_CHANNELS } from '../fields/channels.ts'
import type { Log } from '../telemetry/log.ts'
import { createOutage, type Outage } from '../telemetry/outage.ts'
import type { createDispatch } from './dispatch.ts'
import type { createNotifier } from './notifier.ts'
import type { createSweep } from './sweep.ts'

/** The longest delay of a due retry, or of a mail after its cool-down. */
const TICK_MS = 2_000
/** Pause after a failure, such as an unreachable database. */
const PAUSE_AFTER_FAILURE_MS = 1_000
/**
 * Messages of a channel that this process sends in parallel. A receiver that hangs holds one of them for some seconds,
 * and an account a few.
 */
const SENDERS = byChannel({ email: 4, webhook: 32 }, () => 4)
/** Mails with links that this process sends in parallel: a server that hangs holds one of them. */
const LINK_SENDERS = 2
/** The rounds of the job: sweep, dispatch and senders. */
const ROUNDS = 2 + LINK_SENDERS + Object.values(SENDERS).reduce((sum, count) => sum + count, 0)

/** A signal for which every round may wait: Node 20 warns on standard error of more than ten listeners. */
function createSignal(): AbortController {
  const controller = new AbortController()
  setMaxListeners(ROUNDS, controller.signal)
  return controller
}

export interface AlertsJobOptions {
  sweep: ReturnType<typeof createSweep>
  /** Without it there are no webhooks of events. */
  dispatch?: ReturnType<typeof createDispatch>
  notifier: ReturnType<typeof createNotifier>
  /** Sends the mails with links of sign-ups. Without it nobody can sign up. */
  links?: { run(signal: AbortSignal): Promise<unknown> } | undefined
  clock: Clock
  log: Pick<Log, 'info' | 'error'>
}

/** `wake()` starts a round now; `stop()` ends after the current round. */
export function createAlertsJob({ sweep, dispatch, notifier, links, clock, log }: AlertsJobOptions) {
  const stopping = createSignal()
  let alarm = createSignal()
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
      isBrokenOff,
    )
  const sendersOf = (count: number, send: () => Promise<unknown>, sending: Outage) =>
    Array.from({ length: count }, () => round(send, sending))
  const running = Promise.all([
    round(sweepOnce, tell('the alert sweep')),
    ...(dispatch ? [round(() => dispatch.run(stopping.signal), tell('handing events to webhooks'))] : []),
    ...(links ? sendersOf(LINK_SENDERS, () => links.run(stopping.signal), tell('sending of links')) : []),
    ...NOTIFICATION_CHANNELS.flatMap((channel) => {
      const send = () => notifier.run(stopping.signal, channel)
      return sendersOf(SENDERS[channel], send, tell(`sending by ${channel}`))
    }),
  ])

  const wake = () => {
    generation++
    const previous = alarm
    alarm = createSignal()
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
