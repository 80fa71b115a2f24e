import { describe, expect, test } from 'vitest'
import { type SwapFacts, toFactsBlock } from '../../src/ledger/facts/facts.ts'
import { findFlags } from '../../src/scoring/flags.ts'
import { measureToken } from '../../src/scoring/measures.ts'
import { toTokenScore } from '../../src/scoring/token-score.ts'
import { measureWash, scoreWash } from '../../src/scoring/wash.ts'
import { listWashers } from '../../src/scoring/washers.ts'
import { DAY, NOW, swap, token } from '../support/facts.ts'

/** Realistic traffic: many wallets, with sizes over three orders of magnitude. */
function traffic(count: number, seed: number): SwapFacts[] {
  let state = seed
  const random = () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
  return Array.from({ length: count }, () => {
    const quantity = 10 ** (3 * random())
    const time = Math.floor(NOW - random() * 6 * DAY)
    return swap({
      walletId: 1 + Math.floor(random() * 150),
      direction: random() < 0.5 ? 'buy' : 'sell',
      quantity,
      amountUsd: quantity * 10,
      time,
      block: Math.floor(time / 12),
    })
  })
}

/** Pairs of a buy and a sell among a few wallets; `jitter` is the noise of their sizes. */
function wash(pairs: number, wallets: number, jitter: number): SwapFacts[] {
  return Array.from({ length: pairs }, (_, at) => {
    const quantity = 20 + ((at * 37) % 100)
    const time = NOW - 5 * DAY + at * 3_000
    const noise = 1 + jitter * (((at * 7) % 3) - 1)
    const made = (direction: 'buy' | 'sell', walletId: number, when: number, size: number) =>
      swap({ walletId, direction, quantity: size, amountUsd: size * 10, time: when, block: Math.floor(when / 12) })
    return [
      made('buy', 1_000 + (at % wallets), time, quantity),
      made('sell', 1_000 + ((at + (wallets > 1 ? 1 : 0)) % wallets), time + 120, quantity * noise),
    ]
  }).flat()
}

const measure = (swaps: SwapFacts[]) => measureWash(token({ swaps }), null).measures
const isFlagged = (swaps: SwapFacts[]) => findFlags(measureToken(token({ swaps })).measures).includes('wash_trading')

describe('injected wash trading is flagged', () => {
  test.each([
    [1, 0],
    [1, 0.03],
    [2, 0],
    [2, 0.03],
    [4, 0.03],
    [6, 0.03],
  ])('by %i wallets with a jitter of %f', (wallets, jitter) => {
    expect(isFlagged([...traffic(400, 7), ...wash(30, wallets, jitter)])).toBe(true)
  })
})

test('ordinary traffic is not flagged as wash trading', () => {
  for (const seed of [1, 2, 3, 4, 5]) expect(isFlagged(traffic(400, seed))).toBe(false)
})

test('a bot that trades both ways within a block, or within blocks of one second, is not wash trading', () => {
  for (const blocksApart of [0, 1]) {
    const trips = wash(40, 1, 0).map((it, at) => {
      const time = 3_000 * Math.floor(it.time / 3_000)
      return { ...it, time, block: time + blocksApart * at }
    })
    expect(measure([...traffic(200, 3), ...trips]).matchCount).toBe(0)
  }
})

test('wallets of one cluster match as one owner', () => {
  const swaps = [...Array(4).keys()].flatMap((at) => {
    const time = NOW - DAY + at * 7_200
    return [
      swap({ walletId: 10 + at, time, block: at * 10 }),
      swap({ walletId: 20 + at, direction: 'sell', time: time + 60, block: at * 10 + 5 }),
    ]
  })
  const clusters = new Map(swaps.map((it) => [it.walletId as number, 10]))
  expect(measureWash(token({ swaps }), null).measures.matchCount).toBe(0)
  expect(measureWash(token({ swaps }), clusters).measures.matchCount).toBe(4)
})

test('a ring is found though its wallets are linked to many honest traders', () => {
  const swaps = [...traffic(400, 7), ...wash(30, 4, 0.03)]
  const ring = swaps.filter(({ walletId }) => (walletId as number) >= 1_000)
  const everybody = new Map(swaps.map(({ walletId }) => [walletId as number, 1]))
  for (const clusters of [null, everybody]) {
    const { measures, matched } = measureWash(token({ swaps }), clusters)
    expect(ring.filter((each) => matched.has(each)).length).toBeGreaterThan(0.9 * ring.length)
    expect(listWashers(matched, clusters).filter((wallet) => wallet >= 1_000)).toHaveLength(4)
    expect(measures.matchCount).toBeLessThan(ring.length)
  }
})

test('the order of the swaps does not change the wash measures', () => {
  const swaps = [...traffic(150, 9), ...wash(20, 3, 0.02)]
  const forward = measure([...swaps].sort((a, b) => a.time - b.time))
  const backward = measure([...swaps].reverse())
  expect(backward.matchCount).toBe(forward.matchCount)
  expect(backward.matchedUsd).toBeCloseTo(forward.matchedUsd, 6)
})

