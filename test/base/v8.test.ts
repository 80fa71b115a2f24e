import { expect, test } from 'vitest'
import { growthOf } from '../../src/base/v8.ts'

test('a heap may grow to 120 MB, by half where that is more, and fourfold at most', () => {
  const growth = [10, 40, 48, 60, 75, 80, 120, 1_000].map((megabytes) => growthOf(megabytes * 2 ** 20))
  expect(growth).toEqual([300, 200, 150, 100, 60, 50, 50, 50])
})
