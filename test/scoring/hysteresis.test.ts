// A level rises at once and falls late: what one score passes on to the next.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RISK_CUTS, toRiskLevel } from '../../src/base/risk-level.ts'
import { type PreviousScore, type TokenFacts, toFactsBlock } from '../../src/ledger/facts/facts.ts'
import { heldUntil, holdLevel } from '../../src/scoring/hysteresis.ts'
import { toTokenScore } from '../../src/scoring/token-score.ts'
import { HOLD } from '../../src/scoring/weights.ts'
import { NO_KIN, NOW, pool, token } from '../support/facts.ts'

const before = (riskScore: number, ago: number, until: number | null = null): PreviousScore => ({
  riskScore,
  time: NOW - ago,
  heldUntil: until,
})
const floor = (atLeast: number) => ({ reason: 'recently_higher', atLeast })

test.each([
  ['never scored', 20, null, null],
  ['the same level', 70, before(90, 5), null],
  ['a rise', 90, before(20, 5), null],
  ['a fall by a few points', 60, before(72.6, 5), floor(65)],
  ['a fall by many points', 59.9, before(72.6, 5), null],
  ['a fall by one level', 49.9, before(50, 5), floor(50)],
  ['a fall while the level is held', 61, before(70, 5, NOW + 1), floor(65)],
  ['a fall whose time is over', 61, before(70, 5, NOW), null],
  ['a fall after a long time without a score', 61, before(70, HOLD.freshSeconds + 1), null],
])('%s', (_, risk, previous, expected) => {
  expect(holdLevel(risk, { previous, time: NOW, measures: { contract: null } })).toEqual(expected)
})

test.each([
  ['newer than the score before lets a level fall at once', before(70, 12), 12, null],
  ['older than it does not', before(70, 12), 13, floor(65)],
  ['does not end a fall that already waits', before(70, 12, NOW + 60), 0, floor(65)],
])('a check of the contract %s', (_, previous, checkedAgo, expected) => {
  const contract = { checkedAt: NOW - checkedAgo }
  expect(holdLevel(61, { previous, time: NOW, measures: { contract } })).toEqual(expected)
})

/** Scores of a token in time order, each a raw risk and the seconds since the score before. */
const course = fc.array(
  fc.record({ risk: fc.double({ min: 0, max: 100, noNaN: true }), after: fc.integer({ min: 1, max: 900 }) }),
  {
    minLength: 2,
    maxLength: 60,
  },
)
const RANK = ['low', 'medium', 'high', 'critical']
const rankOf = (risk: number) => RANK.indexOf(toRiskLevel(risk))
const startOf = (rank: number) => [0, RISK_CUTS.low, RISK_CUTS.medium, RISK_CUTS.high][rank] ?? 0

test('no level comes back that was left by a few points less than ten minutes ago, and no rise waits', () => {
  fc.assert(
    fc.property(course, (scores) => {
      let previous: PreviousScore | null = null
      let time = NOW
      const shown: { time: number; rank: number; isFar: boolean }[] = []
      for (const { risk, after } of scores) {
        time += after
        const held = holdLevel(risk, { previous, time, measures: { contract: null } })
        const riskScore = Math.max(risk, held?.atLeast ?? 0)
        const until: number | null = heldUntil(held ? [held] : [], { previous, block: toFactsBlock(1, time) })
        previous = { riskScore, time, heldUntil: until }
        expect(rankOf(riskScore)).toBeGreaterThanOrEqual(rankOf(risk))
        shown.push({ time, rank: rankOf(riskScore), isFar: startOf(shown.at(-1)?.rank ?? 0) - risk > HOLD.points })
      }
      for (const [at, fallen] of shown.entries()) {
        const left = shown[at - 1]
        if (!left || left.rank <= fallen.rank || fallen.isFar) continue
        // Every score of the ten minutes before the fall was lower by itself: the level was held for all of them.
        const recent = scores.slice(0, at).filter((_, nth) => (shown[nth]?.time ?? 0) > fallen.time - HOLD.seconds)
        expect(recent.every(({ risk }) => rankOf(risk) < left.rank)).toBe(true)
      }
    }),
  )
})

test('a held level is in the score, its floors and its reasons, and ends at a time that is stored', () => {
  const calm = token({ deployerRecord: { ...NO_KIN, tokens: 6, pulled: 3 } })
  const fallen = { ...calm, previous: before(51, 12) } satisfies TokenFacts
  const [score, held] = [toTokenScore(calm), toTokenScore(fallen)]
  expect(score.riskLevel).toBe('medium')
  expect(RISK_CUTS.medium - score.riskScore).toBeLessThan(HOLD.points)
  expect([held.riskLevel, held.heldUntil, score.heldUntil]).toEqual(['high', NOW + HOLD.seconds, null])
  expect(held.explanation.floors).toContainEqual(floor(50))
  const later = { ...fallen, block: toFactsBlock(1_050, NOW + HOLD.seconds) }
  const kept = { riskScore: held.riskScore, time: NOW, heldUntil: held.heldUntil }
  expect(toTokenScore({ ...later, previous: kept }).explanation.floors).not.toContainEqual(floor(50))
})

test('a level that rises by a floor does so at once', () => {
  const day = {
    day: Math.floor(NOW / 86_400),
    openQuote: 10,
    closeQuote: 0.01,
    keptFraction: 0.001,
    removalCount: 1,
    beforeRemovalQuote: 10,
  }
  const pulled = token({ pools: [pool({ quoteReserve: 0.01, liquidityUsd: 50, days: [day] })], liquidityUsd: 50 })
  expect(toTokenScore({ ...pulled, previous: before(20, 5) })).toMatchObject({ riskLevel: 'critical', heldUntil: null })
})
