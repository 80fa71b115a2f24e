import fc from 'fast-check'
import { expect, test } from 'vitest'
import { measureFlow } from '../../src/scoring/flow.ts'
import { NOW, swap, token } from '../support/facts.ts'

const START = NOW - 7_200
const buy = (after: number, amountUsd: number, quantity: number) =>
  swap({ direction: 'buy', time: START + after, amountUsd, quantity })
const sell = (after: number, amountUsd: number, quantity: number) =>
  swap({ direction: 'sell', time: START + after, amountUsd, quantity })

const measure = (swaps: ReturnType<typeof swap>[]) =>
  measureFlow(token({ swaps, liquidityUsd: 2_000, createdAt: START, firstLiquidityAt: START, pools: [] }))

test('openingUsd is the quote side now, minus the bought amount, plus the sold one', () => {
  expect(measure([buy(60, 300, 30), sell(120, 100, 9)])).toMatchObject({
    openingUsd: 800,
    reserveGrowth: 1_000 / 800,
    firstBuysToOpening: 300 / 800,
    firstBuyShare: 1,
    sellVolumeUsd: 100,
    sellToBuySize: 9 / 30,
    tradeConcentration: 0.75 ** 2 + 0.25 ** 2,
  })
})

test('a round trip is a sale of exactly a quantity bought before', () => {
  expect(measure([buy(1, 10, 7), sell(2, 10, 7), sell(3, 10, 6)]).roundTripShare).toBe(1 / 3)
  expect(measure([sell(1, 10, 7), buy(2, 10, 7)]).roundTripShare).toBe(0)
})

test('flow times run from the first liquidity, and until now if the event has not happened', () => {
  expect(measure([buy(900, 10, 1), buy(1_800, 20, 1), buy(4_500, 30, 1)])).toMatchObject({
    firstSwapHours: 0.25,
    sinceSwapHours: 0.75,
    medianGapSeconds: 2_700,
  })
})

test('without trades, the measures of trades are null', () => {
  expect(measure([])).toMatchObject({
    openingUsd: 1_000,
    roundTripShare: 0,
    firstBuyShare: null,
    sellToBuySize: null,
    tradeConcentration: null,
    sinceSwapHours: null,
    medianGapSeconds: null,
  })
})

test('every flow measure is null or finite, and no time is negative', () => {
  const anySwap = fc.record({
    direction: fc.constantFrom('buy' as const, 'sell' as const),
    amountUsd: fc.double({ min: 0, max: 1e12, noNaN: true }),
    quantity: fc.double({ min: 0, max: 1e30, noNaN: true }),
    after: fc.integer({ min: -600_000, max: 7_200 }),
  })
  fc.assert(
    fc.property(fc.array(anySwap, { maxLength: 30 }), (list) => {
      const swaps = list
        .map(({ after, ...more }) => swap({ ...more, time: START + after }))
        .sort((a, b) => a.time - b.time)
      for (const [name, value] of Object.entries(measure(swaps))) {
        expect(value === null || Number.isFinite(value), name).toBe(true)
        if (/Hours|Seconds/.test(name)) expect(value ?? 0, name).toBeGreaterThanOrEqual(0)
      }
    }),
  )
})
