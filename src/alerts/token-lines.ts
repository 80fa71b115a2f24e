// Describes a token of an alert in plain text, for mails and chats: why it began to match, its numbers, and its reasons.
// Attackers choose names and symbols: control and bidirectional characters are removed, and nothing in them
// becomes a link.
import { toSnake } from '../fields/field.ts'
import { ALERT_ROWS } from '../fields/filter.ts'
import { type TokenField, unitOfField } from '../fields/token.ts'
import type { ExitKind, WalletExit } from '../ledger/alerts/moves.ts'
import type { NoticedExit, NoticedToken, OutgoingMessage, ToldToken } from '../ledger/alerts/outbox.ts'
import type { WalletTrade } from '../ledger/alerts/trades.ts'
import { pickMain } from '../verdict/settle.ts'

/** Longest name or symbol in a message, and longest reason, in characters. */
const NAME_LENGTH = 40
const REASON_LENGTH = 160
/**
 * Characters without a visible glyph: controls, formatting (bidirectional, zero-width), separators, private use,
 * surrogates. Fillers and the empty pattern of Braille are letters that are drawn as nothing.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\p{DI}\u2800]/gu

/**
 * Makes on-chain text safe to show: visible characters only, one line, at most 40 characters, and nothing that mail
 * programs turn into a link.
 */
export function toPlainName(text: string): string {
  // Mail programs turn `evil.example` and `http://` into links. A word joiner would be invisible, so put a space after
  // the punctuation.
  return clip(toVisible(text).replace(/([.:/@])(?=\S)/g, '$1 '), NAME_LENGTH)
}

/** The text on one line, without characters that nobody sees. */
const toVisible = (text: string): string => text.replace(UNSEEN, '').replace(/\s+/g, ' ').trim()

/** Cutting a surrogate pair would leave half of it. */
const clip = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length - 1).replace(/\p{Cs}$/u, '')}…` : text

/** What a test message says. */
export const tellTest = (alertName: string): string =>
  `This is a test of your alert "${alertName}". No token began to match.`

type Facts = NoticedToken['facts']
type Numbers = Readonly<Record<string, unknown>>

/** Dollars for display, without decimals from $10 on. */
const formatUsd = (usd: number): string =>
  `$${usd.toLocaleString('en-US', { maximumFractionDigits: Math.abs(usd) >= 10 ? 0 : 2 })}`

/** Values in a message that are no numbers, or have their own words. */
const SAID: Readonly<Record<string, (facts: Facts) => string>> = {
  include_flags: ({ riskFlags }) => riskFlags.join(', ').replaceAll('_', ' '),
  include_powers: ({ powers }) => (powers ?? []).join(', ').replaceAll('_', ' '),
  sellable: ({ sellable }) => (sellable ? 'can' : 'cannot'),
  bought_by: (facts) => sayTrades(facts, ({ direction }) => direction === 'buy'),
  sold_by: (facts) => sayTrades(facts, ({ direction }) => direction === 'sell'),
  traded_by: (facts) => sayTrades(facts, () => true),
}

const REFUSED = '; its contract refused a sale when one was tried'

/** What became of the tokens, by the kind of an exit. */
const LEFT: Record<ExitKind, readonly [verb: string, whither: string]> = {
  sale: ['sold', ''],
  liquidity: ['moved', ' into a pool, which is no sale'],
  transfer: ['moved', ' to another address, which is no sale'],
}

function sayExit({ wallet, kind, sharePct, usd }: WalletExit): string {
  const share =
    sharePct === null ? 'an unknown share' : sharePct === 100 ? 'all' : `${Number(sharePct.toFixed(2)) || '< 0.01'} %`
  const [verb, whither] = LEFT[kind]
  return `${wallet} ${verb} ${share} of its position${usd > 0 ? ` for ${formatUsd(usd)}` : ''}${whither}`
}

/** What messages begin with: how many tokens began to match, and how many exits they tell. */
export function tellCount(messages: readonly Pick<OutgoingMessage, 'total' | 'exits'>[]): string {
  const exits = messages.reduce((sum, message) => sum + message.exits.length, 0)
  const matches = messages.reduce((sum, { total }) => sum + total, 0)
  const say = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`
  const parts = [
    ...(matches > 0 || exits === 0 ? [`${say(matches, 'token')} began to match`] : []),
    ...(exits > 0 ? [`${say(exits, 'exit')} of wallets`] : []),
  ]
  return parts.join(', ')
}

