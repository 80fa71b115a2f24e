import { expect, test } from 'vitest'
import { sayUsd, toCount, toPercent } from '../../src/words/numbers.ts'
import { count, dollars, dollarsTone, duration, percent, percentTone, points, when } from '../../web/src/format.ts'

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
    ['0 %', 'faint'],
    ['0 %', 'faint'],
    ['-0.1 %', 'down'],
    ['+12 %', 'up'],
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

test('server and page write dollars, counts and percentages in one form', () => {
  expect([300_000, 1_200_000, 34_000, 560, 7_800_000_000, 2e12].map((usd) => [dollars(usd), usd])).toEqual(
    [300_000, 1_200_000, 34_000, 560, 7_800_000_000, 2e12].map((usd) => [sayUsd(usd), usd]),
  )
  expect([7, 7_131, 99_999].map(count)).toEqual([7, 7_131, 99_999].map(toCount))
  expect([12, 45, 100].map((pct) => percent(pct))).toEqual([0.12, 0.45, 1].map(toPercent))
  expect([dollars(-5_100), dollars(300_240), count(1_234_567)]).toEqual(['-$5.1k', '$300.2k', '1.2m'])
})
