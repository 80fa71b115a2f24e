// Slack's incoming webhooks: rich text of Block Kit, whose texts are shown as they are. Nothing in them becomes a mention,
// a link or a format. https://api.slack.com/messaging/webhooks
import { type ChatAnswer, type ChatFormat, type ChatToken, countFitting, tellMore } from './note.ts'

/** Characters of the tokens of a message. */
const ROOM = 3_500
const URL_SHAPE = /^https:\/\/hooks\.slack\.com(\/services\/[A-Z0-9]{3,20}\/[A-Z0-9]{3,20}\/([A-Za-z0-9]{16,64}))$/

/** What Slack answers when a webhook, its channel or its workspace is gone, or may not be written to. */
const ENDS = new Set([
  ...['no_service', 'no_team', 'no_active_hooks', 'invalid_token', 'token_revoked', 'team_disabled'],
  ...['channel_not_found', 'channel_is_archived', 'user_not_found', 'action_prohibited'],
  'posting_to_general_channel_denied',
])

/** Only the fallback of notifications is parsed. */
const toLiteral = (text: string): string =>
  text.replace(/[&<>]/g, (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[character] ?? '')

const BOLD = { style: { bold: true } }
const section = (...elements: object[]) => ({ type: 'rich_text_section', elements })
const text = (shown: string) => ({ type: 'text', text: shown })
const link = (url: string, shown: string) => ({ type: 'link', url, text: shown })

const rowsOf = ({ rows }: ChatToken): string => rows.map(([label, value]) => `\n${label}: ${value}`).join('')

const toSection = (token: ChatToken) =>
  section(
    text('\n'),
    { ...(token.page === null ? text(token.title) : link(token.page, token.title)), ...BOLD },
    text(`${rowsOf(token)}\n`),
  )

const findEnd = ({ status, body }: ChatAnswer): string | null => {
  const said = body.trim()
  if (ENDS.has(said)) return said
  return status === 404 || status === 410 ? 'gone' : null
}

export const SLACK: ChatFormat = {
  name: 'Slack',
  text: 'As a message of a Slack incoming webhook.',
  lock: 731_003,
  origin: 'https://hooks.slack.com',
  inputs: [{ label: 'Webhook URL of Slack', isSecret: true }],
  toUrl: ([url = '']) => url,
  rule: 'must be an incoming webhook of Slack: https://hooks.slack.com/services/T.../B.../...',
  where: 'an app of Slack with incoming webhooks',
  parse: (url) => {
    const [, path, secret] = URL_SHAPE.exec(url) ?? []
    return path === undefined || secret === undefined ? null : { path, secret, chat: null }
  },
  write: (note) => {
    const texts = note.tokens.map((token) => `${token.title}${token.page ?? ''}${rowsOf(token)}`)
    const listed = countFitting(texts, ROOM, 2)
    const more = tellMore(note, listed)
    const end = note.list === null ? text(more) : link(note.list, more)
    const elements = [
      section({ ...text(note.title), ...BOLD }),
      ...note.tokens.slice(0, listed).map(toSection),
      ...(more === '' ? [] : [section(text('\n'), end)]),
    ]
    return {
      text: toLiteral(note.title),
      mrkdwn: false,
      unfurl_links: false,
      unfurl_media: false,
      blocks: [{ type: 'rich_text', elements }],
    }
  },
  ends: [...ENDS, 'gone'],
  findEnd,
  findPause: ({ headers }) => headers['retry-after'],
}
