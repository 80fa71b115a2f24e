import { expect, test } from 'vitest'
import { itemAt } from '../../src/base/item-at.ts'

test('itemAt gives the item of a list and of a typed array', () => {
  expect(itemAt(['a', 'b'], 1)).toBe('b')
  expect(itemAt(Float64Array.of(1.5, 2.5), 0)).toBe(1.5)
  expect(itemAt([null], 0)).toBeNull()
})

test('itemAt names the index and the length of a list that has no such item', () => {
  expect(() => itemAt(['a', 'b'], 2)).toThrow(new RangeError('A list of 2 items has none at 2.'))
})
