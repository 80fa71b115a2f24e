// Reads a policy's own rules: what findings lead to, as `open_power:block,few_sellers:allow`. Pure.
import { invalid } from '../base/errors.ts'
import { GATE_DECISIONS, type GateDecision } from './policy.ts'

export const MAX_RULES = 40
/** The longest text of rules. */
export const MAX_RULES_LENGTH = 2_000
const NAME = /^[a-z][a-z0-9_]{0,63}$/

const isDecision = (word: string): word is GateDecision => (GATE_DECISIONS as readonly string[]).includes(word)

/** The fault of the rules, after their name, with the right form; null: there is none. */
export const faultOfRules = (text: string): string | null => {
  const read = parse(text)
  return typeof read === 'string' ? withExample(read) : null
}

const withExample = (fault: string): string => `${fault}, as in open_power:block,few_sellers:allow`

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
    if (more.length > 0 || !NAME.test(name) || !isDecision(decision))
      return `must each be the name of a finding and one of ${GATE_DECISIONS.join(', ')}`
    if (rules.has(name)) return 'must name each finding once'
    rules.set(name, decision)
  }
  return Object.fromEntries(rules)
}
