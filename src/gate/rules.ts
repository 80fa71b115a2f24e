// Reads a policy's own rules: what findings lead to, as `open_power:block,topic.owner@30:review`. A rule names a finding,
// a topic or a kind, and may begin at a severity. Pure.
import { invalid } from '../base/errors.ts'
import { FINDING_TOPICS, REASON_KINDS, RISK_FLAGS } from '../base/vocabulary.ts'
import { ALERT_CONDITIONS } from '../fields/filter.ts'
import { GATE_DECISIONS, type GateDecision } from './policy.ts'

export const MAX_RULES = 40
/** The longest text of rules. */
export const MAX_RULES_LENGTH = 2_000
const SELECTOR = /^(?:(topic|kind)\.)?([a-z][a-z0-9_]{0,63})(?:@([0-9]{1,2}|100))?$/

const isDecision = (word: string): word is GateDecision => (GATE_DECISIONS as readonly string[]).includes(word)

const WORDS_OF: Readonly<Record<string, readonly string[]>> = { topic: FINDING_TOPICS, kind: REASON_KINDS }

function isSelector(text: string): boolean {
  const [, of, word = ''] = SELECTOR.exec(text) ?? []
  return word !== '' && (of === undefined || WORDS_OF[of]?.includes(word) === true)
}

/** What a rule may name; null: unknown. */
interface Ruled {
  name: string
  topic: string | null
  kind: string | null
  severity: number | null
}

/** The decision of the narrowest rule: by name, then topic, then kind, and of these the one from the highest severity. */
export function ruleFor(
  rules: Readonly<Record<string, GateDecision>>,
  { name, topic, kind, severity }: Ruled,
): GateDecision | undefined {
  for (const word of [name, `topic.${topic}`, `kind.${kind}`]) {
    const fitting = Object.entries(rules)
      .map(([selector, decision]) => ({ of: selector.split('@')[0], from: selector.split('@')[1], decision }))
      .filter(({ of, from }) => of === word && (from === undefined || (severity !== null && severity >= Number(from))))
      .sort((a, b) => Number(b.from ?? -1) - Number(a.from ?? -1))
    if (fitting[0]) return fitting[0].decision
  }
  return undefined
}

/** The rules that no past block can be tested with: flags, conditions and the risk score are kept. */
export const untestedRules = (rules: Readonly<Record<string, GateDecision>>): string[] =>
  Object.keys(rules)
    .filter((selector) => !TESTED.has(selector) && !selector.startsWith('risk_score@'))
    .map((selector) => `The rule ${selector}`)

const TESTED: ReadonlySet<string> = new Set([...RISK_FLAGS, ...ALERT_CONDITIONS, 'risk_score'])

/** The fault of the rules, after their name, with the right form; null: there is none. */
export const faultOfRules = (text: string): string | null => {
  const read = parse(text)
  return typeof read === 'string' ? withExample(read) : null
}

const withExample = (fault: string): string => `${fault}, as in open_power:block,topic.owner@30:review`

/** Throws INVALID_PARAMS with what would be right. */
export function readRules(text: string): Record<string, GateDecision> {
  const read = parse(text)
  if (typeof read === 'string')
    throw invalid([{ location: 'argument', field: 'rules', message: `rules ${withExample(read)}` }])
  return read
}

/** The rules, or their fault. */
function parse(text: string): Record<string, GateDecision> | string {
  if (text.length > MAX_RULES_LENGTH) return `must have ${MAX_RULES_LENGTH} characters at most`
  const parts = text === '' ? [] : text.split(',')
  if (parts.length > MAX_RULES) return `must be ${MAX_RULES} at most`
  const rules = new Map<string, GateDecision>()
  for (const part of parts) {
    const [name = '', decision = '', ...more] = part.split(':')
    if (more.length > 0 || !isSelector(name) || !isDecision(decision))
      return `must each be a finding, topic.WORD or kind.WORD, from a severity as @30, and one of ${GATE_DECISIONS.join(', ')}`
    if (rules.has(name)) return 'must name each of these once'
    rules.set(name, decision)
  }
  return Object.fromEntries(rules)
}
