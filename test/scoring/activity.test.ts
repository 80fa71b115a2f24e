import { expect, test } from 'vitest'
import { toNetActivity } from '../../src/scoring/activity.ts'

test.each([
  [106, 100, 'accumulating'],
  [105, 100, 'neutral'],
  [95, 100, 'neutral'],
  [94, 100, 'distributing'],
  [5, 100, 'inactive'],
  [10, 0, 'accumulating'],
  [0, 0, 'inactive'],
  [10, null, 'neutral'],
])('a holding of %d now and %s a week ago is %s', (now, weekAgo, expected) => {
  expect(toNetActivity(now, weekAgo)).toBe(expected)
})
