// Sends a message to a webhook, signed by Standard Webhooks. The receiver is a stranger's server. Its name is resolved
// once and checked, redirects are not followed, and its answer is bounded in time and size.
import type { LookupAddress } from 'node:dns'
import { type ClientRequest, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { Webhook } from 'standardwebhooks'
import type { Clock } from '../base/clock.ts'
import type { OutgoingMessage, OutgoingWebhook } from '../ledger/alerts/outbox.ts'
import { createResolve, pickAddress, type Resolve } from './public-address.ts'
import { checkWebhookUrl, type WebhookReach } from './webhook-url.ts'

/** How long a whole call may take, from the look-up to the end of the answer. */
const WITHIN_MS = 15_000
/** Bytes of the answer that are read; its content is not needed. */
const MAX_ANSWER_BYTES = 64 * 1024

/** The outcome of a call. Refused: the receiver is gone for good. */
export type WebhookResult =
  | { status: 'sent'; response: string }
  | { status: 'failed'; response: string; isPermanent: boolean }
  | { status: 'refused'; response: string }

export interface WebhookSender {
  send(message: OutgoingMessage, webhook: OutgoingWebhook): Promise<WebhookResult>
}

export interface WebhookSenderOptions {
  clock: Clock
  reach?: WebhookReach
  resolve?: Resolve
  withinMs?: number
}

/** Statuses below 500 that may pass: the request came too slowly, too early or too often. */
const PASSING = new Set([408, 425, 429])

/** Creates the sender. */
export function createWebhookSender({
  clock,
  reach = {},
  resolve = createResolve(),
  withinMs = WITHIN_MS,
}: WebhookSenderOptions): WebhookSender {
  const tryOnce = async (message: OutgoingMessage, { url: to, secrets }: OutgoingWebhook, ending: AbortSignal) => {
    const url = new URL(to)
    const address = await pickAddress(url.hostname, resolve, reach.allowsLoopback ?? false, ending)
    if (!address) return NOT_PUBLIC
    const body = JSON.stringify(toPayload(message))
    const headers = { ...sign(message.id, clock.now(), body, secrets), 'content-length': Buffer.byteLength(body) }
    return judge(await call(url, address, headers, body, ending))
  }
  return {
    send: async (message, webhook) => {
      const fault = checkWebhookUrl(webhook.url, reach)
      if (fault) return { status: 'failed', response: `webhook address: it ${fault}`, isPermanent: true }
      const ending = AbortSignal.timeout(withinMs)
      try {
        return await within(tryOnce(message, webhook, ending), ending)
      } catch (error) {
        const { code, name } = error as { code?: unknown; name: string }
        // The code of a DOMException is a number, which looks like a status.
        const reason = typeof code === 'string' ? code : name
        return { status: 'failed', response: `webhook unreached: ${reason}`, isPermanent: false }
      }
    },
  }
}

const NOT_PUBLIC: WebhookResult = {
  status: 'failed',
  response: 'webhook address: it is not public',
  isPermanent: true,
}

/** The headers of Standard Webhooks, with a signature of each secret. */
function sign(id: string, at: Date, body: string, secrets: readonly string[]): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': 'Assay-Webhooks',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, body)).join(' '),
  }
}

function judge(status: number): WebhookResult {
  const response = `webhook ${status}`
  if (status >= 200 && status < 300) return { status: 'sent', response }
  if (status === 410) return { status: 'refused', response }
  return { status: 'failed', response, isPermanent: status < 500 && !PASSING.has(status) }
}

/** Posts to the checked address, whatever the name resolves to by now. Resolves with the HTTP status. */
function call(
  url: URL,
  { address, family }: LookupAddress,
  headers: Record<string, string | number>,
  body: string,
  signal: AbortSignal,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const lookup = (_host: string, options: { all?: boolean }, done: (...found: unknown[]) => void) =>
      options.all ? done(null, [{ address, family }]) : done(null, address, family)
    const options = { method: 'POST', headers, agent: false as const, lookup: lookup as never, signal }
    const sent: ClientRequest = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, options)
    sent.on('response', (response) => {
      sent.off('close', closed)
      let bytes = 0
      const end = () => resolve(response.statusCode ?? 0)
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes > MAX_ANSWER_BYTES) sent.destroy()
      })
      response.on('error', end)
      response.on('close', end)
    })
    sent.on('upgrade', ({ statusCode }, socket) => {
      socket.destroy()
      resolve(statusCode ?? 0)
    })
    sent.on('error', reject)
    // A request may close without a response or an error.
    const closed = () => reject(Object.assign(new Error('closed without an answer'), { code: 'NO_ANSWER' }))
    sent.on('close', closed)
    sent.end(body)
  })
}

/** Settles when the signal ends at the latest, whatever the work still waits for. */
function within<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return Promise.race([
    work,
    new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true })),
  ])
}

/** The payload: events, or the alert and the tokens that began to match. */
const toPayload = (message: OutgoingMessage) =>
  message.events ? toEvents(message, message.events) : toMatches(message)

const toEvents = ({ id, alertId, alertName, createdAt, dropped }: OutgoingMessage, events: readonly object[]) => ({
  type: 'events',
  timestamp: createdAt.toISOString(),
  data: { delivery_id: id, webhook: { id: alertId, name: alertName }, dropped, events },
})

const toMatches = ({ id, alertId, alertName, createdAt, tokens, total }: OutgoingMessage) => ({
  type: 'alert.matched',
  timestamp: createdAt.toISOString(),
  data: {
    delivery_id: id,
    alert: { id: alertId, name: alertName },
    total,
    tokens: tokens.map(({ address, name, symbol, initial, matchedAt, facts }) => ({
      address,
      name,
      symbol,
      matched_at: matchedAt.toISOString(),
      initial,
      began: facts.began,
      risk_score: facts.riskScore,
      risk_flags: facts.riskFlags,
      liquidity_usd: facts.liquidityUsd,
      market_cap_usd: facts.marketCapUsd,
      holder_growth_1h_pct: facts.holderGrowth1hPct,
      age_hours: facts.ageHours,
      sellable: facts.sellable,
      sell_tax_pct: facts.sellTaxPct,
      powers: facts.powers,
    })),
  },
})
