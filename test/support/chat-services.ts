// The chat services on this machine: one server that checks a message as each of them does, keeps it, and
// answers in their words. Their documentation is the source of the limits and of the answers.
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect } from 'vitest'
import { CHAT_CHANNELS, type ChatChannel } from '../../src/fields/channels.ts'

export interface ReceivedNote {
  channel: ChatChannel
  path: string
  body: Record<string, never>
}

interface Reply {
  status: number
  headers?: Record<string, string>
  body?: string | object
}

/** What Slack refuses: an unknown block or element, and an empty text. */
function checkSlack(body: Record<string, unknown>): Reply | null {
  const refused = { status: 400, body: 'invalid_blocks' }
  if (typeof body.text !== 'string' || !Array.isArray(body.blocks)) return { status: 400, body: 'invalid_payload' }
  if (body.blocks.length > 50) return refused
  for (const block of body.blocks) {
    if (block.type !== 'rich_text') return refused
    for (const { type, elements } of block.elements) {
      if (type !== 'rich_text_section') return refused
      for (const element of elements) {
        const isLink = element.type === 'link' && URL.canParse(element.url)
        if (!isLink && element.type !== 'text') return refused
        if (typeof element.text !== 'string' || element.text.length === 0) return refused
      }
    }
  }
  return null
}

/** The bounds of Discord's form. */
function checkDiscord(body: Record<string, unknown>): Reply | null {
  const embeds = body.embeds as { title: string; description: string }[]
  const isRight =
    String(body.content).length <= 2_000 &&
    embeds.length <= 10 &&
    embeds.every(({ title, description }) => title.length <= 256 && description.length <= 4_096) &&
    embeds.reduce((sum, { title, description }) => sum + title.length + description.length, 0) <= 6_000
  return isRight ? null : { status: 400, body: { message: 'Invalid Form Body', code: 50035, errors: {} } }
}

