import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ContractFacts } from '../../src/ledger/facts/facts.ts'
import { scoreToken } from '../../src/scoring/token-risk.ts'
import { contractFacts, DAY } from '../support/facts.ts'
import { anyFacts, judge, tellVerdict } from '../support/verdict-facts.ts'
import { brokenLaws } from '../support/verdict-laws.ts'

test('the laws of a verdict hold for random combinations of facts', () => {
  fc.assert(
    fc.property(anyFacts, (given) => {
      const verdict = judge(given)
      const broken = brokenLaws(verdict)
      if (broken.length > 0) expect(broken, tellVerdict(verdict)).toEqual([])
    }),
    { numRuns: 3_000 },
  )
})

test('a token whose tried holders were all refused keeps its risk, however much time passes', () => {
  fc.assert(
    fc.property(anyFacts, fc.integer({ min: 1, max: 30 }), fc.integer({ min: 2, max: 8 }), (given, days, tried) => {
      fc.pre(!given.isQuote)
      const shut = contractFacts([{ name: 'cannot_sell', strength: 95 }])
      const numbers = { tried, blocked: tried }
      const refused: ContractFacts = { ...shut, findings: shut.findings.map((one) => ({ ...one, numbers })) }
      const [before, after] = [0, days].map((later) => {
        const time = given.block.time + later * DAY
        const block = { ...given.block, time, hourTime: given.block.hourTime + later * DAY }
        return scoreToken({ ...given, block, previous: null, contract: refused })
      })
      expect(before?.riskScore).toBe(100)
      expect(after?.riskScore).toBe(100)
      expect(after?.explanation.reasons[0]?.name).toBe('cannot_sell')
    }),
    { numRuns: 300 },
  )
})
