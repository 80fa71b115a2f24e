import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toSixDigits } from '../../src/base/decimal.ts'

test('rounding to six significant digits gives the double nearest to that decimal number', () => {
  for (const [value, rounded] of [
    [1 / 3, 0.333333],
    [-2 / 3, -0.666667],
    [138.1064319609163, 138.106],
    [0.000019762307409789178, 0.0000197623],
    [999_999.6, 1_000_000],
    [123_456_789, 123_457_000],
    [0, 0],
    [Number.NaN, Number.NaN],
    [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY],
  ] as const)
    expect(toSixDigits(value)).toBe(rounded)
  fc.assert(
    fc.property(fc.double({ min: 1e-15, max: 1e20, noNaN: true }), (value) => {
      const rounded = toSixDigits(value)
      expect(Math.abs(rounded - value) / value).toBeLessThanOrEqual(5.0001e-6)
      expect(Number(rounded.toPrecision(6))).toBe(rounded)
    }),
  )
})
