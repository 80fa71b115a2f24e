// A message that the owner of an alert asks for, to see whether it arrives. It is sent once and at once, by the channel of
// the alert. It is no match: nothing of it is stored.
import type { Clock } from '../base/clock.ts'
import { isChat, type NotificationChannel } from '../fields/channels.ts'
import { explainOutcome } from '../ledger/alerts/delivery-outcome.ts'
import type { OutgoingMessage, OutgoingWebhook } from '../ledger/alerts/outbox.ts'
import type { ChatSender } from './chat-sender.ts'
import type { Mailer } from './email.ts'
import { writeLetter } from './message.ts'
import type { ToLevel } from './token-lines.ts'
import { unsubscribeUrl } from './unsubscribe.ts'
import type { WebhookSender } from './webhook.ts'

/** An alert whose channel is tested. */
export interface TestedAlert {
  id: string
  name: string
  accountId: number
  channel: NotificationChannel
  /** Null: mails. */
  webhook: OutgoingWebhook | null
  /** The address of the account; null: it was refused before. */
  email: string | null
}

export interface TestOutcome {
  delivered: boolean
  /** In a sentence of ours: the words of a receiver may be hostile, and its URL may be a secret. */
  response: string
}

/** Sends test messages. Throws RATE_LIMITED beyond the bounds of the key. */
export interface AlertTests {
  send(keyId: number, alert: Omit<TestedAlert, 'email'>): Promise<TestOutcome>
}

export interface TestSenderOptions {
  mailer: Mailer
  webhooks: WebhookSender
  chats: ChatSender
  clock: Clock
  publicUrl: string
  secret: Uint8Array
  toLevel: ToLevel
  newId: () => string
}

/** Sends a test message, and returns what its receiver answered. */
export async function sendTest(alert: TestedAlert, options: TestSenderOptions): Promise<TestOutcome> {
  if (alert.channel === 'email' && alert.email === null)
    return { delivered: false, response: explainOutcome('suppressed', '') ?? '' }
  const { status, response } = await send(toMessage(alert, options), alert, options)
  const isSent = status === 'sent'
  // A failed test is not sent again and pauses no alert, so a final failure reads as any other.
  return { delivered: isSent, response: explainOutcome(isSent ? 'sent' : 'pending', response) ?? '' }
}

const toMessage = ({ id, name, accountId, email, webhook }: TestedAlert, { clock, newId }: TestSenderOptions) =>
  ({
    id: newId(),
    alertId: id,
    alertName: name,
    accountId,
    email: email ?? '',
    webhook,
    createdAt: clock.now(),
    attempts: 0,
    tokens: [],
    total: 0,
    exits: [],
    events: null,
    dropped: 0,
    isTest: true,
  }) satisfies OutgoingMessage

/** The outcome of the one try. */
interface Tried {
  status: 'sent' | 'failed' | 'refused'
  response: string
}

async function send(message: OutgoingMessage, alert: TestedAlert, options: TestSenderOptions): Promise<Tried> {
  const { channel, webhook } = alert
  const { mailer, webhooks, chats, publicUrl, secret, toLevel } = options
  if (isChat(channel)) return chats.send(channel, webhook?.url ?? '', [message])
  if (webhook) return webhooks.send(message, webhook)
  const unsubscribe = unsubscribeUrl(publicUrl, secret, message.alertId)
  const letter = writeLetter(message, { publicUrl, unsubscribe }, toLevel)
  return mailer.send({ ...letter, to: message.email, id: message.id, unsubscribe, date: message.createdAt })
}
