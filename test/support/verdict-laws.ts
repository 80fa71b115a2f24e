// The laws of a verdict. Input: a verdict and the shown score. Output: each law that it breaks, in words.
import { toRiskLevel } from '../../src/base/risk-level.ts'
import type { RiskLevel } from '../../src/base/vocabulary.ts'
import type { VerdictFinding } from '../../src/verdict/finding.ts'
import { HEADLINE_LENGTH } from '../../src/verdict/headline.ts'
import { HELD_LEVEL, pickMain } from '../../src/verdict/settle.ts'

interface Judged {
  riskScore: number
  level: RiskLevel
  headline: string
  findings: readonly VerdictFinding[]
  gaps: readonly string[]
}

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9%]+/g, ' ')
    .trim()

const repeats = (a: string, b: string): boolean => plain(a).includes(plain(b)) || plain(b).includes(plain(a))

export function brokenLaws({ riskScore, level, headline, findings, gaps }: Judged): string[] {
  const isGrave = level === 'high' || level === 'critical'
  const dangers = findings.filter(({ kind }) => kind === 'danger')
  const texts = findings.map(({ text }) => text)
  const laws: readonly [law: string, holds: boolean][] = [
    ['the level is that of the score, also as it is shown', toRiskLevel(Math.floor(riskScore)) === level],
    ['a danger means at least high', dangers.length === 0 || isGrave],
    ['high and critical name a danger', !isGrave || dangers.length > 0],
    ['a fact that alone implies high is a danger', findings.every((one) => one.severity < 50 || one.kind === 'danger')],
    ['a danger is no inertia', dangers.every(({ name }) => name !== HELD_LEVEL)],
    ['inertia is not among the main findings', pickMain(findings).every(({ name }) => name !== HELD_LEVEL)],
    ['the first finding of a grave level is a danger', !isGrave || findings[0]?.kind === 'danger'],
    ['no grave level is called free of danger', !isGrave || !/no danger|established/i.test(headline)],
    ['the headline is one short sentence', headline.length > 0 && headline.length <= HEADLINE_LENGTH],
    ['the headline ends as a sentence', /^[A-Z].*\.$/.test(headline) && !/[\n<>]/.test(headline)],
    ['no advice against buying below high', isGrave || !headline.startsWith('Do not buy')],
    ['the headline repeats no finding', texts.every((text) => !repeats(text, headline))],
    ['no finding repeats another', new Set(texts.map(plain)).size === texts.length],
    ['only `alike` counts tokens that were pulled', [headline, ...texts].every((text) => !COUNTS_OTHERS.test(text))],
    ['to be too young takes nothing from the risk', findings.every((one) => one.name !== 'young' || one.points >= 0)],
    [
      'a trade of the last minutes is no warning',
      findings.every((one) => one.kind !== 'caution' || !/^The last trade was (just now|\d+ minute)/.test(one.text)),
    ],
    ['no finding is without words', texts.every((text) => text.trim() !== '')],
    [
      'an unchecked contract comforts nobody',
      !gaps.includes('contract_not_checked') ||
        findings.every((one) => one.name !== 'contract' || one.kind !== 'comfort'),
    ],
    [
      'unknown providers comfort nobody',
      !gaps.includes('providers_unknown') ||
        findings.every((one) => one.name !== 'withdrawal' || one.kind !== 'comfort'),
    ],
    [
      'what happened comes before what may happen',
      dangers.every(
        (one, at) => !HAPPENED.includes(one.name) || dangers.slice(0, at).every(({ name }) => HAPPENED.includes(name)),
      ),
    ],
  ]
  return laws.flatMap(([law, holds]) => (holds ? [] : [law]))
}

/** A share of other tokens: the labelled ones have another. */
const COUNTS_OTHERS = /tokens? like it|% of tokens/i

const HAPPENED = [
  'cannot_sell',
  'new_buyers_refused',
  'balances_gone',
  'taken_without_approval',
  'liquidity_pulled',
].concat(['extreme_tax', 'nobody_can_buy', 'late_mint'])
