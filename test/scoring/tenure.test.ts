import { expect, test } from 'vitest'
import type { ProviderFacts } from '../../src/ledger/facts/facts.ts'
import { measureTenure } from '../../src/scoring/tenure.ts'
import { NOW, pool, token } from '../support/facts.ts'

const START = NOW - 36_000
const owner = (id: number, share: number, after: number, more: Partial<ProviderFacts> = {}): ProviderFacts => ({
  id,
  kind: 'account',
  share,
  hasAdded: true,
  since: START + after,
  locks: [],
  ...more,
})
const measure = (providers: ProviderFacts[] | null) =>
  measureTenure(
    token({
      createdAt: START,
      firstLiquidityAt: START,
      swaps: [],
      liquidityUsd: 500,
      peakLiquidityUsd: 2_000,
      pools: [pool({ providers })],
    }),
  )

test('shares are followed from the first liquidity to their newest change', () => {
  expect(measure([owner(1, 0.6, 0), owner(2, 0.3, 3_600), owner(3, 0.1, 7_200, { kind: 'burned' })])).toMatchObject({
    sharesMovedHours: 2,
    liquidityToPeak: 0.25,
  })
  expect(measure([owner(1, 1, 0)]).sharesMovedHours).toBe(0)
})

test('unknown providers say null, not none', () => {
  expect(measure(null).sharesMovedHours).toBeNull()
})

test('keptShare is the rest after the heaviest day of removals', () => {
  const day = { day: 1, openQuote: 1, closeQuote: 1, removalCount: 1, beforeRemovalQuote: 1 }
  const days = [
    { ...day, keptFraction: 0.4 },
    { ...day, keptFraction: 0.9 },
  ]
  expect(measureTenure(token({ pools: [pool({ days })] })).keptShare).toBe(0.4)
})