test('without known traders the wash measures are null, and the dimension says nothing', () => {
  const measures = measure([swap({ walletId: null })])
  expect(measures).toMatchObject({ matchedShare: null, traderCount: null, volumeHhi: null })
  expect(scoreWash(measures)).toMatchObject({ value: 0, inputs: [{ name: 'matchedShare', value: null }] })
  expect(toTokenScore(token({ swaps: [swap({ walletId: null })] })).washTradeScore).toBeNull()
})

test('a wash score is the matched share of the volume, and 0 without a matched swap, however few trade', () => {
  const base = { matchCount: 0, matchedUsd: 0, traderCount: 1, cleanTraderCount: 1, volumeHhi: 1 }
  expect(scoreWash({ ...base, matchedShare: 0 }).value).toBe(0)
  expect(scoreWash({ ...base, matchedShare: 0.03 }).value).toBeCloseTo(3)
  expect(scoreWash({ ...base, matchedShare: 1 }).value).toBe(100)
})

test('behind matched swaps stands who bought and sold among them, with all wallets of its cluster', () => {
  const trades = (walletId: number, direction: 'buy' | 'sell', count: number) =>
    Array.from({ length: count }, () => swap({ walletId, direction }))
  const matched = new Set([
    ...trades(9, 'buy', 5),
    ...trades(9, 'sell', 4),
    // Somebody whose purchases were mirrored.
    ...trades(7, 'buy', 8),
    ...trades(7, 'sell', 1),
    // Two wallets of one owner: one buys, the other sells.
    ...trades(3, 'buy', 4),
    ...trades(4, 'sell', 4),
  ])
  const clusters = new Map([
    [3, 30],
    [4, 30],
  ])
  expect(listWashers(matched, clusters)).toEqual([3, 4, 9])
  expect(listWashers(matched, null)).toEqual([9])
})

describe('the matched share over successive blocks', () => {
  const RING = [1, 2, 3, 4]
  /** Four wallets pass one quantity on: a buy, and a minute later a sale by the next of them; others trade beside. */
  const ring = Array.from({ length: 40 }, (_, at) => {
    const time = NOW - 40 * 60 + at * 60
    const walletId = RING[(at >> 1) % 4] ?? 1
    const direction = at % 2 === 0 ? ('buy' as const) : ('sell' as const)
    return swap({
      walletId: at % 2 === 0 ? walletId : (walletId % 4) + 1,
      direction,
      quantity: 50,
      time,
      block: 1_000 + at,
    })
  })
  const others = traffic(20, 3)
  const shareAt = (count: number, quiet = 0) => {
    const swaps = [...others, ...ring.slice(0, count)].sort((a, b) => a.time - b.time)
    const block = toFactsBlock(1_000 + count, (ring[count - 1]?.time ?? NOW) + quiet)
    return measureWash(token({ swaps, block }), null).measures.matchedShare ?? Number.NaN
  }

  test('does not fall with a trade that may yet be answered', () => {
    const shares = ring.map((_, at) => shareAt(at + 1))
    expect(shares.at(-1)).toBeGreaterThan(0.2)
    for (const [at, share] of shares.entries()) {
      const earlier = shares[at - 1] ?? 0
      // The new trade is part of the volume, and not matched yet.
      expect(share).toBeGreaterThan(earlier * 0.9 - 0.001)
      expect(share - earlier).toBeLessThan(0.3)
    }
  })

  test('falls slowly when trades stay without an answer', () => {
    const answered = [0, 1, 2, 3, 4, 5, 6, 7].map((nth) => ({ nth, quantity: 50, ago: 5_400 - 60 * nth }))
    const open = [8, 9, 10].map((nth) => ({ nth, quantity: 100 * nth, ago: 10 - nth }))
    const swaps = RING.flatMap((walletId) =>
      [...answered, ...open].map(({ nth, quantity, ago }) =>
        swap({
          walletId,
          direction: nth % 2 === 0 || nth > 7 ? 'buy' : 'sell',
          quantity: quantity * (1 + walletId),
          time: NOW - ago,
          block: 500 + nth,
        }),
      ),
    ).sort((a, b) => a.time - b.time)
    const shares = Array.from({ length: 13 }, (_, at) => 300 * at).map((quiet) => {
      const block = toFactsBlock(1_000, NOW + quiet)
      return measureWash(token({ swaps, block }), null).measures.matchedShare ?? Number.NaN
    })
    expect(shares).toEqual([...shares].sort((a, b) => b - a))
    expect(shares[0]).toBeCloseTo(8 / 11, 6)
    expect(shares.at(-1)).toBeLessThan(0.6)
    for (const [at, share] of shares.entries()) expect((shares[at - 1] ?? share) - share).toBeLessThan(0.3)
  })
})
