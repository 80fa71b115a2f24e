import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyFacts, judge, tellVerdict } from '../support/verdict-facts.ts'
import { brokenLaws } from '../support/verdict-laws.ts'

test('the laws of a verdict hold for 100,000 random combinations of facts', () => {
  fc.assert(
    fc.property(anyFacts, (given) => {
      const verdict = judge(given)
      const broken = brokenLaws(verdict)
      if (broken.length > 0) expect(broken, tellVerdict(verdict)).toEqual([])
    }),
    { numRuns: 100_000 },
  )
}, 900_000)
