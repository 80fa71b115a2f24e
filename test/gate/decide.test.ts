// The laws of the gate, for any facts, order and policy. A missing fact never allows, and a danger always blocks.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FINDING_TOPICS, REASON_KINDS } from '../../src/base/vocabulary.ts'
import { decide, type GateFacts, type GateOrder } from '../../src/gate/decide.ts'
import { BUILT_IN, GATE_DECISIONS, type GateDecision, type GatePolicy } from '../../src/gate/policy.ts'
import { MAX_RULES, readRules, ruleFor } from '../../src/gate/rules.ts'

const NOW = 1_800_000_000
const CLEAN: GateFacts = {
  block: 100,
  time: NOW,
  behind: null,
  riskScore: 12,
  liquidityUsd: 500_000,
  verdict: { findings: [], unknown: [], checkedAt: NOW - 60 },
  check: { isExempt: false, sellable: true, buyable: true, sellTaxPct: 0, block: 99, time: NOW - 60 },
  unmet: [],
}
const ORDER: GateOrder = { action: 'buy', amountUsd: 500 }
const { standard, strict } = BUILT_IN

const anyNumber = fc.oneof(
  fc.double({ noDefaultInfinity: true, noNaN: true }),
  fc.constantFrom(0, -1, 1e308, Number.NaN, Number.POSITIVE_INFINITY),
)
const orNull = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null })
const time = fc.integer({ min: NOW - 10_000, max: NOW + 100 })
const name = fc.constantFrom('open_power', 'young', 'sellers', '__proto__', 'constructor')
const finding = fc.record({
  name,
  kind: fc.constantFrom(...REASON_KINDS),
  topic: fc.constantFrom(...FINDING_TOPICS),
  severity: fc.double({ min: 0, max: 100, noNaN: true }),
  text: fc.string(),
})
const facts: fc.Arbitrary<GateFacts> = fc.record({
  block: fc.nat(),
  time: fc.constant(NOW),
  behind: orNull(fc.constant('The newest blocks')),
  riskScore: anyNumber,
  liquidityUsd: orNull(anyNumber),
  verdict: orNull(
    fc.record({
      findings: fc.array(finding, { maxLength: 5 }),
      unknown: fc.array(fc.constant('Who holds it'), { maxLength: 2 }),
      checkedAt: orNull(time),
    }),
  ),
  check: fc.record({
    isExempt: fc.boolean(),
    sellable: orNull(fc.boolean()),
    buyable: orNull(fc.boolean()),
    sellTaxPct: orNull(anyNumber),
    block: orNull(fc.nat()),
    time: orNull(time),
  }),
  unmet: fc.array(
    fc.record({ name: fc.constantFrom('min_liquidity_usd', '__proto__'), text: fc.string(), isUnknown: fc.boolean() }),
    { maxLength: 2 },
  ),
})
const order: fc.Arbitrary<GateOrder> = fc.record({ action: fc.constant('buy' as const), amountUsd: orNull(anyNumber) })
const rules = fc.dictionary(name, fc.constantFrom<GateDecision>(...GATE_DECISIONS))
const policy: fc.Arbitrary<GatePolicy> = fc.tuple(fc.constantFrom(standard, strict), rules).map(([base, findings]) => ({
  ...base,
  findings,
}))

const holds = (law: (facts: GateFacts, order: GateOrder, policy: GatePolicy) => void) =>
  fc.assert(fc.property(facts, order, policy, law), { numRuns: 3_000 })
const rank = (decision: GateDecision) => GATE_DECISIONS.indexOf(decision)

