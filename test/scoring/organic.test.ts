import { expect, test } from 'vitest'
import { MOST_SWAPS, type SwapFacts } from '../../src/ledger/facts/facts.ts'
import { organicVolume24h } from '../../src/scoring/organic.ts'
import { token } from '../support/facts.ts'

const facts = token()
const { time } = facts.block
const swap = (change: Partial<SwapFacts>): SwapFacts => ({
  walletId: 1,
  poolId: 1,
  direction: 'buy',
  quantity: 1,
  amountUsd: 100,
  time: time - 60,
  block: 10,
  ...change,
})
const of = (swaps: SwapFacts[], matched: SwapFacts[] = [], rest = {}) =>
  organicVolume24h({ ...facts, ...rest, swaps, swapCount: swaps.length }, new Set(matched))

test('the organic volume adds up the day, without matched swaps and without both sides of a round trip in a block', () => {
  const [own, wash] = [swap({}), swap({ walletId: 2, block: 11 })]
  const trip = [swap({ walletId: 3, block: 12 }), swap({ walletId: 3, block: 12, direction: 'sell' })]
  const elsewhere = swap({ walletId: 3, block: 12, poolId: 2, direction: 'sell', amountUsd: 7 })
  expect(of([swap({ time: time - 86_400 }), own, wash, ...trip, elsewhere], [wash])).toBe(107)
  expect(of([])).toBe(0)
})

test('the organic volume is not known of money of the chain, of unknown traders, and where the day was not read to its end', () => {
  expect(of([swap({})], [], { isQuote: true })).toBeNull()
  expect(of([swap({ walletId: null })])).toBeNull()
  expect(of(Array.from({ length: MOST_SWAPS }, (_, block) => swap({ block })))).toBeNull()
  const old = swap({ time: time - 86_400, block: -1 })
  expect(of([old, ...Array.from({ length: MOST_SWAPS - 1 }, (_, block) => swap({ block }))])).toBe(
    100 * (MOST_SWAPS - 1),
  )
})
