// How messages of alerts reach the owner of an alert. A chat service is a row of `chat/chats.ts`.
import { keysOf, recordOf } from '../base/keys-of.ts'
import { CHATS, type ChatChannel } from './chat/chats.ts'

export type { ChatChannel }
export const CHAT_CHANNELS = keysOf(CHATS)
export const isChat = (channel: string): channel is ChatChannel => Object.hasOwn(CHATS, channel)

/** The channels whose alerts have a URL. */
export const URL_CHANNELS = ['webhook', ...CHAT_CHANNELS] as const
export const NOTIFICATION_CHANNELS = ['email', ...URL_CHANNELS] as const
export type NotificationChannel = (typeof NOTIFICATION_CHANNELS)[number]

/** A value for each channel: those of mails and webhooks, and one by the row of each chat. */
export const byChannel = <Value>(
  own: Record<'email' | 'webhook', Value>,
  ofChat: (chat: (typeof CHATS)[ChatChannel]) => Value,
): Record<NotificationChannel, Value> => ({
  ...own,
  ...recordOf(CHAT_CHANNELS, (channel) => ofChat(CHATS[channel])),
})
