// Sends a message to a webhook, signed by Standard Webhooks.
import { Webhook } from 'standardwebhooks'
import type { Clock } from '../base/clock.ts'
import { toSnake } from '../fields/field.ts'
import { ALERT_NUMBERS } from '../fields/token.ts'
import type { OutgoingMessage, OutgoingWebhook } from '../ledger/alerts/outbox.ts'
import { pickMain } from '../verdict/settle.ts'
import { createPost, isFault, type PostOptions } from './post.ts'

/** The outcome of a call. Refused: the receiver is gone for good. */
export type WebhookResult =
  | { status: 'sent'; response: string }
  | { status: 'failed'; response: string; isPermanent: boolean }
  | { status: 'refused'; response: string }

export interface WebhookSender {
  send(message: OutgoingMessage, webhook: OutgoingWebhook): Promise<WebhookResult>
}

/** Creates the sender. */
export function createWebhookSender({ clock, ...options }: PostOptions & { clock: Clock }): WebhookSender {
  const post = createPost(options)
  return {
    send: async (message, { url, secrets }) => {
      const body = JSON.stringify(toPayload(message))
      const answer = await post(url, { headers: sign(message.id, clock.now(), body, secrets), body })
      if ('status' in answer) return judge(answer.status)
      return { status: 'failed', response: `webhook ${answer.fault}`, isPermanent: answer.isPermanent }
    },
  }
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
  return { status: 'failed', response, isPermanent: isFault(status) }
}

/** The payload: events, or the alert and the tokens that began to match. */
const toPayload = (message: OutgoingMessage) =>
  message.events ? toEvents(message, message.events) : toMatches(message)

const toEvents = ({ id, alertId, alertName, createdAt, dropped }: OutgoingMessage, events: readonly object[]) => ({
  type: 'events',
  timestamp: createdAt.toISOString(),
  data: { delivery_id: id, webhook: { id: alertId, name: alertName }, dropped, events },
})

const toExit = ({ address, symbol, facts: { exit, sellable }, headline }: OutgoingMessage['exits'][number]) => ({
  token_address: address,
  token_symbol: symbol,
  wallet_address: exit.wallet,
  kind: exit.kind,
  share_pct: exit.sharePct,
  quantity: exit.quantity,
  left_quantity: exit.leftQuantity,
  amount_usd: exit.usd || null,
  block_number: exit.block,
  timestamp: new Date(exit.timeMs).toISOString(),
  tx_hash: exit.tx,
  sellable,
  headline,
})

const toMatches = ({ id, alertId, alertName, createdAt, tokens, exits, total, isTest = false }: OutgoingMessage) => ({
  type: isTest ? 'alert.test' : 'alert.matched',
  timestamp: createdAt.toISOString(),
  data: {
    delivery_id: id,
    alert: { id: alertId, name: alertName },
    total,
    tokens: tokens.map(({ address, name, symbol, initial, matchedAt, facts, headline, reasons }) => ({
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
      ...Object.fromEntries(ALERT_NUMBERS.map((name) => [toSnake(name), facts[name] ?? null])),
      age_hours: facts.ageHours,
      sellable: facts.sellable,
      sell_tax_pct: facts.sellTaxPct,
      powers: facts.powers,
      trades: (facts.trades ?? []).map(({ wallet, direction, usd }) => ({
        wallet_address: wallet,
        direction,
        amount_usd: usd || null,
      })),
      headline,
      reasons: reasons && pickMain(reasons).map(({ text }) => text),
    })),
    exits: exits.map(toExit),
  },
})
