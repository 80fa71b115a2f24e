// Telegram's bots: HTML. The title of a token is a link or fixed-width, so that nothing in it becomes a link of its own.
// https://core.telegram.org/bots/api#sendmessage
import { type ChatAnswer, type ChatFormat, type ChatToken, countFitting, readObject, tellMore } from './note.ts'

/** Characters of the tokens: Telegram refuses more than 4,096 in all. */
const ROOM = 3_700
const URL_SHAPE =
  /^https:\/\/api\.telegram\.org(\/bot[1-9]\d{4,15}:([\w-]{30,64})\/sendMessage)\?chat_id=(-?[1-9]\d{0,19}|@\w{4,64})$/

/** By the status and words of the answer. */
const ENDS: readonly (readonly [status: number, said: RegExp, reason: string])[] = [
  [401, /./, 'unauthorized'],
  [404, /./, 'unknown_bot'],
  [403, /blocked|kicked|deactivated|not a member|initiate/i, 'bot_blocked'],
  [400, /chat not found/i, 'chat_not_found'],
  [400, /upgraded to a supergroup/i, 'chat_moved'],
  [400, /not enough rights|no rights|CHAT_WRITE_FORBIDDEN/i, 'no_rights'],
]

const toLiteral = (text: string): string => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)

function toHtml({ title, page, rows }: ChatToken): string {
  const shown = page ? `<a href="${toLiteral(page)}">${toLiteral(title)}</a>` : `<code>${toLiteral(title)}</code>`
  return [`<b>${shown}</b>`, ...rows.map(([label, value]) => `${label}: ${toLiteral(value)}`)].join('\n')
}

const findEnd = ({ status, body }: ChatAnswer): string | null => {
  const { description } = readObject(body)
  // A value of another type has no words, and may not even become a text.
  const said = typeof description === 'string' && description !== '' ? description : '?'
  return ENDS.find(([of, words]) => of === status && words.test(said))?.[2] ?? null
}

export const TELEGRAM: ChatFormat = {
  name: 'Telegram',
  text: 'As a message of a Telegram bot.',
  lock: 731_005,
  origin: 'https://api.telegram.org',
  inputs: [
    { label: 'Token of the bot', isSecret: true },
    { label: 'Number of the chat', isSecret: false },
  ],
  toUrl: ([token = '', chat = '']) => `https://api.telegram.org/bot${token}/sendMessage?chat_id=${chat}`,
  rule: 'must be the call of a Telegram bot: https://api.telegram.org/botTOKEN/sendMessage?chat_id=CHAT',
  where: 'TOKEN from `@BotFather`; CHAT is the number of a chat with the bot, or `@name` of a channel',
  parse: (url) => {
    const [, path, secret, chat] = URL_SHAPE.exec(url) ?? []
    return path === undefined || secret === undefined || chat === undefined
      ? null
      : { path, secret, chat: chat.toLowerCase() }
  },
  write: (note, { chat }) => {
    const texts = note.tokens.map(toHtml)
    const listed = countFitting(texts, ROOM, 2)
    const more = tellMore(note, listed)
    const end = note.list ? `<a href="${toLiteral(note.list)}">${more}</a>` : more
    return {
      chat_id: chat,
      text: [`<b>${toLiteral(note.title)}</b>`, ...texts.slice(0, listed), ...(more ? [end] : [])].join('\n\n'),
      parse_mode: 'HTML',
      link_preview_options: { is_disabled: true },
    }
  },
  ends: ENDS.map(([, , reason]) => reason),
  findEnd,
  findPause: ({ body }) => {
    const { parameters } = readObject(body)
    return typeof parameters === 'object' && parameters !== null && 'retry_after' in parameters
      ? parameters.retry_after
      : undefined
  },
}
