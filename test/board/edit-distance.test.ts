// Mistyped letters against the whole table of distances, with exchanged neighbours as one.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createNearness, MOST_TYPED } from '../../src/board/edit-distance.ts'

/** The distance by the definition: every cell of the table. */
function distanceOf(a: string, b: string): number {
  const table = Array.from({ length: a.length + 1 }, (_, row) =>
    Array.from({ length: b.length + 1 }, (_, column) => (row === 0 ? column : column === 0 ? row : 0)),
  )
  const cell = (row: number, column: number) => table[row]?.[column] ?? 0
  for (let row = 1; row <= a.length; row += 1)
    for (let column = 1; column <= b.length; column += 1) {
      const least = [
        cell(row - 1, column) + 1,
        cell(row, column - 1) + 1,
        cell(row - 1, column - 1) + Number(a[row - 1] !== b[column - 1]),
      ]
      const isSwapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      if (isSwapped) least.push(cell(row - 2, column - 2) + 1)
      ;(table[row] as number[])[column] = Math.min(...least)
    }
  return cell(a.length, b.length)
}

test('two texts are within one or two typos exactly if the whole table says so, at any place', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), maxLength: 9 })
  const typed = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), minLength: 1, maxLength: 9 })
  let near = 0
  fc.assert(
    fc.property(typed, text, fc.constantFrom(1, 2), text, text, (a, b, most, left, right) => {
      const bytes = Buffer.from(left + b + right)
      const isNear = distanceOf(a, b) <= most
      near += Number(isNear)
      expect(createNearness(Buffer.from(a), most)(bytes, left.length, left.length + b.length)).toBe(isNear)
    }),
    { numRuns: 20_000, seed: 5 },
  )
  expect(near).toBeGreaterThan(1_000)
})

test('a text as long as may be typed is compared to its last letter', () => {
  const typed = `${'x'.repeat(MOST_TYPED - 3)}abc`
  const isNear = (text: string, most: number) =>
    createNearness(Buffer.from(typed), most)(Buffer.from(text), 0, text.length)
  expect(isNear(typed, 1)).toBe(true)
  expect(isNear(typed.replace('bc', 'cb'), 1)).toBe(true)
  expect(isNear(typed.replace('abc', 'ayz'), 1)).toBe(false)
  expect(isNear(typed.replace('abc', 'ayz'), 2)).toBe(true)
  expect(isNear('y'.repeat(MOST_TYPED), 2)).toBe(false)
})