/** Telegram's HTML: known tags that are closed in order, and 1 to 4,096 characters beside them. */
function checkTelegram(body: Record<string, unknown>): Reply | null {
  const refuse = (why: string): Reply => telegramFault(400, `Bad Request: ${why}`)
  const text = String(body.text)
  const open: string[] = []
  for (const [, slash, tag = ''] of text.matchAll(/<(\/?)([^\s>]*)[^>]*>/g)) {
    if (!['a', 'b', 'code'].includes(tag)) return refuse(`can't parse entities: unsupported start tag "${tag}"`)
    if (!slash) open.push(tag)
    else if (open.pop() !== tag) return refuse(`can't parse entities: unmatched end tag "${tag}"`)
  }
  if (open.length > 0) return refuse("can't parse entities: can't find end tag")
  const shown = text.replace(/<[^>]*>/g, '').replace(/&#\d+;/g, '_')
  if (shown.length > 4_096) return refuse('message is too long')
  return body.parse_mode === 'HTML' && typeof body.chat_id === 'string' ? null : refuse('chat_id is empty')
}

interface ChatService {
  /** A valid URL. */
  url: string
  /** How its paths begin. */
  begins: string
  /** Its answer to what it took. */
  taken: Reply
  /** Null: it takes the body. */
  check(body: Record<string, unknown>): Reply | null
  /** Fails if a mark of a hostile name could be a format, a mention or a link in the body. */
  expectLiteral(body: Record<string, unknown>): void
  /** Its answer to who writes too often, for ten minutes. */
  busy: Reply
  /** Its answers when no message will ever arrive, by each word of the service's `ends`. */
  ends: Readonly<Record<string, readonly Reply[]>>
}

/** What Telegram answers in place of a result. */
const telegramFault = (status: number, description: string, more = {}): Reply => ({
  status,
  body: { ok: false, error_code: status, description, ...more },
})

/** What Slack answers: a word. */
const slackEnds = (status: number, ...words: readonly string[]) =>
  Object.fromEntries(words.map((body) => [body, [{ status, body }]]))

/** What Discord answers to a request that it refuses. */
const discordEnd = (status: number, code: number, message: string): readonly Reply[] => [
  { status, body: { message, code } },
]

export const SERVICES: Record<ChatChannel, ChatService> = {
  slack: {
    url: 'https://hooks.slack.com/services/T00000001/B00000001/slackSecretSlackSecret01',
    begins: '/services/',
    taken: { status: 200, body: 'ok' },
    check: checkSlack,
    expectLiteral: ({ text, mrkdwn, unfurl_links }) => {
      expect({ mrkdwn, unfurl_links }).toEqual({ mrkdwn: false, unfurl_links: false })
      expect(text).not.toMatch(/<!|<@|<b/)
    },
    busy: { status: 429, headers: { 'retry-after': '600' }, body: 'rate_limited' },
    ends: {
      ...slackEnds(404, 'no_service', 'no_team', 'channel_not_found', 'user_not_found'),
      ...slackEnds(410, 'channel_is_archived'),
      ...slackEnds(403, 'invalid_token', 'token_revoked', 'team_disabled', 'no_active_hooks', 'action_prohibited'),
      ...slackEnds(403, 'posting_to_general_channel_denied'),
      gone: [{ status: 404, body: '<b>words of a stranger</b>' }],
    },
  },
  discord: {
    url: `https://discord.com/api/webhooks/123456789012345678/${'discordSecret-'.repeat(5)}dc01`,
    begins: '/api/webhooks/',
    taken: { status: 204 },
    check: checkDiscord,
    expectLiteral: ({ content, embeds, allowed_mentions }) => {
      expect(allowed_mentions).toEqual({ parse: [] })
      const [embed] = embeds as { title: string }[]
      // Every mark has a backslash before it.
      for (const part of [String(content).split('\n')[0] ?? '', embed?.title ?? ''])
        expect(part.replace(/\\[\\*_~`|<>[\]()#@]/g, '')).not.toMatch(/[\\*_~`|<>[\]()#@]/)
    },
    busy: {
      status: 429,
      headers: { 'retry-after': '1' },
      body: { message: 'You are being rate limited.', retry_after: 599.5, global: false },
    },
    ends: {
      unknown_webhook: discordEnd(404, 10015, 'Unknown Webhook'),
      invalid_webhook_token: discordEnd(401, 50027, 'Invalid Webhook Token'),
      unknown_channel: discordEnd(404, 10003, 'Unknown Channel'),
      gone: discordEnd(410, 0, 'Gone'),
    },
  },
  telegram: {
    url: 'https://api.telegram.org/bot123456789:telegramSecret_telegramSecret_tg01/sendMessage?chat_id=-1001234567890',
    begins: '/bot',
    taken: { status: 200, body: { ok: true, result: { message_id: 7 } } },
    check: checkTelegram,
    expectLiteral: ({ text }) => expect(String(text).match(/<(?!\/?(b|a|code)\b)/g)).toBeNull(),
    busy: telegramFault(429, 'Too Many Requests: retry after 600', { parameters: { retry_after: 600 } }),
    ends: {
      bot_blocked: [
        telegramFault(403, 'Forbidden: bot was blocked by the user'),
        telegramFault(403, 'Forbidden: bot was kicked from the supergroup chat'),
      ],
      chat_not_found: [telegramFault(400, 'Bad Request: chat not found')],
      chat_moved: [telegramFault(400, 'Bad Request: group chat was upgraded to a supergroup chat')],
      unauthorized: [telegramFault(401, 'Unauthorized')],
      unknown_bot: [telegramFault(404, 'Not Found')],
      no_rights: [telegramFault(400, 'Bad Request: not enough rights to send text messages to the chat')],
    },
  },
}

const ofEach = <Value>(value: (channel: ChatChannel) => Value) =>
  Object.fromEntries(CHAT_CHANNELS.map((channel) => [channel, value(channel)])) as Record<ChatChannel, Value>

/** A valid URL of each service. */
export const CHAT_URLS = ofEach((channel) => SERVICES[channel].url)

interface State {
  received: ReceivedNote[]
  headers: IncomingHttpHeaders[]
  /** Takes the place of the answers. */
  reply: Reply | null
  /** Calls of matching paths get no answer; `waiting` has their paths. */
  silent: RegExp | null
  waiting: string[]
}

/** Call it at the top of a test file. */
export async function startChatServices() {
  const received: ReceivedNote[] = []
  const state: State = { received, headers: [], reply: null, silent: null, waiting: [] }
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
    })
    request.on('end', () => {
      const path = request.url ?? ''
      const channel = CHAT_CHANNELS.find((each) => path.startsWith(SERVICES[each].begins)) ?? expect.unreachable(path)
      const { check, taken } = SERVICES[channel]
      const body = JSON.parse(text)
      state.headers.push(request.headers)
      if (state.silent?.test(path)) return void state.waiting.push(path)
      const { status, headers, body: said } = state.reply ?? check(body) ?? taken
      if (status < 300) received.push({ channel, path, body })
      response.writeHead(status, headers).end(typeof said === 'object' ? JSON.stringify(said) : said)
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return Object.assign(state, {
    origin,
    origins: ofEach(() => origin),
    reset: () => {
      received.length = 0
      state.headers.length = 0
      state.reply = null
      state.silent = null
      state.waiting.length = 0
    },
  })
}
