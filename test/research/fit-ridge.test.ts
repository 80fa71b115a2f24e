import { expect, test } from 'vitest'
import { fitRidge, type RidgeColumn } from '../../research/statistics/fit-ridge.ts'
import { createRandom } from '../../research/statistics/metrics.ts'

const ROWS = 4_000
const random = createRandom(7)
const draw = () => Float64Array.from({ length: ROWS }, () => 2 * random() - 1)
const [first, second] = [draw(), draw()]
/** True log-odds: 1 + 2 x first - second. */
const positive = Array.from(first, (value, row) => random() < 1 / (1 + Math.exp(-(1 + 2 * value - (second[row] ?? 0)))))
const rows = { positive, weights: new Float64Array(ROWS).fill(1) }
const free = (values: Float64Array): RidgeColumn => ({ values, low: -9, high: 9 })

test('the fit finds the coefficients that made the labels', () => {
  const { intercept, coefficients } = fitRidge([free(first), free(second)], rows, 0.01)
  expect(intercept).toBeCloseTo(1, 0)
  expect(Math.abs((coefficients[0] ?? 0) - 2)).toBeLessThan(0.2)
  expect(Math.abs((coefficients[1] ?? 0) + 1)).toBeLessThan(0.2)
})

test('a bound holds whatever the labels say', () => {
  const { coefficients } = fitRidge(
    [
      { ...free(first), high: 0.5 },
      { ...free(second), low: 0 },
    ],
    rows,
    0.01,
  )
  expect(coefficients[0]).toBe(0.5)
  expect(coefficients[1]).toBe(0)
})

test('a strong penalty leaves a coefficient at 0', () => {
  const { coefficients } = fitRidge([free(first)], rows, 1e9)
  expect(coefficients[0]).toBeCloseTo(0, 3)
})

test('labels that one column tells apart without an error do not let the fit run away', () => {
  const sure = Float64Array.from(positive, (is) => (is ? 1 : -1))
  const { coefficients } = fitRidge([free(sure)], rows, 25)
  expect(coefficients[0]).toBeGreaterThan(2)
  expect(coefficients[0]).toBeLessThan(9)
})
