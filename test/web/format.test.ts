import { expect, test } from 'vitest'
import { duration } from '../../web/src/format.ts'

const DAY = 86_400

test('no two units of a short age are written alike: fourteen months are no fourteen minutes', () => {
  const ages = [14, 14 * 60, 14 * 3_600, 14 * DAY, 14 * 30 * DAY, 14 * 365 * DAY].map((seconds) => duration(seconds))
  expect(new Set(ages).size).toBe(ages.length)
  expect(ages.every((age) => age.includes('14'))).toBe(true)
})

test('an age that is not known is not 0', () => {
  expect([duration(null), duration(undefined), duration(Number.NaN)]).toEqual(['unknown', 'unknown', 'unknown'])
})
