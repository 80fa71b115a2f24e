// Writes a token's summary from facts and score: a conclusion of two or three sentences, at most 400 characters, never
// empty. It names the token, its dangers, the facts in its favour, and the confidence. Attackers choose the names, so
// they are cleaned.
import type { ConfidenceGap } from '../base/vocabulary.ts'
import type { Reason } from '../ledger/explanation.ts'
import type { TokenFacts } from '../ledger/facts/facts.ts'
import { sayUsd, toDuration } from '../words/numbers.ts'
import { cleanName } from './clean-name.ts'
import type { TokenRisk } from './token-risk.ts'

/** The longest summary, in characters. */
export const SUMMARY_LENGTH = 400

type Scored = Pick<TokenRisk, 'riskScore' | 'level' | 'flags' | 'confidence' | 'measures' | 'explanation'>

/** The sentences in order of importance, as many as fit. */
export function writeSummary(facts: TokenFacts, risk: Scored): string {
  const sentences = facts.isQuote ? describeBaseAsset(facts) : conclude(facts, risk)
  let text = sentences[0] ?? ''
  for (const sentence of sentences.slice(1)) {
    if (sentence && text.length + 1 + sentence.length <= SUMMARY_LENGTH) text += ` ${sentence}`
  }
  return text.slice(0, SUMMARY_LENGTH)
}

/** Trades against a base asset are trades of the other token. */
const describeBaseAsset = (facts: TokenFacts): string[] => [
  `${nameToken(facts)} is a base asset of this chain and is not scored.`,
  `${sayUsd(facts.volume24hUsd)} was traded against it in 24 hours.`,
]

function conclude(facts: TokenFacts, risk: Scored): string[] {
  const { level, measures, explanation } = risk
  const { reasons } = explanation
  const dangers = reasons.filter(({ kind }) => kind === 'danger').slice(0, 2)
  const harms = dangers.length > 0 ? dangers : reasons.filter(({ kind }) => kind === 'caution').slice(0, 1)
  const isSafe = level === 'low' && harms.length > 0
  const age = toDuration(3_600 * measures.lifeHours)
  const what = `${nameToken(facts)} is ${age} old and of ${level} risk`
  const comforts = reasons.filter(({ kind }) => kind === 'comfort').slice(0, 2)
  return [
    harms.length > 0
      ? `${what}${isSafe ? '; the worst found' : ''}: ${join(harms)}.`
      : `${what}: nothing was found that can hurt.`,
    comforts.length > 0 ? `In its favour: ${join(comforts)}.` : 'Little speaks for it.',
    tellSurety(risk, harms),
  ]
}

/** How sure all of it is. A fact of the first sentence is not repeated. */
function tellSurety({ explanation, confidence }: Scored, harms: readonly Reason[]): string {
  const { confidenceReasons } = explanation
  const told = harms.map(({ text }) => text).join(' ')
  const gaps = confidenceReasons.map((gap) => GAPS[gap as ConfidenceGap]).filter((gap) => gap !== undefined)
  const why = gaps.flatMap(([words, fact]) => (fact.test(told) ? [] : [words])).slice(0, 2)
  return `Confidence is ${confidence}${why.length > 0 ? `: ${why.join(' and ')}` : ''}.`
}

/** The words of each gap, and the sentence that says it already. */
const GAPS: Readonly<Partial<Record<ConfidenceGap, readonly [words: string, fact: RegExp]>>> = {
  few_trades: ['few trades so far', /^Fewer than ten trades/],
  young: ['a short life', /too young/],
  history_before_start_unknown: ['an unknown past', /unknown past/],
  holders_unknown: ['unknown holders', /Who holds it/],
  traders_unknown: ['unknown traders', /Who trades it/],
  providers_unknown: ['unknown liquidity providers', /nobody knows who can withdraw/],
  not_priced: ['no price', /has no price/],
  contract_not_checked: ['an unchecked contract', /contract was not checked/],
  contract_checked_in_part: ['a contract checked only in part', /contract was not checked/],
}

const join = (reasons: readonly Reason[]): string => reasons.map(({ text }) => toClause(text)).join('; ')

/** "LP tokens" stays as it is, and so does an address. */
const toClause = (text: string): string =>
  /^[A-Z][a-z ]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text

/** The token's cleaned name and symbol; 'Unnamed token' if nothing of them is left. */
export function nameToken({ name, symbol }: Pick<TokenFacts, 'name' | 'symbol'>): string {
  const full = cleanName(name)
  const short = cleanName(symbol)
  if (!full && !short) return 'Unnamed token'
  if (!full || !short || full === short) return full || short
  return `${full} (${short})`
}
