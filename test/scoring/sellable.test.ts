import { expect, test } from 'vitest'
import { sellableUsd } from '../../src/scoring/sellable.ts'

/** The depth of a V2 pool with so many dollars on its quote side. */
const depthOf = (quoteUsd: number) => quoteUsd * (Math.sqrt(1.02) - 1)

test('a holding brings what a pool of constant product pays for it', () => {
  // 100,000 dollars against as many tokens at 1 dollar; 25,000 tokens are sold.
  const paid = 100_000 - (100_000 * 100_000) / 125_000
  const holding = { valueUsd: 25_000, priceUsd: 1, depth2PctUsd: depthOf(100_000), pricePoolCount: 1 }
  expect(sellableUsd(holding)).toBeCloseTo(paid, 6)
})

test('a holding brings its value in cash, never more than lies in the pools, and nobody knows what without a price', () => {
  const huge = { valueUsd: 1e12, priceUsd: 1, depth2PctUsd: depthOf(50_000), pricePoolCount: 2 }
  expect(sellableUsd(huge)).toBeLessThan(50_000)
  expect(sellableUsd({ ...huge, pricePoolCount: 0 })).toBe(1e12)
  expect(sellableUsd({ ...huge, valueUsd: 0 })).toBe(0)
  expect(sellableUsd({ ...huge, depth2PctUsd: 0 })).toBeNull()
  expect(sellableUsd({ ...huge, priceUsd: 0, valueUsd: 0 })).toBeNull()
})
