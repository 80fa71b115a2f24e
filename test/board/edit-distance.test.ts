// Mistyped letters against the whole table of distances, with exchanged neighbours as one.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isWithin } from '../../src/board/edit-distance.ts'

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

test('two texts are within one or two mistyped letters exactly where the whole table says so, wherever the one stands', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), maxLength: 9 })
  let near = 0
  fc.assert(
    fc.property(text, text, fc.constantFrom(1, 2), text, text, (a, b, most, left, right) => {
      const bytes = Buffer.from(left + b + right)
      const isNear = distanceOf(a, b) <= most
      near += Number(isNear)
      expect(isWithin(Buffer.from(a), bytes, most, left.length, left.length + b.length)).toBe(isNear)
    }),
    { numRuns: 20_000, seed: 5 },
  )
  expect(near).toBeGreaterThan(1_000)
})

test('a text that differs everywhere, or is far too long, is not near', () => {
  expect(isWithin(Buffer.from('x'.repeat(300)), Buffer.from('y'.repeat(300)), 2)).toBe(false)
  expect(isWithin(Buffer.from('x'.repeat(300)), Buffer.from('x'.repeat(299)), 1)).toBe(true)
})
