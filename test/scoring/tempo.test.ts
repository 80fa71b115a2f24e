import fc from 'fast-check'
import { expect, test } from 'vitest'
import { measureTempo } from '../../src/scoring/tempo.ts'
import { NOW, swap, token } from '../support/facts.ts'

const START = NOW - 9_000
const buy = (after: number, amountUsd = 10) => swap({ direction: 'buy', time: START + after, amountUsd })
const sell = (after: number, amountUsd = 10) => swap({ direction: 'sell', time: START + after, amountUsd })
const measure = (swaps: ReturnType<typeof swap>[], liquidityUsd = 2_000) =>
  measureTempo(token({ swaps, liquidityUsd, createdAt: START, firstLiquidityAt: START, pools: [] }))

test('the time since the last trade is measured in mean times between trades', () => {
  expect(measure([buy(0), buy(3_000), buy(6_000)]).sinceToGap).toBe(1)
  expect(measure([buy(0), buy(0), buy(0)]).sinceToGap).toBe(9_001)
})

test('a trade that comes as slowly as before is a trend of one, and one that comes more slowly is more', () => {
  const steady = [0, 1_800, 3_600, 5_400, 7_200].map((after) => buy(after))
  expect(measure(steady).gapTrend).toBe(1)
  expect(measure([buy(0), buy(99), buy(198), buy(4_500)]).gapTrend).toBeCloseTo((8_802 / 2 + 1) / 100, 6)
})

test('the share of buys is that of the newest twenty trades', () => {
  const old = Array.from({ length: 30 }, (_, at) => sell(at))
  const newest = Array.from({ length: 20 }, (_, at) => buy(100 + at))
  expect(measure([...old, ...newest]).newestBuyShare).toBe(21 / 22)
})

test('the latest third of the time since the first trade grew the quote side by its buys minus its sales', () => {
  expect(measure([buy(0, 500), buy(5_999, 500), buy(6_000, 300), sell(8_000, 100)]).lateGrowth).toBe(1_000 / 800)
  expect(measure([buy(0, 500), sell(8_000, 1_000)]).lateGrowth).toBe(0.5)
  expect(measure([buy(0), buy(8_000, 5_000)]).lateGrowth).toBe(1_000)
})

test('without trades, or without liquidity, what needs them is not known', () => {
  expect(measure([])).toEqual({ sinceToGap: null, gapTrend: null, newestBuyShare: 0.5, lateGrowth: null })
  expect(measure([buy(0)])).toMatchObject({ sinceToGap: null, gapTrend: null, lateGrowth: 1 })
  expect(measure([buy(0)], 0).lateGrowth).toBeNull()
})

test('every measure of the tempo is null, or a finite number that is not negative', () => {
  const anySwap = fc.record({
    direction: fc.constantFrom('buy' as const, 'sell' as const),
    amountUsd: fc.double({ min: 0, max: 1e12, noNaN: true }),
    after: fc.integer({ min: -600_000, max: 9_000 }),
  })
  fc.assert(
    fc.property(fc.array(anySwap, { maxLength: 30 }), fc.double({ min: 0, max: 1e9, noNaN: true }), (list, usd) => {
      const swaps = list
        .map(({ after, ...more }) => swap({ ...more, time: START + after }))
        .sort((a, b) => a.time - b.time)
      for (const [name, value] of Object.entries(measure(swaps, usd)))
        expect(value === null || (Number.isFinite(value) && value >= 0), name).toBe(true)
    }),
  )
})
