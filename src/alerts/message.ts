// Writes a mail, as text and HTML, from the alert and its tokens. Attackers choose names and symbols: control and
// bidirectional characters are removed, HTML is escaped, and nothing in them becomes a link.
import type { NoticedToken, OutgoingMessage } from '../ledger/alerts/outbox.ts'

export interface Letter {
  subject: string
  text: string
  html: string
}

/** Longest name or symbol in a mail, in characters. */
const NAME_LENGTH = 40
/**
 * Characters without a visible glyph: controls, formatting (bidirectional, zero-width), separators, private use,
 * surrogates.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/gu

/**
 * Makes on-chain text safe to show: visible characters only, one line, at most 40 characters, and nothing that mail
 * programs turn into a link.
 */
export function toPlainName(text: string): string {
  const visible = text.replace(UNSEEN, '').replace(/\s+/g, ' ').trim()
  // Mail programs turn `evil.example` and `http://` into links. A word joiner would be invisible, so put a space after
  // the punctuation.
  const unlinked = visible.replace(/([.:/@])(?=\S)/g, '$1 ')
  // Cutting a surrogate pair would leave half of it.
  return unlinked.length > NAME_LENGTH ? `${unlinked.slice(0, NAME_LENGTH - 1).replace(/\p{Cs}$/u, '')}…` : unlinked
}

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/** Dollars for display, without decimals from $10 on. */
const formatUsd = (usd: number): string =>
  `$${usd.toLocaleString('en-US', { maximumFractionDigits: Math.abs(usd) >= 10 ? 0 : 2 })}`

const WORDS: Record<string, (facts: NoticedToken['facts']) => string> = {
  min_liquidity_usd: (facts) => `liquidity rose to ${formatUsd(facts.liquidityUsd)}`,
  min_market_cap_usd: (facts) => `market cap rose to ${formatUsd(facts.marketCapUsd)}`,
  max_market_cap_usd: (facts) => `market cap fell to ${formatUsd(facts.marketCapUsd)}`,
  max_risk_score: (facts) => `risk fell to ${formatScore(facts.riskScore)}`,
  exclude_flags: () => 'an excluded flag was lifted',
  include_flags: (facts) => `flags are now ${facts.riskFlags.join(', ').replaceAll('_', ' ')}`,
  min_holder_growth_1h_pct: (facts) => `holders grew ${facts.holderGrowth1hPct.toFixed(1)} % in an hour`,
  max_age_hours: (facts) => `age is ${facts.ageHours.toFixed(1)} h`,
  contract_checked: () => 'its contract was checked',
  sellable: (facts) => (facts.sellable ? 'it can be sold' : 'it cannot be sold'),
  min_sell_tax_pct: (facts) => `the tax of a sale rose to ${formatTax(facts.sellTaxPct)}`,
  max_sell_tax_pct: (facts) => `the tax of a sale fell to ${formatTax(facts.sellTaxPct)}`,
  exclude_powers: () => 'an excluded power is gone',
  include_powers: (facts) => `somebody can now: ${(facts.powers ?? []).join(', ').replaceAll('_', ' ')}`,
  owner_changed: () => 'the owner of its contract changed',
}

const formatTax = (pct: number | null): string => (pct === null ? 'an unknown number' : `${pct.toFixed(1)} %`)

const formatScore = (score: number): string => score.toFixed(0)

/** Maps a risk score to its level; provided by the scoring. */
export type ToLevel = (riskScore: number) => string

const describeBegin = (token: NoticedToken): string => {
  if (token.initial) return 'matched when the alert was set'
  const reasons = token.facts.began.map((name) => WORDS[name]?.(token.facts)).filter((reason) => reason !== undefined)
  return reasons.length > 0 ? reasons.join(', ') : 'new token'
}

/** Writes the mail of a message; `unsubscribe` is the link that pauses the alert. */
export function writeLetter(
  message: OutgoingMessage,
  links: { publicUrl: string; unsubscribe: string },
  toLevel: ToLevel,
): Letter {
  const alertName = toPlainName(message.alertName)
  const more = message.total - message.tokens.length
  const count = `${message.total} token${message.total === 1 ? '' : 's'}`
  const lines = message.tokens.map((token) => describeToken(token, toLevel, links.publicUrl))
  const moreLine = more > 0 ? `and ${more} more` : ''
  return {
    subject: `${alertName}: ${count} began to match`,
    text: [
      `Your alert "${alertName}": ${count} began to match.`,
      ...lines.map((line) =>
        [line.title, ...line.rows.map(([label, value]) => `  ${label}: ${value}`), `  ${line.page}`].join('\n'),
      ),
      moreLine,
      `Served by ${links.publicUrl}`,
      `Pause this alert: ${links.unsubscribe}`,
    ]
      .filter((part) => part !== '')
      .join('\n\n'),
    html: renderHtml({ alertName, count, lines, more: moreLine, links }),
  }
}

interface Line {
  title: string
  /** The address of the token's page. */
  page: string
  rows: [label: string, value: string][]
}

function describeToken(token: NoticedToken, toLevel: ToLevel, publicUrl: string): Line {
  const { facts } = token
  const symbol = toPlainName(token.symbol) || '(no symbol)'
  const name = toPlainName(token.name)
  return {
    title: name && name !== symbol ? `${symbol} (${name})` : symbol,
    page: `${publicUrl.replace(/\/$/, '')}/token/${token.address}`,
    rows: [
      ['Address', token.address],
      ['Began', describeBegin(token)],
      ['Risk', `${formatScore(facts.riskScore)} of 100, ${toLevel(facts.riskScore)}`],
      ['Flags', facts.riskFlags.length > 0 ? facts.riskFlags.join(', ') : 'none'],
      ['Liquidity', formatUsd(facts.liquidityUsd)],
      ['Market cap', facts.marketCapUsd > 0 ? formatUsd(facts.marketCapUsd) : 'not known'],
      ['Matched at', token.matchedAt.toISOString()],
    ],
  }
}

const PAGE =
  'margin:0 auto;max-width:600px;padding:16px;font:16px/1.5 system-ui,-apple-system,Segoe UI,sans-serif;color:#1a1a1a'
const CARD = 'margin:0 0 16px;padding:12px;border:1px solid #d0d0d0;border-radius:8px'
const LABEL =
  'padding:2px 12px 2px 0;color:#555;text-align:left;vertical-align:top;font-weight:normal;white-space:nowrap'
const VALUE = 'padding:2px 0;word-break:break-word;overflow-wrap:anywhere'

interface MailParts {
  alertName: string
  count: string
  lines: readonly Line[]
  more: string
  links: { publicUrl: string; unsubscribe: string }
}

function renderHtml({ alertName, count, lines, more, links }: MailParts): string {
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
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(alertName)}</title></head><body style="${PAGE}"><p>Your alert <b>${escapeHtml(alertName)}</b>: ${count} began to match.</p>${cards.join('')}${more ? `<p>${more}</p>` : ''}<p style="font-size:14px;color:#555">Served by <a href="${publicUrl}">${publicUrl}</a>. <a href="${escapeHtml(links.unsubscribe)}">Pause this alert</a>.</p></body></html>`
}
