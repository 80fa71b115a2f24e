import { expect, test } from 'vitest'
import { sellableUsd } from '../../src/scoring/sellable.ts'

/** The depth of a V2 pool with so many dollars on its quote side. */
const depthOf = (quoteUsd: number) => quoteUsd * (Math.sqrt(1.02) - 1)

test('a holding brings what a pool of constant product pays for it', () => {
  // 100,000 dollars against as many tokens at 1 dollar; 25,000 tokens are sold.
  const paid = 100_000 - (100_000 * 100_000) / 125_000
  const pool = { depth2PctUsd: depthOf(100_000), payableUsd: 100_000 }
  expect(sellableUsd({ ...pool, quantity: 25_000, priceUsd: 1 })).toBeCloseTo(paid, 6)
})

test('a holding brings its value in cash, never more than lies in the pools, and nobody knows what without a price', () => {
  const pools = { payableUsd: 50_000, depth2PctUsd: depthOf(50_000) }
  const huge = { quantity: 1e12, priceUsd: 1, ...pools }
  expect(sellableUsd(huge)).toBeLessThan(50_000)
  expect(sellableUsd({ ...huge, payableUsd: Number.POSITIVE_INFINITY })).toBe(1e12)
  expect(sellableUsd({ ...huge, quantity: 0 })).toBe(0)
  expect(sellableUsd({ ...huge, depth2PctUsd: 0 })).toBeNull()
  expect(sellableUsd({ ...huge, priceUsd: 0 })).toBeNull()
})

test('a holding brings nothing while its token cannot be sold, and no more than a narrow range has money', () => {
  const holding = { quantity: 1_000, priceUsd: 1, depth2PctUsd: depthOf(50_000) }
  expect(sellableUsd({ ...holding, payableUsd: 0 })).toBe(0)
  expect(sellableUsd({ ...holding, payableUsd: 300 })).toBe(300)
})