describe('the gate', () => {
  test('never allows while something is missing', () => {
    holds((...given) => {
      const { decision, missing } = decide(...given)
      if (missing.length > 0) expect(decision).not.toBe('allow')
    })
  })

  test('calls each unknown fact missing, whatever else it knows', () => {
    const without: [string, GateFacts][] = [
      ['a verdict', { ...CLEAN, verdict: null }],
      ['what nobody knows', { ...CLEAN, verdict: { findings: [], unknown: ['Who holds it'], checkedAt: NOW } }],
      ['a sale', { ...CLEAN, check: { ...CLEAN.check, sellable: null } }],
      ['a tax', { ...CLEAN, check: { ...CLEAN.check, sellTaxPct: null } }],
      ['the time of the check', { ...CLEAN, check: { ...CLEAN.check, time: null } }],
      ['a fresh check', { ...CLEAN, check: { ...CLEAN.check, time: NOW - 3_601 } }],
      ['a verdict of the check', { ...CLEAN, verdict: { findings: [], unknown: [], checkedAt: NOW - 61 } }],
      ['the liquidity', { ...CLEAN, liquidityUsd: null }],
      ['a risk score that is a number', { ...CLEAN, riskScore: Number.NaN }],
      ['the newest blocks', { ...CLEAN, behind: 'The newest blocks' }],
    ]
    expect(decide(CLEAN, ORDER, standard)).toEqual({ decision: 'allow', reasons: [], missing: [] })
    for (const [fact, facts] of without) {
      const { decision, missing } = decide(facts, ORDER, standard)
      expect([fact, decision, missing.length]).toEqual([fact, 'review', 1])
    }
  })

  test('blocks every danger, and what cannot be sold or bought, under any policy', () => {
    holds((facts, order, policy) => {
      const isDangerous = facts.verdict?.findings.some(({ kind }) => kind === 'danger') ?? false
      const { sellable, buyable } = facts.check
      if (isDangerous || sellable === false || buyable === false)
        expect(decide(facts, order, policy).decision).toBe('block')
    })
  })

  test('gives the same answer to the same input, and changes no input', () => {
    holds((facts, order, policy) => {
      const before = structuredClone({ facts, order, policy })
      expect(decide(facts, order, policy)).toEqual(decide(structuredClone(facts), { ...order }, { ...policy }))
      expect({ facts, order, policy }).toEqual(before)
    })
  })

  test('is never milder by the strict policy, for a larger order, or after one more finding', () => {
    fc.assert(
      fc.property(
        facts,
        fc.double({ min: 1, max: 1e9, noNaN: true }),
        finding,
        rules,
        (given, amountUsd, more, findings) => {
          const at = (facts: GateFacts, amount: number, base = standard) =>
            rank(decide(facts, { action: 'buy', amountUsd: amount }, { ...base, findings }).decision)
          const usual = at(given, amountUsd)
          expect(at(given, amountUsd, strict)).toBeGreaterThanOrEqual(usual)
          expect(at(given, 2 * amountUsd)).toBeGreaterThanOrEqual(usual)
          if (!given.verdict) return
          const worse = { ...given, verdict: { ...given.verdict, findings: [...given.verdict.findings, more] } }
          expect(at(worse, amountUsd)).toBeGreaterThanOrEqual(usual)
        },
      ),
      { numRuns: 3_000 },
    )
  })

  test('says why: a decision that is not to allow has a reason or something missing', () => {
    holds((...given) => {
      const { decision, reasons, missing } = decide(...given)
      expect(decision === 'allow').toBe(reasons.length + missing.length === 0)
      expect(reasons.map((reason) => rank(reason.decision))).toEqual(
        reasons.map((reason) => rank(reason.decision)).sort((a, b) => b - a),
      )
    })
  })

  test('follows the rules of the policy for cautions, and lets none of them excuse a danger', () => {
    const caution = {
      name: 'open_power',
      kind: 'caution' as const,
      topic: 'owner' as const,
      severity: 30,
      text: 'The owner can mint',
    }
    const withOne = (kind: 'caution' | 'danger') => ({
      ...CLEAN,
      verdict: { findings: [{ ...caution, kind }], unknown: [], checkedAt: NOW - 60 },
    })
    const by = (rule: string, kind: 'caution' | 'danger' = 'caution') =>
      decide(withOne(kind), ORDER, { ...standard, findings: readRules(rule) }).decision
    expect([by(''), by('open_power:allow'), by('open_power:block')]).toEqual(['review', 'allow', 'block'])
    expect(by('open_power:allow', 'danger')).toBe('block')
  })

  test('leaves out the contract of a token that the preset vouches for, and nothing else', () => {
    const check = { isExempt: true, sellable: null, buyable: null, sellTaxPct: null, block: null, time: null }
    expect(decide({ ...CLEAN, check }, ORDER, standard).decision).toBe('allow')
    expect(decide({ ...CLEAN, check, verdict: null }, ORDER, standard).decision).toBe('review')
  })
})

describe('rules', () => {
  test('are read as finding and decision', () => {
    expect(readRules('')).toEqual({})
    expect(readRules('open_power:block,young:allow')).toEqual({ open_power: 'block', young: 'allow' })
  })

  test('name a finding before its topic, its topic before its kind, and hold from the highest severity', () => {
    const rules = readRules('open_power:allow,topic.owner@30:block,topic.owner:review,kind.caution:block')
    const of = (name: string, topic: string | null, severity: number | null) =>
      ruleFor(rules, { name, topic, kind: 'caution', severity })
    expect([of('open_power', 'owner', 90), of('late_mint', 'owner', 30), of('late_mint', 'owner', 29)]).toEqual([
      'allow',
      'block',
      'review',
    ])
    expect([of('young', 'age', 5), of('late_mint', 'owner', null)]).toEqual(['block', 'review'])
    const score = decide({ ...CLEAN, riskScore: 45 }, ORDER, {
      ...standard,
      findings: readRules('risk_score@40:block'),
    })
    expect([score.decision, score.reasons.map(({ name }) => name)]).toEqual(['block', ['risk_score']])
  })

  test.each([
    'open_power',
    'open_power:never',
    'open_power:block:allow',
    ':block',
    'Open Power:block',
    'open_power:block,',
    'a:block,a:allow',
    '__proto__:allow',
    'x'.repeat(2_001),
    Array.from({ length: MAX_RULES + 1 }, (_, at) => `r${at}:block`).join(','),
  ])('are refused with what would be right: %s', (text) => {
    expect(() => readRules(text)).toThrow(/^rules .*as in open_power:block,topic\.owner@30:review$/)
  })
})
