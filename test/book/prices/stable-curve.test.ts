import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { stablePrice } from '../../../src/book/prices/stable-curve.ts'

const side = fc.double({ min: 1, max: 1e9, noNaN: true })

/** Y that keeps x^3 y + y^3 x, by halving. */
function keep(x: number, k: number): number {
  let [low, high] = [0, 1e12]
  for (let i = 0; i < 200; i++) {
    const y = (low + high) / 2
    if (x ** 3 * y + y ** 3 * x < k) low = y
    else high = y
  }
  return (low + high) / 2
}

describe('the price on the stable curve', () => {
  test('is one where both sides are equal, and near one where they are not far apart', () => {
    expect(stablePrice(500, 500)).toBe(1)
    expect(stablePrice(900, 1_100)).toBeCloseTo(1.002, 2)
  })

  test('is the price of a small swap', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 1, max: 1e6, noNaN: true }),
        fc.double({ min: 0.05, max: 20, noNaN: true }),
        (x, ratio) => {
          const y = x * ratio
          const k = x ** 3 * y + y ** 3 * x
          const step = x * 1e-4
          const paid = (y - keep(x + step, k)) / step
          expect(paid / stablePrice(x, y)).toBeCloseTo(1, 2)
        },
      ),
    )
  })

  test('of one token in the other is the inverse of the other way round', () => {
    fc.assert(fc.property(side, side, (x, y) => Math.abs(stablePrice(x, y) * stablePrice(y, x) - 1) < 1e-9))
  })

  test('is unknown where a side is empty', () => {
    expect([stablePrice(0, 5), stablePrice(5, 0)]).toEqual([0, 0])
  })
})
