import { expect, it } from 'vitest'
import { checkName } from '../../src/base/alert.ts'

it('an alert name may have 1 to 100 characters of any script after trimming', () => {
  expect(checkName('  New and deep ')).toEqual({ name: 'New and deep' })
  expect(checkName('🦊'.repeat(100))).toEqual({ name: '🦊'.repeat(100) })
})

it.each(['', '   ', 'x'.repeat(101), 'a\r\nBcc: b', 'a\u0000b', 'a\u0085b', 'a\u2028b'])(
  'the alert name %j is refused',
  (name) => {
    expect(checkName(name)).toHaveProperty('fault')
  },
)
