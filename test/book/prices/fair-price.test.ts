import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fairPrice, type Quotation } from '../../../src/book/prices/fair-price.ts'
import { depthOf, worthOf } from '../../../src/book/prices/pool-depth.ts'

/** A pool of constant product with these sides, in dollars and whole tokens. */
const v2 = (poolId: number, quoteUsd: number, base: number): Quotation => {
  const usd = quoteUsd / base
  return {
    poolId,
    usd,
    quoteUsd,
    base,
    depthUsd: depthOf({ quote: quoteUsd, base, price: usd, active: null, isRanged: false, isStable: false }),
  }
}
/** The same after a trade that puts so many dollars in (below 0: takes them out, against tokens). */
const traded = (pool: Quotation, usd: number): Quotation => {
  const quoteUsd = pool.quoteUsd + usd
  return v2(pool.poolId, quoteUsd, (pool.quoteUsd * pool.base) / quoteUsd)
}

describe('the price that pools tell together', () => {
  test('is that of the only pool, to the last digit', () => {
    const pool = v2(7, 50_000, 3)
    const { poolId, usd, depthUsd } = pool
    expect(fairPrice([pool], 12)).toEqual({ poolId, usd, depthUsd, poolCount: 1, outlierShare: 0 })
    expect(fairPrice([], 12)).toBeNull()
  })

  test('is the mean of those that agree, weighed by depth', () => {
    const [deep, thin, off] = [v2(1, 300_000, 300_000), v2(2, 100_400, 100_000), v2(3, 90_000, 60_000)]
    const fair = fairPrice([off, thin, deep], 1)
    expect(fair?.usd).toBeCloseTo((300_000 * 1 + 100_400 * 1.004) / 400_400, 12)
    expect(fair).toMatchObject({ poolCount: 2, poolId: 1 })
    expect(fair?.depthUsd).toBeCloseTo(deep.depthUsd + thin.depthUsd, 9)
    expect(fair?.outlierShare).toBeCloseTo(60_000 / 460_000, 2)
  })

  test('moves by less than 1 % under one trade of any size in a pool that is not the largest', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 2_000, max: 5e6, noNaN: true }),
        fc.double({ min: 0.001, max: 0.9, noNaN: true }),
        fc.double({ min: -0.9999, max: 1e5, noNaN: true }),
        fc.double({ min: 1e-9, max: 1e4, noNaN: true }),
        (quoteUsd, part, trade, usd) => {
          const honest = v2(1, quoteUsd, quoteUsd / usd)
          const thin = v2(2, part * quoteUsd, (part * quoteUsd) / usd)
          const before = fairPrice([honest, thin], 0)?.usd ?? 0
          const after = fairPrice([honest, traded(thin, trade * thin.quoteUsd)], before)?.usd ?? 0
          expect(Math.abs(after / before - 1)).toBeLessThan(0.01)
        },
      ),
      { numRuns: 300 },
    )
  })

  test('follows when the largest pool moves, and the others after it', () => {
    const [large, small] = [v2(1, 100_000, 100_000), v2(2, 50_000, 50_000)]
    const first = fairPrice([traded(large, 40_000), small], 1)
    expect(first?.usd).toBeCloseTo(1.96, 9)
    const second = fairPrice([traded(large, 40_000), traded(small, 20_000)], first?.usd ?? 0)
    expect(second).toMatchObject({ poolCount: 2, outlierShare: 0 })
  })

  test('does not depend on the order of the pools', () => {
    const pool = fc
      .tuple(fc.double({ min: 1e3, max: 1e6, noNaN: true }), fc.double({ min: 1, max: 1e6, noNaN: true }))
      .map(([quoteUsd, base]) => v2(0, quoteUsd, base))
    fc.assert(
      fc.property(
        fc.array(pool, { minLength: 2, maxLength: 6 }),
        fc.double({ min: 0, max: 1e3, noNaN: true }),
        (pools, before) => {
          const named = pools.map((one, poolId) => ({ ...one, poolId }))
          const [forth, back] = [fairPrice(named, before), fairPrice([...named].reverse(), before)]
          expect(back?.poolId).toBe(forth?.poolId)
          expect((back?.usd ?? 0) / (forth?.usd ?? 1)).toBeCloseTo(1, 12)
        },
      ),
      { numRuns: 200 },
    )
  })
})

describe('the depth of a pool', () => {
  test('is the size of a trade that moves a V2 price by 2 %', () => {
    const depth = depthOf({ quote: 1_000, base: 500, price: 2, active: null, isRanged: false, isStable: false })
    const quote = 1_000 + depth
    expect(quote / ((1_000 * 500) / quote)).toBeCloseTo(2 * 1.02, 12)
  })

  test('of a V3 pool is that of its active liquidity, and never more than lies on its smaller side', () => {
    const pool = { quote: 1_000, base: 500, price: 2, isRanged: true, isStable: false }
    expect(depthOf({ ...pool, active: 20_000 })).toBeCloseTo(199.01, 2)
    expect(depthOf({ ...pool, active: 1e9 })).toBe(1_000)
    expect(depthOf({ ...pool, quote: 3, active: 1e9 })).toBe(3)
    expect(depthOf({ ...pool, active: 0 })).toBe(0)
    expect(depthOf({ ...pool, active: null })).toBeCloseTo(9.95, 2)
  })
})

describe('the worth of a pool', () => {
  const pool = { quote: 1_000, base: 500, price: 2, active: null, isStable: false }
  test('is both sides, the base side of V3 for three times the quote side at most', () => {
    expect(worthOf({ ...pool, isRanged: false })).toBe(2_000)
    expect(worthOf({ ...pool, isRanged: true, base: 100 })).toBe(1_200)
    expect(worthOf({ ...pool, isRanged: true, base: 1e9 })).toBe(4_000)
    expect(worthOf({ ...pool, isRanged: true, quote: 0 })).toBe(0)
  })
})
