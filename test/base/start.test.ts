import { expect, test } from 'vitest'
import { parseStart } from '../../src/base/start.ts'

test.each([
  ['7d', { kind: 'ago', seconds: 604_800 }],
  ['36h', { kind: 'ago', seconds: 129_600 }],
  ['2w', { kind: 'ago', seconds: 1_209_600 }],
  ['head', { kind: 'head' }],
  ['0', { kind: 'block', number: 0 }],
  ['21688329', { kind: 'block', number: 21_688_329 }],
  ['2026-01-31', { kind: 'time', time: 1_769_817_600 }],
  ['2026-01-31T12:00:00+02:00', { kind: 'time', time: 1_769_853_600 }],
])('a start of %s is understood', (text, start) => {
  expect(parseStart(text)).toEqual(start)
})

test.each(['', '0d', '-1', '7 d', '7D', 'tail', '99999w', '4294967296', '1e6', '2026-13-01'])(
  'a start of "%s" is refused',
  (text) => {
    expect(parseStart(text)).toBeNull()
  },
)
