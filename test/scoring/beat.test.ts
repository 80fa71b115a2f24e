// Which swaps are of one moment.
import { expect, test } from 'vitest'
import { toBeats } from '../../src/scoring/beat.ts'

test('two blocks of one second are one beat, and blocks of two seconds are two', () => {
  const [one, same, later] = [
    { time: 100, block: 7 },
    { time: 100, block: 8 },
    { time: 101, block: 9 },
  ]
  const beatOf = toBeats([one, same, later])
  expect(beatOf(same)).toBe(beatOf(one))
  expect(beatOf(later)).not.toBe(beatOf(one))
})
