// The role `alerts`: matches alerts when the chain or an alert changes, hands events to webhooks, and sends due
// messages. Without a notification it checks every 2 s for due cool-downs and retries.

import { setMaxListeners } from 'node:events'
import type { Clock } from '../base/clock.ts'
import { isBrokenOff } from '../database/transient-error.ts'
import { byChannel, NOTIFICATION_CHANNELS } from '../fields/channels.ts'
import type { Log } from '../telemetry/log.ts'
import { createOutage, type Outage } from '../telemetry/outage.ts'
import { createCrew } from './crew.ts'
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
/** The sweep, the dispatch, the tick and the senders. */
const LISTENERS = 3 + LINK_SENDERS + Object.values(SENDERS).reduce((sum, count) => sum + count, 0)

/** A signal for which all of them may wait: Node 20 warns on standard error of more than ten listeners. */
function createSignal(): AbortController {
  const controller = new AbortController()
  setMaxListeners(LISTENERS, controller.signal)
  return controller
}

export interface AlertsJobOptions {
  sweep: ReturnType<typeof createSweep>
  /** Without it there are no webhooks of events. */
  dispatch?: ReturnType<typeof createDispatch>
  notifier: ReturnType<typeof createNotifier>
  /** Sends the mails with links of sign-ups. Without it nobody can sign up. */
  links?: { run(signal: AbortSignal, onTaken: () => void): Promise<unknown> } | undefined
  clock: Clock
  log: Pick<Log, 'info' | 'error'>
}

/** What changed: the chain or an alert, the messages that wait, the links that wait; null: perhaps all of them. */
export type AlertsChange = 'matches' | 'messages' | 'links' | null

/** `wake()` starts a round of what changed now; `stop()` ends after the current round and the current messages. */
export function createAlertsJob({ sweep, dispatch, notifier, links, clock, log }: AlertsJobOptions) {
  const stopping = createSignal()
  const { signal } = stopping
  const matching = createAlarm()

  const sweepOnce = async () => {
    const result = await sweep.run()
    if (result?.messages) log.info(result, 'alerts matched')
  }
  const round = createRound(clock, matching, signal)
  const tell = createTell(log)
  const crews = createCrews({ notifier, links }, tell, signal)

  /** Retries become due without a notification. */
  async function tick(): Promise<void> {
    while (!signal.aborted) {
      for (const crew of crews) crew.wake()
      await clock.sleep(TICK_MS, signal)
    }
  }

  const running = Promise.all([
    round(sweepOnce, tell('the alert sweep')),
    ...(dispatch ? [round(() => dispatch.run(signal), tell('handing events to webhooks'))] : []),
    tick(),
  ])

  return {
    wake(change: AlertsChange): void {
      if (change === null || change === 'matches') matching.ring()
      for (const crew of crews) if (change === null || change === crew.change) crew.wake()
    },
    async stop(): Promise<void> {
      stopping.abort()
      matching.ring()
      await running
      await Promise.all(crews.map((crew) => crew.ended()))
    },
  }
}

/** A crew for each channel, and one for the links of sign-ups. */
function createCrews(
  { notifier, links }: Pick<AlertsJobOptions, 'notifier' | 'links'>,
  tell: (name: string) => Outage,
  signal: AbortSignal,
) {
  const crews = NOTIFICATION_CHANNELS.map((channel) => ({
    change: 'messages',
    ...createCrew({
      most: SENDERS[channel],
      send: (onTaken) => notifier.run(signal, channel, onTaken),
      outage: tell(`sending by ${channel}`),
      signal,
    }),
  }))
  if (!links) return crews
  const send = (onTaken: () => void) => links.run(signal, onTaken)
  const outage = tell('sending of links')
  return [...crews, { change: 'links', ...createCrew({ most: LINK_SENDERS, send, outage, signal }) }]
}

/** Reports a failure when it begins and when it ends. */
const createTell = (log: AlertsJobOptions['log']) => (name: string) =>
  createOutage(
    (error) => log.error({ err: error }, `${name} failed; it is tried again until it works`),
    () => log.info({}, `${name} works again`),
    isBrokenOff,
  )

/** Runs a task again and again until the signal ends it: when the alarm rings, and after each tick. */
const createRound =
  (clock: Clock, alarm: ReturnType<typeof createAlarm>, signal: AbortSignal) =>
  async (task: () => Promise<unknown>, outage: Outage): Promise<void> => {
    while (!signal.aborted) {
      const seen = alarm.count()
      try {
        await task()
        outage.pass()
      } catch (error) {
        outage.fail(error)
        await clock.sleep(PAUSE_AFTER_FAILURE_MS, signal)
      }
      if (alarm.count() === seen && !signal.aborted) await clock.sleep(TICK_MS, alarm.signal())
    }
  }

/** Wakes all tasks that wait for it, and counts how often it rang. */
function createAlarm() {
  let alarm = createSignal()
  let count = 0
  return {
    signal: () => alarm.signal,
    count: () => count,
    ring(): void {
      count++
      const previous = alarm
      alarm = createSignal()
      previous.abort()
    },
  }
}