/** The trades that a message lists. */
const LISTED_TRADES = 3

function sayTrades({ trades = [] }: Facts, isOf: (trade: WalletTrade) => boolean): string {
  const listed = trades.filter(isOf)
  const said = listed.slice(0, LISTED_TRADES).map(({ wallet, direction, usd }) => {
    const size = usd > 0 ? formatUsd(usd) : 'an unknown sum'
    return `${wallet} (${direction === 'buy' ? 'bought' : 'sold'} for ${size})`
  })
  const more = listed.length - said.length
  return `${said.join(' and ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** A number of a token in its unit. */
function sayNumber(field: TokenField, value: unknown): string {
  if (typeof value !== 'number') return 'an unknown number'
  const unit = unitOfField(field)
  if (unit === 'USD') return formatUsd(value)
  if (unit === 'hours') return `${value.toFixed(1)} h`
  if (unit === 'percent') return `${value.toFixed(1)} %`
  return unit === 'points, 0-100' ? formatScore(value) : value.toLocaleString('en-US')
}

/** Why a token began to meet a condition, by its name in REST. */
const BEGAN: ReadonlyMap<string, (facts: Facts) => string> = new Map(
  ALERT_ROWS.map(([name, { field, began = '' }]) => {
    const wire = toSnake(name)
    const say = SAID[wire] ?? ((facts: Facts) => sayNumber(field, (facts as Numbers)[field]))
    return [wire, (facts: Facts) => began.replace('{}', () => say(facts))]
  }),
)

function sayBegan(name: string, facts: Facts): string | undefined {
  if (name === 'max_market_cap_usd' && facts.marketCapUsd === 0) return 'market cap is not known'
  return BEGAN.get(name)?.(facts)
}

/** The price in USD with four digits. */
const formatPrice = (usd: number): string => `$${usd.toLocaleString('en-US', { maximumSignificantDigits: 4 })}`

const formatScore = (score: number): string => score.toFixed(0)

/** Maps a risk score to its level; provided by the scoring. */
export type ToLevel = (riskScore: number) => string

const describeBegin = (token: NoticedToken | NoticedExit): string => {
  if ('exit' in token.facts) return `${sayExit(token.facts.exit)}${token.facts.sellable === false ? REFUSED : ''}`
  if (token.initial) return 'matched when the alert was set'
  const reasons = token.facts.began.map((name) => sayBegan(name, token.facts)).filter((reason) => reason !== undefined)
  return reasons.length > 0 ? reasons.join(', ') : 'new token'
}

export interface TokenLines {
  title: string
  rows: [label: string, value: string][]
}

/** The three main reasons, dangers first. */
const describeReasons = (reasons: ToldToken['reasons']): string =>
  reasons === null
    ? 'not scored yet'
    : pickMain(reasons)
        .map(({ text }) => clip(toVisible(text), REASON_LENGTH))
        .join('; ') || 'none'

/** The lines about a token. */
export function describeToken(token: ToldToken, toLevel: ToLevel): TokenLines {
  const { facts } = token
  const symbol = toPlainName(token.symbol) || '(no symbol)'
  const name = toPlainName(token.name)
  return {
    title: name && name !== symbol ? `${symbol} (${name})` : symbol,
    rows: [
      ['Address', token.address],
      ['exit' in facts ? 'Exit' : 'Began', describeBegin(token)],
      ['Risk', `${formatScore(facts.riskScore)} of 100, ${toLevel(facts.riskScore)}`],
      ...(token.headline === null ? [] : [['Verdict', token.headline] as [string, string]]),
      ['Reasons', describeReasons(token.reasons)],
      ['Flags', facts.riskFlags.length > 0 ? facts.riskFlags.join(', ') : 'none'],
      ['Liquidity', formatUsd(facts.liquidityUsd)],
      ['Price', token.priceUsd === null ? 'not known' : formatPrice(token.priceUsd)],
      ['Market cap', facts.marketCapUsd > 0 ? formatUsd(facts.marketCapUsd) : 'not known'],
      ['Matched at', token.matchedAt.toISOString()],
    ],
  }
}
