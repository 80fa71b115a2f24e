import { expect, it } from 'vitest'
import { heldAtStart } from '../../src/base/opening.ts'

it('the balance at the start of a day is the opening of the next change, else the current balance', () => {
  const held = (day: number) => heldAtStart(day, [10, 12], [5, 7], 9)
  expect([9, 10, 11, 12, 13].map(held)).toEqual([5, 5, 7, 7, 9])
  expect(heldAtStart(1, [], [], 3)).toBe(3)
})
