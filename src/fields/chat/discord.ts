// Discord's webhooks: an embed for each token. Markdown in texts is escaped, and no mention notifies anybody.
// https://discord.com/developers/docs/resources/webhook#execute-webhook
import { type ChatFormat, type ChatToken, countFitting, readObject, tellMore } from './note.ts'

/** Characters of all embeds: Discord refuses more than 6,000. */
const ROOM = 5_500
const MOST_EMBEDS = 10
const URL_SHAPE =
  /^https:\/\/(?:(?:ptb|canary)\.)?discord\.com\/api\/(?:v\d{1,2}\/)?(webhooks\/[1-9]\d{14,21}\/([\w-]{40,100}))$/

/** Unknown webhook, invalid token of a webhook, unknown channel. */
const ENDS: ReadonlyMap<unknown, string> = new Map([
  [10015, 'unknown_webhook'],
  [50027, 'invalid_webhook_token'],
  [10003, 'unknown_channel'],
])

/** A backslash before every mark that may begin a format, a link or a mention. */
const toLiteral = (text: string): string => text.replace(/[\\*_~`|<>[\]()#@]/g, '\\$&')

const titleOf = ({ title }: ChatToken): string => toLiteral(title)
const textOf = ({ page, rows }: ChatToken): string =>
  [
    ...rows.map(([label, value]) => `**${label}** ${toLiteral(value)}`),
    ...(page ? [`[Page of the token](${page})`] : []),
  ].join('\n')

export const DISCORD: ChatFormat = {
  name: 'Discord',
  text: 'As a message of a Discord webhook.',
  lock: 731_004,
  origin: 'https://discord.com',
  inputs: [{ label: 'Webhook URL of Discord', isSecret: true }],
  toUrl: ([url = '']) => url,
  rule: 'must be a webhook of Discord: https://discord.com/api/webhooks/ID/TOKEN',
  where: 'Edit channel, Integrations, Webhooks',
  parse: (url) => {
    const [, path, secret] = URL_SHAPE.exec(url) ?? []
    return path === undefined || secret === undefined ? null : { path: `/api/${path}`, secret, chat: null }
  },
  write: (note) => {
    const tokens = note.tokens.slice(0, MOST_EMBEDS)
    const listed = countFitting(
      tokens.map((token) => titleOf(token) + textOf(token)),
      ROOM,
      0,
    )
    const more = tellMore(note, listed)
    return {
      content: [toLiteral(note.title), ...(more ? [note.list ? `[${more}](<${note.list}>)` : more] : [])].join('\n'),
      embeds: tokens.slice(0, listed).map((token) => ({ title: titleOf(token), description: textOf(token) })),
      allowed_mentions: { parse: [] },
    }
  },
  ends: [...ENDS.values(), 'gone'],
  findEnd: ({ status, body }) => {
    const end = ENDS.get(readObject(body).code)
    return end ?? (status === 404 || status === 410 ? 'gone' : null)
  },
  findPause: ({ headers, body }) => readObject(body).retry_after ?? headers['retry-after'],
}
