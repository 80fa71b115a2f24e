// Writes a mail, as text and HTML, from the alert and its tokens. HTML is escaped, and nothing that a stranger wrote
// becomes a link.
import { pageUrl } from '../base/page-url.ts'
import type { OutgoingMessage } from '../ledger/alerts/outbox.ts'
import { describeToken, type TokenLines, type ToLevel, tellCount, tellTest, toPlainName } from './token-lines.ts'

export interface Letter {
  subject: string
  text: string
  html: string
}

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/** Writes the mail of a message; `unsubscribe` is the link that pauses the alert. */
export function writeLetter(
  message: OutgoingMessage,
  links: { publicUrl: string; unsubscribe: string },
  toLevel: ToLevel,
): Letter {
  const alertName = toPlainName(message.alertName)
  const more = message.total - message.tokens.length
  const count = tellCount([message])
  const lines = [...message.exits, ...message.tokens].map((token) => ({
    ...describeToken(token, toLevel),
    page: pageUrl(links.publicUrl, `/token/${token.address}`),
  }))
  const moreLine = more > 0 ? `and ${more} more` : ''
  const intro = message.isTest ? tellTest(alertName) : `Your alert "${alertName}": ${count}.`
  return {
    subject: message.isTest ? `${alertName}: a test` : `${alertName}: ${count}`,
    text: [
      intro,
      ...lines.map((line) =>
        [line.title, ...line.rows.map(([label, value]) => `  ${label}: ${value}`), `  ${line.page}`].join('\n'),
      ),
      moreLine,
      `Served by ${links.publicUrl}`,
      `Pause this alert: ${links.unsubscribe}`,
    ]
      .filter((part) => part !== '')
      .join('\n\n'),
    html: renderHtml({ alertName, intro, lines, more: moreLine, links }),
  }
}

const PAGE =
  'margin:0 auto;max-width:600px;padding:16px;font:16px/1.5 system-ui,-apple-system,Segoe UI,sans-serif;color:#1a1a1a'
const CARD = 'margin:0 0 16px;padding:12px;border:1px solid #d0d0d0;border-radius:8px'
const LABEL =
  'padding:2px 12px 2px 0;color:#555;text-align:left;vertical-align:top;font-weight:normal;white-space:nowrap'
const VALUE = 'padding:2px 0;word-break:break-word;overflow-wrap:anywhere'

interface MailedToken extends TokenLines {
  /** The URL of its page. */
  page: string
}

interface MailParts {
  alertName: string
  intro: string
  lines: readonly MailedToken[]
  more: string
  links: { publicUrl: string; unsubscribe: string }
}

function renderHtml({ alertName, intro, lines, more, links }: MailParts): string {
  const cards = lines.map(
    (line) =>
      `<div style="${CARD}"><p style="margin:0 0 8px;font-weight:bold"><a href="${escapeHtml(line.page)}">${escapeHtml(line.title)}</a></p><table role="presentation" style="border-collapse:collapse">${line.rows
        .map(
          ([label, value]) =>
            `<tr><th scope="row" style="${LABEL}">${label}</th><td style="${VALUE}">${escapeHtml(value)}</td></tr>`,
        )
        .join('')}</table></div>`,
  )
  const publicUrl = escapeHtml(links.publicUrl)
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(alertName)}</title></head><body style="${PAGE}"><p>${escapeHtml(intro)}</p>${cards.join('')}${more ? `<p>${more}</p>` : ''}<p style="font-size:14px;color:#555">Served by <a href="${publicUrl}">${publicUrl}</a>. <a href="${escapeHtml(links.unsubscribe)}">Pause this alert</a>.</p></body></html>`
}
