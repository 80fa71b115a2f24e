// The chat services that an alert can write to, and their URLs, which are secrets.
import { DISCORD } from './discord.ts'
import type { ChatFormat } from './note.ts'
import { SLACK } from './slack.ts'
import { TELEGRAM } from './telegram.ts'

export const CHATS = { slack: SLACK, discord: DISCORD, telegram: TELEGRAM } as const satisfies Record<
  string,
  ChatFormat
>
export type ChatChannel = keyof typeof CHATS

/** Null, or the fault of a chat's URL as a text that follows the field's name. */
export const checkChatUrl = (channel: ChatChannel, url: string): string | null =>
  CHATS[channel].parse(url) === null ? CHATS[channel].rule : null

/** The one form of a valid URL under which the chat is stored: its pace is that of all alerts that write to it. */
export function toChatUrl(channel: ChatChannel, url: string): string {
  const { origin, parse } = CHATS[channel]
  const target = parse(url)
  return target ? `${origin}${target.path}${target.chat ? `?chat_id=${target.chat}` : ''}` : url
}

/** The URL as its owner sees it again: the host, the last four characters of the secret, and the chat. */
export function maskChatUrl(channel: ChatChannel, url: string): string {
  const { origin, parse } = CHATS[channel]
  const target = parse(url)
  return `${origin}/…${target?.secret.slice(-4) ?? ''}${target?.chat ? `?chat_id=${target.chat}` : ''}`
}
