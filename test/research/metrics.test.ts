import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  areaUnderCurve,
  bootstrapInterval,
  createRandom,
  judgeAtRate,
  judgeFlag,
} from '../../research/statistics/metrics.ts'

const cases = (...scores: [boolean, number][]) => scores.map(([positive, score]) => ({ positive, score }))

test('the area under the curve is the share of pairs in the right order, with ties counted half', () => {
  expect(areaUnderCurve(cases([true, 3], [false, 1]))).toBe(1)
  expect(areaUnderCurve(cases([true, 1], [false, 3]))).toBe(0)
  expect(areaUnderCurve(cases([true, 2], [false, 2]))).toBe(0.5)
  expect(areaUnderCurve(cases([true, 3], [true, 1], [false, 2], [false, 0]))).toBe(0.75)
  expect(areaUnderCurve(cases([true, 3], [true, 1]))).toBeNull()
})

test('the area under the curve equals a count over all pairs', () => {
  const one = fc.record({ positive: fc.boolean(), score: fc.integer({ min: 0, max: 9 }) })
  fc.assert(
    fc.property(fc.array(one, { minLength: 2, maxLength: 40 }), (all) => {
      const pairs = all
        .filter((it) => it.positive)
        .flatMap((a) =>
          all.filter((it) => !it.positive).map((b) => (a.score > b.score ? 1 : a.score < b.score ? 0 : 0.5)),
        )
      const counted = pairs.length ? pairs.reduce<number>((sum, pair) => sum + pair, 0) / pairs.length : null
      const area = areaUnderCurve(all)
      if (counted === null) expect(area).toBeNull()
      else expect(area).toBeCloseTo(counted, 12)
    }),
  )
})

test('judgeFlag gives the precision and the recall of a flag', () => {
  const verdict = judgeFlag([
    { positive: true, flagged: true },
    { positive: true, flagged: false },
    { positive: false, flagged: true },
    { positive: false, flagged: false },
  ])
  expect(verdict).toEqual({ precision: 0.5, recall: 0.5, flagged: 2 })
  expect(judgeFlag([{ positive: false, flagged: false }])).toEqual({ precision: null, recall: null, flagged: 0 })
})

test('judgeAtRate flags the cases with the highest scores', () => {
  const all = cases(
    [true, 9],
    [true, 8],
    [false, 7],
    [false, 6],
    [true, 5],
    [false, 1],
    [false, 1],
    [false, 0],
    [false, 0],
    [false, 0],
  )
  expect(judgeAtRate(all, 0.2)).toEqual({ rate: 0.2, precision: 1, recall: 2 / 3, flagged: 2 })
})

test('the bootstrap interval contains the area, and is the same for the same seed', () => {
  const random = createRandom(3)
  const all = Array.from({ length: 120 }, (_, at) => ({
    positive: at % 2 === 0,
    score: random() + (at % 2 ? 0 : 0.4),
    token: `${at}`,
  }))
  const [low, high] = bootstrapInterval(all, (it) => it.token, createRandom(1)) ?? [0, 0]
  const area = areaUnderCurve(all) ?? 0
  expect(low).toBeLessThan(area)
  expect(high).toBeGreaterThan(area)
  expect(bootstrapInterval(all, (it) => it.token, createRandom(1))).toEqual([low, high])
})
