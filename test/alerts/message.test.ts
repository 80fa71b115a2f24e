import fc from 'fast-check'
import { expect, test } from 'vitest'
import { writeLetter } from '../../src/alerts/message.ts'
import { toPlainName } from '../../src/alerts/token-lines.ts'
import { isSigned, unsubscribeUrl } from '../../src/alerts/unsubscribe.ts'
import type { OutgoingMessage, ToldToken } from '../../src/ledger/alerts/outbox.ts'

const PLAIN = {
  ...({ topic: 'owner', dimension: 'activity' } as const),
  ...{ severity: 0, since: null, block: null },
}

const token = (over: Partial<ToldToken> = {}): ToldToken => ({
  address: '0x00000000000000000000000000000000000000aa',
  name: 'Honest Token',
  symbol: 'HON',
  initial: false,
  matchedAt: new Date('2026-01-01T00:00:00Z'),
  facts: {
    liquidityUsd: 52_000,
    marketCapUsd: 1_000_000,
    riskScore: 21,
    riskFlags: [],
    holderGrowth1hPct: 5,
    ageHours: 3,
    sellable: null,
    sellTaxPct: null,
    powers: null,
    began: ['min_liquidity_usd'],
  },
  headline: 'Somebody can still change the rules for holders.',
  reasons: [
    { ...PLAIN, kind: 'danger', name: 'open_power', text: 'The owner can mint', points: 22 },
    { ...PLAIN, kind: 'fact', name: 'others', text: 'Other measures', points: 1 },
  ],
  priceUsd: 0.00012345,
  ...over,
})
const message = (tokens: ToldToken[], total = tokens.length): OutgoingMessage => ({
  id: 'm',
  alertId: 'a',
  alertName: 'Deep pools',
  accountId: 1,
  email: 'owner@example.com',
  exits: [],
  webhook: null,
  events: null,
  dropped: 0,
  createdAt: new Date('2026-01-01T00:00:00Z'),
  attempts: 0,
  tokens,
  total,
})
const links = {
  publicUrl: 'https://assay.example',
  unsubscribe: 'https://assay.example/unsubscribe?alert=a&signature=s',
}
const write = (tokens: ToldToken[], total?: number) => writeLetter(message(tokens, total), links, () => 'low')

test('a mail names each token, its numbers and why it began to match, as text and as HTML', () => {
  const letter = write([token()], 3)
  expect(letter.subject).toBe('Deep pools: 3 tokens began to match')
  for (const part of [letter.text, letter.html]) {
    for (const piece of [
      'HON (Honest Token)',
      '0x00000000000000000000000000000000000000aa',
      '21 of 100, low',
      '$52,000',
      '$1,000,000',
      'liquidity rose to $52,000',
      'The owner can mint',
      '$0.0001235',
      'and 2 more',
    ]) {
      expect(part).toContain(piece)
    }
  }
})

test('a mail says which values are not known, and names no cap of zero', () => {
  const facts = { ...token().facts, marketCapUsd: 0, began: ['max_market_cap_usd'] }
  const { text } = write([token({ facts, headline: null, reasons: null, priceUsd: null })])
  for (const line of [
    'Began: market cap is not known',
    'Reasons: not scored yet',
    'Price: not known',
    'Market cap: not known',
  ])
    expect(text).toContain(line)
  expect(text).not.toContain('$0')
})

test('a mail links each token to its page, also where the public address ends with a slash', () => {
  const page = 'https://assay.example/token/0x00000000000000000000000000000000000000aa'
  for (const publicUrl of ['https://assay.example', 'https://assay.example/']) {
    const letter = writeLetter(message([token()]), { ...links, publicUrl }, () => 'low')
    expect(letter.text).toContain(`\n  ${page}\n`)
    expect(letter.html).toContain(`<a href="${page}">HON (Honest Token)</a>`)
  }
})

test('a mail links only to the public address and loads nothing', () => {
  const hostile = 'http://evil.example/<img src=x onerror=alert(1)> www.evil.example "quoted" javascript:alert(1)'
  const { html, text } = write([token({ name: hostile, symbol: hostile })])
  const targets = [...html.matchAll(/(?:href|src)="([^"]*)"/g)].map((match) => match[1])
  expect(targets.every((target) => target?.startsWith('https://assay.example'))).toBe(true)
  expect(html).not.toContain('<img')
  for (const part of [html, text]) expect(part).not.toMatch(/evil\.example|http:\/\/evil/)
})

test('a symbol of letters that are drawn as nothing counts as none', () => {
  const { text } = write([token({ symbol: '\u3164\u115f\u2800\u034f\ufe0f', name: 'US\u3164D\u2800C' })])
  expect(text).toContain('(no symbol) (USDC)')
})

test('a token name in a mail is visible text on one line of at most 40 characters, whatever its contract has', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (name) => {
      const plain = toPlainName(name)
      expect(plain.length).toBeLessThanOrEqual(40)
      expect(plain).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u)
      expect(plain).not.toMatch(/\w[.:]\w/)
    }),
    { numRuns: 2_000 },
  )
})

test('an unsubscribe link pauses the alert that it was made for and no other', () => {
  const secret = new Uint8Array(32).fill(7)
  const url = new URL(unsubscribeUrl('https://assay.example/', secret, 'alr_1'))
  const signature = url.searchParams.get('signature') ?? ''
  expect(url.origin + url.pathname).toBe('https://assay.example/unsubscribe')
  expect(isSigned(secret, 'alr_1', signature)).toBe(true)
  expect(isSigned(secret, 'alr_2', signature)).toBe(false)
  expect(isSigned(new Uint8Array(32), 'alr_1', signature)).toBe(false)
  expect(isSigned(secret, 'alr_1', '')).toBe(false)
})
