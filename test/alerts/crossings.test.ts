import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createBacktest } from '../../src/alerts/backtest.ts'
import { createCrossings } from '../../src/alerts/crossings.ts'
import { meets } from '../../src/alerts/match.ts'
import { REARM_SECONDS } from '../../src/alerts/rules.ts'
import { presentCap } from '../../src/base/present.ts'
import type { TokenFilter } from '../../src/fields/filter.ts'
import { encodeChanges } from '../../src/ledger/alerts/changes.ts'
import type { HistoryRow } from '../../src/ledger/alerts/history.ts'
import type { BaselineRow } from '../../src/ledger/alerts/sweep.ts'

const visited = (crossings: ReturnType<typeof createCrossings>, unit: number, from: number, to: number) => {
  const slots: number[] = []
  crossings.visit(unit, from, to, (slot) => slots.push(slot))
  return slots.sort((a, b) => a - b)
}

describe('a move of a price visits', () => {
  const crossings = createCrossings(100)
  // Their critical prices: 1, 1, 2, 4; the third is in another unit, the last in none.
  for (const [slot, [unit, cap]] of [
    [1, 100],
    [1, 100],
    [2, 50],
    [1, 25],
    [0, 100],
  ].entries())
    crossings.place(slot, unit ?? 0, cap ?? 0)

  test('only the tokens whose critical price it crosses or touches', () => {
    expect(visited(crossings, 1, 0.9, 0.99)).toEqual([])
    expect(visited(crossings, 1, 0.9, 1)).toEqual([0, 1])
    expect(visited(crossings, 1, 3.9, 4.1)).toEqual([3])
    expect(visited(crossings, 1, 0, 1e30)).toEqual([0, 1, 3])
    expect(visited(crossings, 2, 5, 1)).toEqual([2])
    expect(visited(crossings, 3, 0, 1e30)).toEqual([])
  })

  test('a token where its newest cap and unit put it', () => {
    const moved = createCrossings(100)
    moved.place(2_000, 1, 100)
    moved.place(7, 1, 100)
    moved.place(2_000, 1, 10)
    expect(visited(moved, 1, 0.9, 1.1)).toEqual([7])
    expect(visited(moved, 1, 9, 11)).toEqual([2_000])
    moved.place(7, 2, 100)
    moved.place(2_000, 1, 0)
    expect(visited(moved, 1, 0, 1e30)).toEqual([])
    expect(visited(moved, 2, 0.9, 1.1)).toEqual([7])
  })

  test('no more than a few others, however many tokens there are', () => {
    const many = createCrossings(1_000)
    for (let slot = 0; slot < 10_000; slot += 1) many.place(slot, 1, 1.002 ** slot)
    const seen = visited(many, 1, 10, 10.05)
    expect(seen.length).toBeLessThan(6)
    expect(seen.length).toBeGreaterThan(0)
  })
})

const BOUNDS = [0, 1e-6, 1.5e-6, 0.01, 49.999_999_5, 50, 1_000, 1e15]
const CAPS = [0, 1e-9, 1e-6, 0.5, 25, 50, 99.999_999_9, 100, 1e13, 1e16]
const price = fc.oneof(
  fc.constantFrom(0, 1e-12, 0.5, 0.999_999_999, 1, 1.000_000_001, 2, 1e9),
  fc.double({ min: 0.4, max: 2.6, noNaN: true }),
)
const filter: fc.Arbitrary<TokenFilter> = fc.record(
  {
    minMarketCapUsd: fc.constantFrom(...BOUNDS),
    maxMarketCapUsd: fc.constantFrom(...BOUNDS),
    maxRiskScore: fc.constantFrom(30),
  },
  { requiredKeys: [] },
)
const UNITS = [7, 8]
const change = fc.record({
  tokenId: fc.integer({ min: 1, max: 6 }),
  marketCap: fc.oneof(fc.constantFrom(...CAPS), fc.double({ min: 20, max: 120, noNaN: true })),
  unit: fc.constantFrom(0, ...UNITS),
  riskScore: fc.constantFrom(20, 40),
})
const step = fc.record({
  changes: fc.uniqueArray(change, { maxLength: 3, selector: ({ tokenId }) => tokenId }),
  usd: fc.dictionary(fc.constantFrom(...UNITS.map(String)), price),
  minutes: fc.constantFrom(1, 12),
})

/** Looks at every token in every row. */
function findPlainly(
  filter: TokenFilter,
  rows: readonly { row: HistoryRow; changes: readonly Omit<BaselineRow, 'address'>[] }[],
) {
  const tokens = new Map<number, Omit<BaselineRow, 'address'>>()
  const usd = new Map<number, number>()
  const matching = new Set<number>()
  const leftMs = new Map<number, number>()
  const found: string[] = []
  for (const [place, { row, changes }] of rows.entries()) {
    for (const [at, unit] of row.unitIds.entries()) usd.set(unit, row.unitUsd[at] ?? 0)
    for (const one of changes) tokens.set(one.tokenId, one)
    for (const token of tokens.values()) {
      const { tokenId } = token
      const isMatch = meets(filter, { ...token, address: '', marketCapUsd: presentCap(token, usd), ageHours: 0 })
      if (isMatch === matching.has(tokenId)) continue
      if (isMatch) matching.add(tokenId)
      else matching.delete(tokenId)
      if (place === 0) continue
      const left = leftMs.get(tokenId) ?? 0
      leftMs.set(tokenId, isMatch ? 0 : row.timeMs)
      if (isMatch && left <= row.timeMs - REARM_SECONDS * 1_000) found.push(`${tokenId} at ${row.blockNumber}`)
    }
  }
  return found.sort()
}

test('for any bounds, caps and moves of prices, a backtest finds what a look at every token in every block finds', () => {
  fc.assert(
    fc.property(filter, fc.array(step, { minLength: 2, maxLength: 12 }), (conditions, steps) => {
      let timeMs = 1_760_000_000_000
      const rows = steps.map(({ changes, usd, minutes }, place) => {
        timeMs += minutes * 60_000
        const states = changes.map(
          (one): Omit<BaselineRow, 'address'> => ({
            ...one,
            liquidityUsd: 1,
            flagBits: 0,
            contractMarks: 0,
            holderGrowth1hPct: 0,
            createdAtMs: 1_750_000_000_000,
          }),
        )
        const row: HistoryRow = {
          id: place,
          kind: 'sweep',
          blockNumber: place,
          timeMs,
          unitIds: Object.keys(usd).map(Number),
          unitUsd: Object.values(usd),
          changes: encodeChanges(states.map((state) => ({ row: state, price: 1, before: null }))),
        }
        return { row, changes: states }
      })
      const backtest = createBacktest(conditions, 0)
      for (const { row } of rows) backtest.add(row)
      const found = backtest.result().matches.map(({ tokenId, blockNumber }) => `${tokenId} at ${blockNumber}`)
      expect(found.sort()).toEqual(findPlainly(conditions, rows))
    }),
    { numRuns: 2_000 },
  )
})
