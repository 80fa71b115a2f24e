import { expect, test } from 'vitest'
import { weekOf } from '../../src/base/clock.ts'

test('a week begins on Thursday 00:00 UTC', () => {
  const thursday = Date.UTC(2025, 10, 6)
  expect(new Date(thursday).getUTCDay()).toBe(4)
  const seconds = thursday / 1_000
  expect(weekOf(seconds) - weekOf(seconds - 1)).toBe(1)
  expect(weekOf(seconds + 7 * 86_400 - 1)).toBe(weekOf(seconds))
})
