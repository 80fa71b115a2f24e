import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createMatcher, forEachDifference, meets, wordsFor } from '../../src/alerts/match.ts'
import { POWER_KINDS, RISK_FLAGS } from '../../src/base/vocabulary.ts'
import { packMarks } from '../../src/fields/contract-marks.ts'
import type { TokenFilter } from '../../src/fields/filter.ts'
import { factOf, toTest } from '../../src/fields/to-test.ts'
import { passes, type ScreenFacts, toFacts } from '../support/filter-oracle.ts'

// Few distinct numbers, so that bounds and values often coincide.
const dollars = fc.constantFrom(0, 0.5, 1, 10, 100, 1000)
const flags = fc.uniqueArray(fc.constantFrom(...RISK_FLAGS))
const taxes = fc.constantFrom(0, 5, 12.34, 100)
const powers = fc.uniqueArray(fc.constantFrom(...POWER_KINDS), { maxLength: 3 })
const marks = fc
  .record({
    isChecked: fc.boolean(),
    sellable: fc.constantFrom(true, false, null),
    sellTaxPct: fc.option(taxes),
    powers: fc.option(powers),
    ownerChanged: fc.boolean(),
  })
  .map(packMarks)
const wallets = fc.uniqueArray(fc.constantFrom('w1', 'w2', 'w3'), { minLength: 1, maxLength: 2 })
const traders = fc.uniqueArray(fc.constantFrom('w1', 'w2', 'w4'))
const filter: fc.Arbitrary<TokenFilter> = fc.record(
  {
    minLiquidityUsd: dollars,
    maxMarketCapUsd: dollars,
    minMarketCapUsd: dollars,
    maxRiskScore: fc.constantFrom(0, 30, 50, 100),
    minRiskScore: fc.constantFrom(0, 30, 50, 100),
    tokens: fc.uniqueArray(fc.constantFrom('t1', 't2', 't3'), { minLength: 1 }),
    boughtBy: wallets,
    soldBy: wallets,
    tradedBy: wallets,
    excludeFlags: flags,
    includeFlags: flags,
    minHolderGrowth1hPct: fc.constantFrom(-50, 0, 10, 100),
    maxAgeHours: fc.constantFrom(0, 1, 24),
    contractChecked: fc.boolean(),
    sellable: fc.boolean(),
    minSellTaxPct: taxes,
    maxSellTaxPct: taxes,
    excludePowers: powers,
    includePowers: powers,
    ownerChanged: fc.boolean(),
  },
  { requiredKeys: [] },
)
const token: fc.Arbitrary<ScreenFacts> = fc.record({
  liquidityUsd: dollars,
  marketCapUsd: dollars,
  riskScore: fc.constantFrom(0, 29.9, 30, 50, 100),
  riskFlags: flags,
  contractMarks: marks,
  fundedHolderCount: fc.constantFrom(0, 1, 5, 10, 11),
  fundedHolderCount1hAgo: fc.constantFrom(0, 1, 5, 10),
  createdAtMs: fc.constantFrom(0, 1, 3_600_000),
  nowMs: fc.constantFrom(3_600_000, 3_600_001, 86_400_000, 86_400_001),
  address: fc.constantFrom('t1', 't2', 't4'),
  buyers: traders,
  sellers: traders,
  traders,
  // No condition of an alert reads these.
  symbol: fc.constant(''),
  name: fc.constant(''),
  launchpad: fc.constant('unknown'),
  confidence: fc.constant('low' as const),
  volume24hUsd: fc.constant(0),
  holderCount: fc.constant(0),
})
const isSet = (bits: Uint32Array, place: number) => ((bits[place >>> 5]! >>> (place & 31)) & 1) === 1

test('the alert matcher and the test of a filter agree with the meaning of each condition, for every alert and token', () => {
  fc.assert(
    fc.property(
      fc.array(filter, { maxLength: 300 }),
      fc.array(token, { minLength: 1, maxLength: 5 }),
      (filters, tokens) => {
        const matcher = createMatcher(filters)
        const bits = new Uint32Array(wordsFor(filters.length))
        for (const facts of tokens) {
          matcher(toFacts(facts), bits)
          const expected = filters.map((one) => passes(one, facts))
          expect(filters.map((_, place) => isSet(bits, place))).toEqual(expected)
          expect(filters.map((one) => meets(one, toFacts(facts)))).toEqual(expected)
          expect(filters.map((one) => toTest(one, factOf)(toFacts(facts)))).toEqual(expected)
        }
      },
    ),
    { numRuns: 300 },
  )
})

test('forEachDifference reports each alert that entered and each that left, once', () => {
  const bitSet = fc.array(fc.boolean(), { minLength: 100, maxLength: 100 })
  fc.assert(
    fc.property(bitSet, bitSet, (before, now) => {
      const toBits = (flags: boolean[]) => {
        const bits = new Uint32Array(wordsFor(flags.length))
        flags.forEach((flag, place) => {
          if (flag) bits[place >>> 5]! |= 1 << (place & 31)
        })
        return bits
      }
      const entered: number[] = []
      const left: number[] = []
      forEachDifference(
        toBits(before),
        toBits(now),
        (alert) => entered.push(alert),
        (alert) => left.push(alert),
      )
      const where = (test: (place: number) => boolean) => before.map((_, place) => place).filter(test)
      expect(entered).toEqual(where((place) => now[place]! && !before[place]!))
      expect(left).toEqual(where((place) => !now[place]! && before[place]!))
    }),
  )
})
