// Writes what alerts found into a chat: one message for all alerts of the chat that are due.
import { pageUrl } from '../base/page-url.ts'
import type { ChatChannel } from '../fields/channels.ts'
import { CHATS } from '../fields/chat/chats.ts'
import type { ChatFormat, ChatNote } from '../fields/chat/note.ts'
import type { OutgoingMessage } from '../ledger/alerts/outbox.ts'
import { createPost, isFault, type PostAnswer, type PostOptions } from './post.ts'
import { describeToken, type ToLevel, tellCount, tellTest, toPlainName } from './token-lines.ts'

/** A longer pause counts as a day: by then the message is given up. */
const LONGEST_PAUSE_SECONDS = 86_400
/** The most tokens that a message lists. */
const LISTED = 10

/** The outcome of a call. Refused: the chat is gone for good. */
export type ChatResult =
  | { status: 'sent'; response: string }
  | { status: 'failed'; response: string; isPermanent: boolean; pauseMs: number }
  | { status: 'refused'; response: string }

export interface ChatSender {
  /** `messages`: of alerts with this URL. */
  send(channel: ChatChannel, url: string, messages: readonly OutgoingMessage[]): Promise<ChatResult>
}

export interface ChatSenderOptions extends PostOptions {
  /** For links; null: there is no public address, and no links. */
  publicUrl: string | null
  toLevel: ToLevel
  /** Servers to call in the place of the services. */
  origins?: Partial<Record<ChatChannel, string>>
}

/** Creates the sender. */
export function createChatSender({ publicUrl, toLevel, origins = {}, ...options }: ChatSenderOptions): ChatSender {
  const post = createPost(options)
  return {
    send: async (channel, url, messages) => {
      const format = CHATS[channel]
      const target = format.parse(url)
      if (!target) return fail(channel, 'address: it is no URL of this service', true)
      const body = JSON.stringify(format.write(toNote(messages, publicUrl, toLevel), target))
      const headers = { 'content-type': 'application/json; charset=utf-8', 'user-agent': 'Assay-Alerts' }
      const answer = await post(`${origins[channel] ?? format.origin}${target.path}`, { headers, body })
      return 'status' in answer ? judge(channel, format, answer) : fail(channel, answer.fault, answer.isPermanent)
    },
  }
}

const fail = (channel: ChatChannel, fault: string, isPermanent: boolean, pauseMs = 0): ChatResult => ({
  status: 'failed',
  response: `${channel} ${fault}`,
  isPermanent,
  pauseMs,
})

/** NaN for anything but a number or its text: an object of a stranger may refuse to become one. */
const toSeconds = (pause: unknown): number =>
  typeof pause === 'number' || typeof pause === 'string' ? Number(pause) : Number.NaN

/** The stored response has words of ours only. */
function judge(channel: ChatChannel, format: ChatFormat, answer: PostAnswer): ChatResult {
  const { status } = answer
  if (status >= 200 && status < 300) return { status: 'sent', response: `${channel} ${status}` }
  const end = format.findEnd(answer)
  if (end !== null) return { status: 'refused', response: `${channel} ${status} ${end}` }
  const seconds = status === 429 ? toSeconds(format.findPause(answer)) : 0
  return fail(
    channel,
    String(status),
    isFault(status),
    seconds > 0 ? Math.ceil(Math.min(seconds, LONGEST_PAUSE_SECONDS) * 1_000) : 0,
  )
}

/** What the messages say, the first tokens in full. */
function toNote(messages: readonly OutgoingMessage[], publicUrl: string | null, toLevel: ToLevel): ChatNote {
  const total = messages.reduce((sum, message) => sum + message.total + message.exits.length, 0)
  const count = tellCount(messages)
  const [first] = messages
  const list = publicUrl === null ? null : pageUrl(publicUrl, '/alerts')
  if (first?.isTest) return { title: tellTest(toPlainName(first.alertName)), tokens: [], total: 0, list }
  const isOne = messages.length === 1 && first !== undefined
  const tokens = messages
    .flatMap(({ alertName, tokens, exits }) => [...exits, ...tokens].map((token) => ({ alertName, token })))
    .slice(0, LISTED)
    .map(({ alertName, token }) => {
      const { title, rows } = describeToken(token, toLevel)
      const page = publicUrl === null ? null : pageUrl(publicUrl, `/token/${token.address}`)
      return { title, page, rows: isOne ? rows : [['Alert', toPlainName(alertName)] as const, ...rows] }
    })
  return {
    title: isOne ? `Alert "${toPlainName(first.alertName)}": ${count}` : `${messages.length} alerts: ${count}`,
    tokens,
    total,
    list,
  }
}
