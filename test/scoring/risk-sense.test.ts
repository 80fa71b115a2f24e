import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { TokenFacts } from '../../src/ledger/facts/facts.ts'
import { toRiskValues } from '../../src/scoring/risk-inputs.ts'
import fitted from '../../src/scoring/risk-model.json' with { type: 'json' }
import { composeDimensions, modelDimensions, type RiskModel, toRisk } from '../../src/scoring/risk-model.ts'
import { modelRisk } from '../../src/scoring/risk-score.ts'
import { scoreToken } from '../../src/scoring/token-risk.ts'
import { DAY, holder, NOW, pool, swap, token } from '../support/facts.ts'

const MODEL: RiskModel = fitted
const SHARE = fc.double({ min: 0, max: 1, noNaN: true })

const riskOf = (facts: TokenFacts) => {
  const { measures, dimensions, flags } = scoreToken(facts)
  const isPriced = facts.priceUsd !== null
  return { ...modelRisk(MODEL, { measures, dimensions, counts: facts, isPriced }), flags, measures }
}

/** A provider who can go, one behind a lock that ends in `lockDays`, and a crowd of small ones. */
const anyToken = fc
  .record({
    liquidityUsd: fc.double({ min: 50, max: 1e7, noNaN: true }),
    quoteReserve: fc.double({ min: 0.01, max: 1e4, noNaN: true }),
    free: fc.double({ min: 0.05, max: 1, noNaN: true }),
    locked: fc.double({ min: 0, max: 0.9, noNaN: true }),
    lockDays: fc.integer({ min: 0, max: 400 }),
    owners: fc.integer({ min: 0, max: 15 }),
    ageHours: fc.integer({ min: 1, max: 2_000 }),
    top: SHARE,
    swaps: fc.array(
      fc.record({
        walletId: fc.integer({ min: 1, max: 9 }),
        direction: fc.constantFrom('buy' as const, 'sell' as const),
        amountUsd: fc.double({ min: 1, max: 1e5, noNaN: true }),
        ago: fc.integer({ min: 0, max: 7 * DAY }),
      }),
      { maxLength: 30 },
    ),
    swapCount: fc.integer({ min: 0, max: 3_000 }),
  })
  .map((drawn) => ({ ...drawn, free: drawn.free * (1 - drawn.locked) }))

type Drawn = typeof anyToken extends fc.Arbitrary<infer Value> ? Value : never

function toToken(drawn: Drawn, more: Partial<TokenFacts> = {}): TokenFacts {
  const { liquidityUsd, quoteReserve, free, locked, lockDays, owners, ageHours, top, swaps, swapCount } = drawn
  const since = NOW - ageHours * 3_600
  const rest = Math.max(0, 1 - free - locked)
  const account = { kind: 'account' as const, since, locks: [], hasAdded: true }
  const endsAt = NOW + lockDays * DAY
  const providers = [
    { ...account, id: 1, share: free },
    { id: 2, kind: 'locker' as const, share: locked, since, hasAdded: false, locks: [{ share: locked, endsAt }] },
    ...Array.from({ length: owners }, (_, at) => ({ ...account, id: 3 + at, share: Math.min(rest / owners, free) })),
  ]
  const own = pool({ liquidityUsd, peakLiquidityUsd: liquidityUsd, quoteReserve, providers, createdAt: since })
  return token({
    createdAt: since,
    firstLiquidityAt: since,
    liquidityUsd,
    peakLiquidityUsd: liquidityUsd,
    pools: [own],
    holders: [holder(1, top)],
    swaps: swaps
      .map(({ ago, amountUsd, ...it }) => swap({ ...it, amountUsd, quantity: amountUsd / 3, time: NOW - ago }))
      .sort((a, b) => a.time - b.time),
    swapCount,
    ...more,
  })
}

/** The risk never falls from the first to the second. */
function neverFalls(change: (drawn: Drawn, by: number) => [TokenFacts, TokenFacts]) {
  fc.assert(
    fc.property(anyToken, SHARE, (drawn, by) => {
      const [before, after] = change(drawn, by)
      expect(riskOf(after).score).toBeGreaterThanOrEqual(riskOf(before).score)
    }),
    { numRuns: 300 },
  )
}

describe('common sense of the risk model', () => {
  test('a larger share of the liquidity in one free hand never lowers the risk', () => {
    neverFalls((drawn, by) => {
      const more = { ...drawn, free: drawn.free + (1 - drawn.locked - drawn.free) * by, owners: 0 }
      return [toToken({ ...drawn, owners: 0 }), toToken(more)]
    })
  })

  test('more owners of the liquidity never raise the risk', () => {
    neverFalls((drawn, by) => {
      const crowd = { ...drawn, owners: drawn.owners + 1 }
      return [toToken({ ...crowd, owners: crowd.owners + Math.ceil(by * 4) }), toToken(crowd)]
    })
  })

  test('a lock that ends sooner never lowers the risk', () => {
    neverFalls((drawn, by) => [toToken(drawn), toToken({ ...drawn, lockDays: Math.floor(drawn.lockDays * by) })])
  })

  test('a larger top holder never lowers the risk', () => {
    neverFalls((drawn, by) => [toToken(drawn), toToken({ ...drawn, top: drawn.top + (1 - drawn.top) * by })])
  })

  test('fewer trades known never lower the risk', () => {
    neverFalls((drawn, by) => [toToken(drawn), toToken({ ...drawn, swapCount: Math.floor(drawn.swapCount * by) })])
  })

  test('a token that is not priced, or hardly known, is never of low risk', () => {
    fc.assert(
      fc.property(anyToken, (drawn) => {
        expect(riskOf(toToken(drawn, { priceUsd: null })).score).toBeGreaterThanOrEqual(30)
        const unknown = { swapCount: 3, liquidityAddCount: 1, liquidityRemoveCount: 0 }
        expect(riskOf(toToken(drawn, unknown)).score).toBeGreaterThanOrEqual(30)
      }),
    )
  })

  test('a flag is at least medium, and wash trading of most of the volume at least high', () => {
    fc.assert(
      fc.property(anyToken, SHARE, (drawn, matchedShare) => {
        const facts = toToken(drawn)
        const { measures, dimensions } = scoreToken(facts)
        const washed = { ...measures, matchedShare, matchCount: 20, matchedUsd: 1_000 }
        const { score } = modelRisk(MODEL, { measures: washed, dimensions, counts: facts, isPriced: true })
        if (riskOf(facts).flags.length > 0 || matchedShare >= 0.03) expect(score).toBeGreaterThanOrEqual(30)
        if (matchedShare >= 0.5) expect(score).toBeGreaterThanOrEqual(50)
      }),
    )
  })

  test('every dimension lies within 0 and 100, is the sum of its reasons, and all of them make the composite', () => {
    fc.assert(
      fc.property(anyToken, (drawn) => {
        const facts = toToken(drawn)
        const dimensions = modelDimensions(MODEL, toRiskValues(scoreToken(facts).measures, facts))
        let total = MODEL.intercept
        for (const { value, base, reasons } of dimensions) {
          expect(value).toBeGreaterThanOrEqual(0)
          expect(value).toBeLessThanOrEqual(100)
          expect(reasons.reduce((sum, { points }) => sum + points, base)).toBeCloseTo(value, 9)
          total += reasons.reduce((sum, { logOdds }) => sum + logOdds, 0)
        }
        expect(toRisk(composeDimensions(MODEL, dimensions))).toBeCloseTo(toRisk(total), 9)
      }),
    )
  })
})
