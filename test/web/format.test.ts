import { expect, test } from 'vitest'
import { dollars, dollarsTone, duration, percent, percentTone, points, when } from '../../web/src/format.ts'

const DAY = 86_400

test('no two units of a short age are written alike: fourteen months are no fourteen minutes', () => {
  const ages = [14, 14 * 60, 14 * 3_600, 14 * DAY, 14 * 30 * DAY, 14 * 365 * DAY].map((seconds) => duration(seconds))
  expect(new Set(ages).size).toBe(ages.length)
  expect(ages.every((age) => age.includes('14'))).toBe(true)
})

test('an age that is not known is not 0', () => {
  expect([duration(null), duration(undefined), duration(Number.NaN)]).toEqual(['unknown', 'unknown', 'unknown'])
})

test('a number that prints as zero has no sign and no colour', () => {
  expect([-0.02, 0.02, -0.06, 12.4].map((pct) => [percent(pct, true), percentTone(pct)])).toEqual([
    ['0%', 'faint'],
    ['0%', 'faint'],
    ['-0.1%', 'down'],
    ['+12%', 'up'],
  ])
  expect([-0.001, -0.004, 0.02].map((usd) => [dollars(usd), dollarsTone(usd)])).toEqual([
    ['$0.00', 'faint'],
    ['$0.00', 'faint'],
    ['$0.02', 'up'],
  ])
  expect([-0.004, 0.004, 9].map(points)).toEqual(['0.00', '0.00', '+9.00'])
})

test('a near time is told by its distance, in the past and in the future, others by their date', () => {
  const now = Date.parse('2026-01-02T00:00:00Z')
  const told = [5, 89, 120, 7_200, 3 * DAY, -600, 4 * DAY, 300 * DAY].map((s) =>
    when(new Date(now - s * 1_000).toISOString(), now),
  )
  expect(told.slice(0, 6)).toEqual(['5s ago', '89s ago', '2m ago', '2h ago', '3d ago', 'in 10m'])
  expect(told[6]).toMatch(/^Dec 2\d, \d\d:00 [AP]M$/)
  expect(told[7]).toMatch(/^Mar \d+, 2025, /)
})
