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

test('tenure gives the hours from the first liquidity to the newest change of a share, and since', () => {
  expect(measure([owner(1, 0.6, 0), owner(2, 0.3, 3_600), owner(3, 0.1, 7_200, { kind: 'burned' })])).toMatchObject({
    nextExitShare: 0.3,
    burnedLiquidityShare: 0.1,
    sharesMovedHours: 2,
    sharesHeldHours: 8,
    lockDelayHours: 2,
    lockHeldHours: 8,
    exitMovedHours: 0,
    liquidityToPeak: 0.25,
  })
})

test('without a lock, the lock delay is the life so far and the lock age is 0', () => {
  expect(measure([owner(1, 1, 0)])).toMatchObject({ nextExitShare: 0, lockDelayHours: 10, lockHeldHours: 0 })
})

test('with unknown providers, tenure is null and not 0', () => {
  expect(measure(null)).toMatchObject({ nextExitShare: null, sharesHeldHours: null, lockHeldHours: null })
})

test('keptShare is what the heaviest day of removals left', () => {
  const day = { day: 1, openQuote: 1, closeQuote: 1, removalCount: 1, beforeRemovalQuote: 1 }
  const days = [
    { ...day, keptFraction: 0.4 },
    { ...day, keptFraction: 0.9 },
  ]
  expect(measureTenure(token({ pools: [pool({ days })] })).keptShare).toBe(0.4)
})
