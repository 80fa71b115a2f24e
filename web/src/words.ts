// The API's names in words for people: flags, dimensions, the inputs of scores with their units, and reasons.
import type { RiskFlag } from '../../src/base/vocabulary.ts'
import { POWER_WORDS } from '../../src/verdict/flag-words.ts'
import type { graphql } from './api/graphql.ts'
import { count, decimal, dollars, duration, percent, UNKNOWN, words } from './format.ts'

/** A flag in a word of a filter. `src/verdict` has its sentence. */
export const FLAGS: Readonly<Record<RiskFlag, string>> = {
  liquidity_pulled: 'pulled',
  wash_trading: 'wash',
  concentrated_ownership: 'concentrated',
  sybil_cluster: 'cluster',
  smart_money_exiting: 'smart exit',
}

/** The powers over the holders of a token, after “can”. */
export const POWERS: Readonly<Record<string, string>> = POWER_WORDS

interface Kind {
  title: string
  what: string
}

/** The kind of an address, by the API's kind of wallet. */
const KINDS: Readonly<Record<string, Kind>> = {
  account: { title: 'Wallet', what: 'This is an account: its owner moves what it holds, by a private key or by code.' },
  pool: { title: 'Pool', what: 'This is a liquidity pool: what it holds is what traders swap with.' },
  locker: { title: 'Locker', what: 'This is a locker: what it holds lies there for others until a date.' },
  exchange: { title: 'Exchange', what: 'This is an exchange: what it holds belongs to its customers.' },
  contract: { title: 'Contract', what: 'This is a contract: a program moves what it holds.' },
  burned: { title: 'Burn address', what: 'Nobody can send what lies here.' },
}

export const kindOf = (name: string): Kind => KINDS[name] ?? { title: sentenceCase(words(name)), what: '' }

const DIMENSIONS: Readonly<Record<string, string>> = {
  liquidity: 'Liquidity',
  holders: 'Holders',
  wash: 'Wash trades',
  smart_money: 'Smart money',
  opening: 'Opening',
  activity: 'Activity',
  trading: 'Trading',
  maturity: 'Maturity',
  capability: 'All facts, unfitted',
  winRate: 'Win rate',
  consistency: 'Consistency',
  drawdown: 'Drawdown',
  riskDrawdown: 'Drawdown',
  entryTiming: 'Entry timing',
}

export const dimension = (name: string): string => DIMENSIONS[name] ?? sentenceCase(words(name))

const sentenceCase = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

type ConfidenceGap = ReturnType<typeof graphql.scalar<'ConfidenceGap'>>

const GAPS: Readonly<Record<ConfidenceGap, string>> = {
  few_trades: 'it has few trades',
  few_tokens: 'it traded few tokens',
  young: 'it is young',
  history_before_start_unknown: 'its past before the first indexed block is not known',
  holders_unknown: 'its holders are not known',
  traders_unknown: 'little is known of who traded it',
  providers_unknown: 'it is not known who provided its liquidity',
  not_priced: 'it has no price',
  no_trades: 'it never traded',
  transfers_without_cost: 'some of what it sold came by transfer, with no known cost',
  left_without_result: 'tokens that it had paid for left it by transfer, and nobody knows for how much',
  unpriced_holdings: 'some of what it holds has no price',
  contract_not_checked: 'its contract is not checked',
  contract_checked_in_part: 'its contract was checked in part',
  pulled_liquidity: 'part of it is liquidity that it pulled, the money of others',
}

/** The gaps that lower a confidence. A page that stayed open over an upgrade may meet a new one. */
export const confidenceReason = (gap: ConfidenceGap): string => GAPS[gap] ?? words(gap)

/** How sure a score is, and why it is not surer: in words, never as a level. */
export function tellConfidence(confidence: string, gaps: readonly ConfidenceGap[]): string {
  return `${CERTAINTY[confidence] ?? words(confidence)}${gaps.length > 0 ? `: ${gaps.map(confidenceReason).join('; ')}` : ''}.`
}

/** The confidence of a number. It is no level: a low one is neither good nor bad. */
export const CERTAINTY: Readonly<Record<string, string>> = {
  high: 'Well known',
  medium: 'Partly known',
  low: 'Hardly known',
}

/** An input of a score, with its unit read from its name. */
export function inputValue(name: string, value: number | null): string {
  if (value === null) return UNKNOWN
  if (/Usd$/.test(name)) return dollars(value)
  if (/Seconds$/.test(name)) return duration(value, 'long')
  if (/Hours$/.test(name)) return duration(value * 3_600, 'long')
  if (/Share$|^topTenShare$|WinRate$|^profitableWeeks$|^tradesAbove/.test(name)) return percent(value * 100)
  if (/Count$/.test(name)) return count(value)
  return decimal(value)
}

export const inputName = (name: string): string => sentenceCase(words(name).replace(/ (usd|hours|seconds)\b/g, ''))
