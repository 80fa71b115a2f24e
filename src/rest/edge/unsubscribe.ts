// The page behind the unsubscribe link of an alert mail; it needs no key. GET shows a button and changes nothing,
// because mail programs and scanners follow links. POST pauses the alert; the button and RFC 8058's one-click both send
// it.
import { isSigned } from '../../alerts/unsubscribe.ts'
import type { Database } from '../../database/client.ts'
import { pauseAlertById } from '../../ledger/account/pause.ts'

export interface HtmlPage {
  status: number
  html: string
}

/** The headers of each page: it loads nothing, cannot be framed or cached, and sends no referrer. */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
} as const

const render = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title></head><body style="margin:0 auto;max-width:32rem;padding:2rem 1rem;font:1.1rem/1.5 system-ui,sans-serif;color:#1a1a1a;background:#fff"><h1 style="font-size:1.4rem">${title}</h1>${body}</body></html>`

const INVALID: HtmlPage = {
  status: 400,
  html: render(
    'This link is not valid',
    '<p>It may have been cut by a mail program. The newest mail of the alert has the whole link; the API can pause the alert too.</p>',
  ),
}

/** Answers the link; `query` is the part of the URL after `?`. */
export function createUnsubscribe({ database, secret }: { database: Database; secret: Uint8Array }) {
  return async (method: 'GET' | 'POST', query: URLSearchParams): Promise<HtmlPage> => {
    const alertId = query.get('alert') ?? ''
    if (!isSigned(secret, alertId, query.get('signature') ?? '')) return INVALID
    if (method === 'GET') {
      return {
        status: 200,
        html: render(
          'Pause this alert?',
          '<form method="post"><p>No more mails will come from it until you set it active again through the API.</p><button style="font:inherit;padding:.5rem 1rem">Pause the alert</button></form>',
        ),
      }
    }
    await pauseAlertById(database, alertId)
    return {
      status: 200,
      html: render(
        'The alert is paused',
        '<p>No more mails will come from it. Set its status to <code>active</code> through the API to get them again.</p>',
      ),
    }
  }
}
