// Whether an index is too far behind, in blocks and in seconds.
import { expect, test } from 'vitest'
import { isBehind } from '../../src/base/max-lag.ts'

const FIVE_MINUTES = { seconds: 300 }

test.each([
  ['fast blocks of ten seconds are no lag', { blocks: 50, seconds: 10 }, false],
  ['fast blocks of ten minutes are one', { blocks: 3_000, seconds: 600 }, true],
  ['few slow blocks are no lag', { blocks: 10, seconds: 3_600 }, false],
  ['more slow blocks are one', { blocks: 11, seconds: 3_600 }, true],
  ['while blocks have no known time, 50 are no lag', { blocks: 50, seconds: null }, false],
  ['and 51 are one', { blocks: 51, seconds: null }, true],
])('%s', (_, lag, behind) => {
  expect(isBehind(lag, FIVE_MINUTES)).toBe(behind)
})

test('a number counts blocks, whatever their time', () => {
  expect(isBehind({ blocks: 51, seconds: 1 }, 50)).toBe(true)
  expect(isBehind({ blocks: 50, seconds: 9_999 }, 50)).toBe(false)
})
