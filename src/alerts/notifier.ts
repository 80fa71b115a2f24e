// Sends the messages of the outbox: claims a due one, sends it by mail, to its webhook or chat, and stores the answer.
// Several workers may run, in several processes. A message is sent twice only if its acceptance was not
// stored. The process died then, the database was away for as long as the claim, or a failover lost the record.
import type { Clock } from '../base/clock.ts'
import type { Database } from '../database/client.ts'
import { type ChatChannel, isChat, type NotificationChannel } from '../fields/channels.ts'
import { deliverNext, type Outcome, type OutgoingMessage } from '../ledger/alerts/outbox.ts'
import { type ChatSender, createChatSender } from './chat-sender.ts'
import type { Mailer } from './email.ts'
import { writeLetter } from './message.ts'
import type { ToLevel } from './token-lines.ts'
import { unsubscribeUrl } from './unsubscribe.ts'
import { createWebhookSender, type WebhookSender } from './webhook.ts'

/** A mail is given up this long after it was written (contract, section 7). */
const GIVE_UP_AFTER_MS = 24 * 3_600_000
/** The first pause between tries; it doubles up to the longest one. */
const FIRST_PAUSE_MS = 30_000
const LONGEST_PAUSE_MS = 3_600_000

/**
 * The time of the next try, or null to give up. `random` in [0, 1) varies the pause by a quarter, so that the messages
 * of one outage spread out. `leastMs`: the pause that the receiver asked for.
 */
export function nextAttempt(createdAt: Date, attempts: number, now: Date, random: number, leastMs = 0): Date | null {
  const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(attempts, 20), LONGEST_PAUSE_MS) * (0.75 + random / 2)
  const at = new Date(now.getTime() + Math.max(pauseMs, leastMs))
  return at.getTime() - createdAt.getTime() > GIVE_UP_AFTER_MS ? null : at
}

export interface NotifierOptions {
  database: Database
  mailer: Mailer
  /** Default: a sender to the public internet. */
  webhooks?: WebhookSender
  /** Default: a sender to the services, without links. */
  chats?: ChatSender
  clock: Clock
  publicUrl: string
  secret: Uint8Array
  toLevel: ToLevel
  random?: () => number
}

interface Failure {
  response: string
  isPermanent?: boolean
  pauseMs?: number
}

/** Of a message whose alert has no URL any more. */
const toDeleted = (channel: NotificationChannel): Outcome => ({
  status: 'dead',
  response: `${channel} gone: its alert was deleted`,
})

type Messages = readonly OutgoingMessage[]

const tellTaken = (onTaken: () => void, send: (messages: Messages) => Promise<Outcome[]>) => (messages: Messages) => {
  onTaken()
  return send(messages)
}

/**
 * `run()` sends the due messages of a channel until none is left, and returns how often it sent. It calls back each time
 * when it has taken some.
 */
export function createNotifier({
  database,
  mailer,
  clock,
  webhooks = createWebhookSender({ clock }),
  publicUrl,
  secret,
  toLevel,
  chats = createChatSender({ publicUrl: null, toLevel }),
  random = Math.random,
}: NotifierOptions) {
  /** The next try of a failed message, or none. */
  const later = ({ createdAt, attempts }: OutgoingMessage, failure: Failure): Outcome => {
    const { response, isPermanent = false, pauseMs = 0 } = failure
    const at = nextAttempt(createdAt, attempts, clock.now(), random(), pauseMs)
    return at ? { status: 'retry', response, at, isPermanent } : { status: 'dead', response }
  }

  async function call(message: OutgoingMessage): Promise<Outcome> {
    if (!message.webhook) return toDeleted('webhook')
    const result = await webhooks.send(message, message.webhook)
    return result.status === 'failed' ? later(message, result) : result
  }

  const write =
    (channel: ChatChannel) =>
    async (messages: Messages): Promise<Outcome[]> => {
      const url = messages[0]?.webhook?.url
      if (url === undefined) return messages.map(() => toDeleted(channel))
      const result = await chats.send(channel, url, messages)
      return messages.map((message) => (result.status === 'failed' ? later(message, result) : result))
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
    return result.status === 'failed' ? later(message, result) : result
  }

  const each = (send: typeof mail) => (messages: Messages) => Promise.all(messages.map(send))

  return {
    async run(signal?: AbortSignal, channel: NotificationChannel = 'email', onTaken = () => {}): Promise<number> {
      const send = tellTaken(onTaken, isChat(channel) ? write(channel) : each(channel === 'email' ? mail : call))
      let handled = 0
      while (!signal?.aborted && (await deliverNext(database, channel, clock, send, signal))) handled++
      return handled
    },
  }
}
