import { expect, test } from 'vitest'
import { growthOf } from '../../src/base/heap.ts'

test('a heap may grow by 64 MB, by three fifths where that is more, and threefold at most', () => {
  const growth = [10, 32, 40, 64, 100, 107, 200, 1_000].map((megabytes) => growthOf(megabytes * 2 ** 20))
  expect(growth).toEqual([200, 200, 160, 100, 64, 60, 60, 60])
})
