import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toRiskLevel } from '../../src/base/risk-level.ts'
import { liftScore, settleScore } from '../../src/scoring/composite.ts'
import { pullChance } from '../../src/scoring/pull-chance.ts'

const SCORE = fc.double({ min: 0, max: 100, noNaN: true })

test('a floor lifts into its level or above, and never changes the order of scores', () => {
  fc.assert(
    fc.property(SCORE, SCORE, fc.integer({ min: 0, max: 99 }), (one, other, floor) => {
      const [low, high] = one < other ? [one, other] : [other, one]
      expect(liftScore(low, floor)).toBeLessThanOrEqual(liftScore(high, floor) + 1e-9)
      expect(liftScore(low, floor)).toBeGreaterThanOrEqual(Math.min(floor, 100))
      expect(liftScore(low, floor)).toBeGreaterThanOrEqual(low - 1e-9)
    }),
  )
})

test('scores below a floor keep apart, within the level of the floor', () => {
  expect([5, 20].map((score) => liftScore(score, 30))).toEqual([32, 38])
  expect(toRiskLevel(liftScore(49, 30))).toBe('medium')
  expect(
    settleScore({
      composite: 20,
      floors: [
        { reason: 'young', atLeast: 30 },
        { reason: 'high_tax', atLeast: 50 },
      ],
    }),
  ).toBe(54.62)
})

test('the chance of a pull falls with age and rises with the log-odds', () => {
  fc.assert(
    fc.property(
      fc.double({ min: -6, max: 6, noNaN: true }),
      fc.double({ min: 0, max: 2_000, noNaN: true }),
      (odds, hours) => {
        expect(pullChance(odds, hours)).toBeGreaterThanOrEqual(pullChance(odds, hours + 24))
        expect(pullChance(odds + 0.1, hours)).toBeGreaterThan(pullChance(odds, hours))
      },
    ),
  )
  expect(pullChance(0, 24)).toBeCloseTo(1 / (1 + Math.exp(0.69)), 6)
})
