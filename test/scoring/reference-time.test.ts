// The time that ages run to: it never stands still for an hour, and a token is due again whenever it moves.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toFactsBlock } from '../../src/ledger/facts/facts.ts'
import { measureToken } from '../../src/scoring/measures.ts'
import { referenceTime } from '../../src/scoring/reference-time.ts'
import { nextTokenChange } from '../../src/scoring/token-score.ts'
import { NOW, swap, token } from '../support/facts.ts'

const FREE = { heldUntil: null }
const at = (time: number, last: number) =>
  token({ block: toFactsBlock(1_000, time), swaps: [swap({ time: last - 60 }), swap({ time: last })] })

test.each([
  [0, 0],
  [4, 0],
  [5, 5],
  [35, 20],
  [45, 40],
])('%i minutes after the last swap the inputs say %i', (minutes, told) => {
  const { measures } = measureToken(at(NOW + 1_200 + 60 * minutes, NOW + 1_200))
  expect(60 * (measures.sinceSwapHours ?? Number.NaN)).toBeCloseTo(told, 9)
})

test('after an hour of quiet the age is at most an hour behind', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 3_599 }), fc.integer({ min: 3_600, max: 200_000 }), (second, quiet) => {
      const behind = NOW + second + quiet - referenceTime(at(NOW + second + quiet, NOW + second))
      expect(behind).toBeGreaterThanOrEqual(0)
      expect(behind).toBeLessThan(3_600)
    }),
  )
})

test('the time never goes back, and moves only when the token is due', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 3_599 }), fc.integer({ min: 0, max: 9_000 }), (second, quiet) => {
      const last = NOW + second
      const facts = at(last + quiet, last)
      const due = nextTokenChange(facts, FREE) ?? Number.NaN
      expect(due).toBeGreaterThan(facts.block.time)
      expect(referenceTime(at(due - 1, last))).toBe(referenceTime(facts))
      expect(referenceTime(at(due, last))).toBeGreaterThanOrEqual(referenceTime(facts))
    }),
  )
})
