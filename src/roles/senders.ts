// How a process reaches receivers of alerts besides mailboxes. The configuration decides whom it may reach.
import { createChatSender } from '../alerts/chat-sender.ts'
import { createWebhookSender } from '../alerts/webhook.ts'
import type { WebhookReach } from '../alerts/webhook-url.ts'
import type { Clock } from '../base/clock.ts'
import type { Config } from '../base/config.ts'
import { toRiskLevel } from '../base/risk-level.ts'

export const webhookReachOf = ({ WEBHOOK_ALLOW_LOOPBACK, WEBHOOK_PORTS }: Config): WebhookReach => ({
  allowsLoopback: WEBHOOK_ALLOW_LOOPBACK,
  ports: WEBHOOK_PORTS,
})

/** The senders of webhooks and of chat messages. */
export const createSenders = (config: Config, clock: Clock) => ({
  webhooks: createWebhookSender({ clock, reach: webhookReachOf(config) }),
  // Guessed addresses lead nowhere for the members of a chat.
  chats: createChatSender({ publicUrl: config.PUBLIC_URL ?? null, toLevel: toRiskLevel }),
})
