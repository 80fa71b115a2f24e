// Sends the messages of the outbox: claims a due one, sends it by mail or to its webhook, and stores the answer.
// Several workers may run, in several processes. A message is sent twice only if it was accepted and the process died
// before it stored that.
import type { Clock } from '../base/clock.ts'
import type { NotificationChannel } from '../base/vocabulary.ts'
import type { Database } from '../database/client.ts'
import { deliverNext, type Outcome, type OutgoingMessage } from '../ledger/alerts/outbox.ts'
import type { Mailer } from './email.ts'
import { type ToLevel, writeLetter } from './message.ts'
import { unsubscribeUrl } from './unsubscribe.ts'
import { createWebhookSender, type WebhookSender } from './webhook.ts'

/** A mail is given up this long after it was written (contract, section 7). */
const GIVE_UP_AFTER_MS = 24 * 3_600_000
/** The first pause between tries; it doubles up to the longest one. */
const FIRST_PAUSE_MS = 30_000
const LONGEST_PAUSE_MS = 3_600_000

/**
 * The time of the next try, or null to give up. `random` in [0, 1) varies the pause by a quarter, so that the mails of
 * one outage spread out.
 */
export function nextAttempt(createdAt: Date, attempts: number, now: Date, random: number): Date | null {
  const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(attempts, 20), LONGEST_PAUSE_MS) * (0.75 + random / 2)
  const at = new Date(now.getTime() + pauseMs)
  return at.getTime() - createdAt.getTime() > GIVE_UP_AFTER_MS ? null : at
}

export interface NotifierOptions {
  database: Database
  mailer: Mailer
  /** Default: a sender to the public internet. */
  webhooks?: WebhookSender
  clock: Clock
  publicUrl: string
  secret: Uint8Array
  toLevel: ToLevel
  random?: () => number
}

/** `run()` sends the due messages of a channel until none is left, and returns how many messages it handled. */
export function createNotifier({
  database,
  mailer,
  clock,
  webhooks = createWebhookSender({ clock }),
  publicUrl,
  secret,
  toLevel,
  random = Math.random,
}: NotifierOptions) {
  /** The next try of a failed message, or none. */
  const later = ({ createdAt, attempts }: OutgoingMessage, response: string, isPermanent = false): Outcome => {
    const at = nextAttempt(createdAt, attempts, clock.now(), random())
    return at ? { status: 'retry', response, at, isPermanent } : { status: 'dead', response }
  }

  async function call(message: OutgoingMessage): Promise<Outcome> {
    if (!message.webhook) return { status: 'dead', response: 'webhook gone: its alert was deleted' }
    const result = await webhooks.send(message, message.webhook)
    return result.status === 'failed' ? later(message, result.response, result.isPermanent) : result
  }

  async function mail(message: OutgoingMessage): Promise<Outcome> {
    const unsubscribe = unsubscribeUrl(publicUrl, secret, message.alertId)
    const letter = writeLetter(message, { publicUrl, unsubscribe }, toLevel)
    const result = await mailer.send({
      ...letter,
      to: message.email,
      id: message.id,
      unsubscribe,
      date: message.createdAt,
    })
    return result.status === 'failed' ? later(message, result.response) : result
  }

  return {
    async run(signal?: AbortSignal, channel: NotificationChannel = 'email'): Promise<number> {
      const send = channel === 'email' ? mail : call
      let handled = 0
      while (!signal?.aborted && (await deliverNext(database, channel, clock, send))) handled++
      return handled
    },
  }
}
