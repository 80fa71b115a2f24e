import fc from 'fast-check'
import { expect, test } from 'vitest'
import { gapsOf, medianOf } from '../../src/scoring/gaps.ts'

test('the median of an even number of values is the upper middle one', () => {
  expect(medianOf([])).toBeNull()
  expect(medianOf([5])).toBe(5)
  expect(medianOf([2, 1])).toBe(2)
  const value = fc.oneof(fc.integer({ min: 0, max: 5 }), fc.double({ noNaN: true }))
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 60 }), (values) => {
      const sorted = values.toSorted((a, b) => a - b)
      expect(medianOf(values) === sorted[Math.floor(values.length / 2)]).toBe(true)
    }),
  )
})

test('gaps are the seconds from each trade to the next', () => {
  expect(gapsOf([{ time: 3 }, { time: 10 }, { time: 10 }])).toEqual([7, 0])
  expect(gapsOf([{ time: 3 }])).toEqual([])
})
