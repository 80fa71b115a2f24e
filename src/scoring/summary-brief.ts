// The brief of a language model about a token: a few lines of numbers and cleaned names. The file also tests whether
// the facts have changed, and has the rules for the answer. Attackers choose the names, so nothing in them may
// influence the shown text.
import { DAY_SECONDS } from '../base/time.ts'
import type { Explanation } from '../ledger/explanation.ts'
import type { TokenFacts } from '../ledger/facts/facts.ts'
import { pickMain } from '../verdict/settle.ts'
import { toDate } from '../verdict/tell.ts'
import { cleanName } from './clean-name.ts'
import { measureLiquidity } from './liquidity.ts'
import { SUMMARY_LENGTH } from './summary.ts'

/** The parts of a score that the brief repeats. */
export interface Told {
  riskScore: number
  riskLevel: string
  confidence: string
  flags: readonly string[]
  /** The summary generated from facts. */
  summary: string
  explanation: Pick<Explanation, 'reasons' | 'confidenceReasons'>
}

/** Writes the brief, one fact per line. */
export function writeBrief(facts: TokenFacts, score: Told): string {
  const lines = [
    `name: ${cleanName(facts.name) || 'none'}`,
    `symbol: ${cleanName(facts.symbol) || 'none'}`,
    `risk level: ${score.riskLevel}`,
    `risk score of 100: ${score.riskScore.toFixed(0)}`,
    `confidence: ${score.confidence}`,
    `flags: ${score.flags.join(', ') || 'none'}`,
    `age in days: ${Math.max(0, Math.floor((facts.block.hourTime - facts.createdAt) / DAY_SECONDS))}`,
    `plain summary: ${score.summary}`,
    ...pickMain(score.explanation.reasons).map(({ kind, text }) => `${kind}: ${text}`),
    `missing for a higher confidence: ${score.explanation.confidenceReasons.join(', ') || 'nothing'}`,
  ]
  return lines.join('\n')
}

/** The facts that a summary is based on, for later comparison. */
export function toFingerprint(facts: TokenFacts, score: Omit<Told, 'explanation'>): string {
  const { lockedUntil } = measureLiquidity(facts)
  return JSON.stringify([
    [
      facts.name,
      facts.symbol,
      facts.createdAt,
      score.riskLevel,
      score.confidence,
      score.flags,
      facts.swaps.length === 0,
      ...(lockedUntil === null ? [] : [toDate(lockedUntil)]),
    ],
    [facts.liquidityUsd, facts.holderCount ?? 0],
  ])
}

/**
 * Whether the facts have not changed materially: the same names, level, confidence, flags and lock end, and sizes
 * within 25 %.
 */
export function stillHolds(kept: string, now: string): boolean {
  const [words, sizes] = JSON.parse(kept) as [unknown, number[]]
  const [newWords, newSizes] = JSON.parse(now) as [unknown, number[]]
  const near = (size: number, before: number) => Math.abs(size - before) <= 0.25 * Math.max(size, before)
  return JSON.stringify(words) === JSON.stringify(newWords) && newSizes.every((size, at) => near(size, sizes[at] ?? 0))
}

/** Signs of a link, markup or hidden characters, which a plain paragraph does not need. */
const FORBIDDEN = /https?:|www\.|:\/\/|[\p{Cc}\p{Cf}\p{Co}\p{Cs}<>[\]{}`*_#|\\@]|\p{L}\.\p{L}{2,}/u
/** Number words would evade the check of digits. */
const IN_WORDS = /\b(dozens?|hundreds?|thousands?|millions?|billions?|trillions?)\b/i
const NUMBER = /\d[\d.,]*/g

/**
 * Returns the answer on one line, or null if it breaks a rule: length, links, markup, or a number outside the brief.
 */
export function checkAnswer(answer: unknown, brief: string): string | null {
  if (typeof answer !== 'string') return null
  const text = answer.replace(/\s+/g, ' ').trim()
  if (text.length === 0 || text.length > SUMMARY_LENGTH) return null
  if (FORBIDDEN.test(text) || IN_WORDS.test(text)) return null
  const told = new Set(listNumbers(brief))
  return listNumbers(text).every((number) => told.has(number)) ? text : null
}

const listNumbers = (text: string): string[] =>
  (text.match(NUMBER) ?? []).map((number) => number.replace(/,/g, '').replace(/\.$/, ''))
