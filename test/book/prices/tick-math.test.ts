// The amounts of ranges of liquidity: known values of Uniswap's contracts, and invariants of any range.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { amountsOfRange, rootAtTick } from '../../../src/book/prices/tick-math.ts'

const Q96 = 1n << 96n

describe('square roots of prices', () => {
  test.each([
    // v3-core, TickMath.spec.ts and TickMath.sol.
    [-887_272, 4_295_128_739n],
    [887_272, 1461446703485210103287273052203988822378723970342n],
    [0, Q96],
    [50, 79426470787362580746886972461n],
    [-50, 79030349367926598376800521322n],
    [100, 79625275426524748796330556128n],
    [500_000, 5697689776495288729098254600827762987878n],
  ])('tick %i has the root that Uniswap computes', (tick, root) => {
    expect(rootAtTick(tick)).toBe(root)
  })

  test('a tick beyond the last counts as the last', () => {
    expect(rootAtTick(2_000_000)).toBe(rootAtTick(887_272))
    expect(rootAtTick(-2_000_000)).toBe(rootAtTick(-887_272))
  })
})

const range = fc.record({
  lower: fc.integer({ min: -400_000, max: 399_000 }),
  width: fc.integer({ min: 1, max: 200_000 }),
  at: fc.integer({ min: -600_000, max: 600_000 }),
  liquidity: fc.bigInt({ min: 1n, max: 10n ** 27n }),
})

describe('amounts of a range', () => {
  test('below its range liquidity is all token 0, above it all token 1', () => {
    fc.assert(
      fc.property(range, ({ lower, width, at, liquidity }) => {
        const upper = lower + width
        const [amount0, amount1] = amountsOfRange(rootAtTick(at), lower, upper, liquidity)
        expect(amount0 === 0n).toBe(at >= upper)
        expect(amount1 === 0n).toBe(at <= lower)
      }),
    )
  })

  test('taking out never gives more than putting in cost, and at most one raw unit less', () => {
    fc.assert(
      fc.property(range, ({ lower, width, at, liquidity }) => {
        const root = rootAtTick(at)
        const put = amountsOfRange(root, lower, lower + width, liquidity)
        const taken = amountsOfRange(root, lower, lower + width, -liquidity)
        for (const side of [0, 1] as const) {
          expect(put[side] - taken[side]).toBeGreaterThanOrEqual(0n)
          expect(put[side] - taken[side]).toBeLessThanOrEqual(2n)
        }
      }),
    )
  })
})
