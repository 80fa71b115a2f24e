import { expect, test } from 'vitest'
import { toPrintable } from '../../src/base/printable.ts'

test('a text for a terminal keeps its lines, and nothing that moves the cursor or turns the text', () => {
  expect(toPrintable('a\tb\nc')).toBe('a\tb\nc')
  expect(toPrintable('\u001b[2J\u009b2J\r\u0007\u202e')).toBe('\ufffd[2J\ufffd2J\ufffd\ufffd\ufffd')
})
