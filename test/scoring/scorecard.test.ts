import fc from 'fast-check'
import { expect, test } from 'vitest'
import { recomputeScore } from '../../src/scoring/composite.ts'
import { applyScorecard, type Scorecard, withoutActivity } from '../../src/scoring/scorecard.ts'
import { scoreToken } from '../../src/scoring/token-risk.ts'
import { TOKEN_WEIGHTS } from '../../src/scoring/weights.ts'
import { pool, token } from '../support/facts.ts'

const CARD: Scorecard = {
  intercept: 0.5,
  inputs: [
    { name: 'exitShare', activity: false, direction: 1 },
    { name: 'swapCount', activity: true, direction: -1 },
  ],
  trees: [
    [0, 0.5, -1, 0, 2, [1, 100, 0.25, 0, -0.75, 0]],
    [1, 10, 0.125, 0, -0.125, 0],
  ],
  linear: [{ dimension: 'holders', weight: 0.01, centre: 60 }],
}
const DIMENSIONS = { liquidity: { value: 0 }, holders: { value: 80 }, wash: { value: 0 }, smartMoney: { value: 0 } }

const pointsOf = (values: Record<string, unknown>) =>
  applyScorecard(CARD, values, DIMENSIONS).map((part) => part.contribution)

test('every branch credits the input that it tests, and a linear term its distance from the centre', () => {
  expect(pointsOf({ exitShare: 0.9, swapCount: 200 })).toEqual([2, -0.75 - 0.125, 0.2])
  expect(pointsOf({ exitShare: 0.1, swapCount: 200 })).toEqual([-1, -0.125, 0.2])
})

test('a value equal to the threshold takes the upper branch', () => {
  expect(pointsOf({ exitShare: 0.5, swapCount: 10 })).toEqual([2, 0.25 - 0.125, 0.2])
})

test('an unknown value ends its tree without points', () => {
  expect(pointsOf({ exitShare: null, swapCount: Number.NaN })).toEqual([0, 0, 0.2])
  expect(pointsOf({ exitShare: 0.9 })).toEqual([2, 0, 0.2])
})

test('withoutActivity treats inputs that count or time trades as unknown', () => {
  const values = { exitShare: 0.9, swapCount: 200 }
  expect(applyScorecard(withoutActivity(CARD), values, DIMENSIONS)[1]).toMatchObject({ value: null, contribution: 0 })
})

test('the committed scorecard reads only existing measures', () => {
  const { measures } = scoreToken(token())
  for (const { name } of TOKEN_WEIGHTS.scorecard?.inputs ?? []) expect(measures).toHaveProperty(name)
  expect(TOKEN_WEIGHTS.scorecard?.trees.length).toBeGreaterThan(0)
})

test('the published contributions and the intercept add up exactly to the score', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 100_000 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0, max: 1e8, noNaN: true }),
      (swapCount, share, liquidityUsd) => {
        const provider = { id: 1, kind: 'account' as const, share, hasAdded: true, since: 0, locks: [] }
        const facts = token({ swapCount, liquidityUsd, pools: [pool({ liquidityUsd, providers: [provider] })] })
        const { explanation, riskScore } = scoreToken(facts)
        expect(recomputeScore(explanation)).toBe(riskScore)
        expect(riskScore).toBeGreaterThanOrEqual(0)
        expect(riskScore).toBeLessThanOrEqual(100)
      },
    ),
    { numRuns: 50 },
  )
})
