import { expect, test } from 'vitest'
import { type BoostOptions, boost } from '../../../src/scoring/evaluation/boost.ts'
import { createRandom } from '../../../src/scoring/evaluation/metrics.ts'
import { type Branch, climb } from '../../../src/scoring/scorecard.ts'

const OPTIONS: BoostOptions = {
  rounds: 60,
  depth: 2,
  rate: 0.2,
  l2: 1,
  minWeight: 1,
  bins: 8,
  rowShare: 0.8,
  inputShare: 1,
}

function examples() {
  const random = createRandom(5)
  return Array.from({ length: 400 }, () => {
    const [a, b] = [random(), random()]
    return { values: [a, b], positive: a + 0.3 * random() > 0.65, weight: 1 }
  })
}

function oddsOf({ intercept, trees }: { intercept: number; trees: Branch[] }, values: (number | null)[]): number {
  let odds = intercept
  for (const tree of trees) climb(tree, values, (_input, points) => (odds += points))
  return odds
}

test('boosted trees learn the input that separates the examples', () => {
  const fitted = boost(examples(), [{ direction: 0 }, { direction: 0 }], OPTIONS, createRandom(1))
  expect(oddsOf(fitted, [0.95, 0.5])).toBeGreaterThan(1)
  expect(oddsOf(fitted, [0.05, 0.5])).toBeLessThan(-1)
})

test('boosting gives the same trees for the same examples and seed', () => {
  const train = () => boost(examples(), [{ direction: 0 }, { direction: 0 }], OPTIONS, createRandom(1))
  expect(JSON.stringify(train())).toBe(JSON.stringify(train()))
})

test.each([1, -1] as const)('a boosted input of direction %i never moves the odds the other way', (direction) => {
  const fitted = boost(examples(), [{ direction }, { direction: 0 }], OPTIONS, createRandom(1))
  for (const b of [0.1, 0.5, 0.9]) {
    const odds = Array.from({ length: 21 }, (_, at) => oddsOf(fitted, [at / 20, b]))
    for (let at = 1; at < odds.length; at++) {
      expect(((odds[at] ?? 0) - (odds[at - 1] ?? 0)) * direction).toBeGreaterThanOrEqual(-1e-3)
    }
  }
})

test('an unknown value adds no points in boosted trees', () => {
  const fitted = boost(examples(), [{ direction: 0 }, { direction: 0 }], { ...OPTIONS, depth: 1 }, createRandom(1))
  expect(oddsOf(fitted, [null, null])).toBe(fitted.intercept)
})
