import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { TokenFacts } from '../../src/ledger/facts/facts.ts'
import { scoreToken } from '../../src/scoring/token-risk.ts'
import { DAY, holder, NOW, pool, swap, token } from '../support/facts.ts'

const SHARE = fc.double({ min: 0, max: 1, noNaN: true })

/** A provider who can leave, one behind a lock that ends in `lockDays`, a crowd of small ones, and burned shares. */
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
  const small = owners > 0 ? Math.min(rest / owners, free) : 0
  const account = { kind: 'account' as const, since, locks: [], hasAdded: true }
  const endsAt = NOW + lockDays * DAY
  const providers = [
    { ...account, id: 1, share: free },
    { id: 2, kind: 'locker' as const, share: locked, since, hasAdded: false, locks: [{ share: locked, endsAt }] },
    ...Array.from({ length: owners }, (_, at) => ({ ...account, id: 3 + at, share: small })),
    { ...account, id: 99, kind: 'burned' as const, share: Math.max(0, rest - owners * small) },
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
      expect(scoreToken(after).riskScore).toBeGreaterThanOrEqual(scoreToken(before).riskScore)
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
        expect(scoreToken(toToken(drawn, { priceUsd: null })).riskScore).toBeGreaterThanOrEqual(30)
        const unknown = { swapCount: 3, liquidityAddCount: 1, liquidityRemoveCount: 0 }
        expect(scoreToken(toToken(drawn, unknown)).riskScore).toBeGreaterThanOrEqual(30)
      }),
    )
  })

  test('a flag is at least medium, pulled liquidity and wash trading of most of the volume at least high', () => {
    const seen = new Set<string>()
    fc.assert(
      fc.property(anyToken, SHARE, (drawn, share) => {
        const own = toToken(drawn)
        const pulled = own.pools.map((it) => ({ ...it, quoteReserve: 0.001, days: [removal] }))
        for (const facts of [own, withWash(own, share), { ...own, pools: pulled }]) {
          const { flags, level, measures } = scoreToken(facts)
          for (const flag of flags) seen.add(flag)
          if (flags.length > 0) expect(level).not.toBe('low')
          if (flags.includes('liquidity_pulled')) expect(level).toBe('critical')
          if (flags.includes('wash_trading') && (measures.matchedShare ?? 0) >= 0.5)
            expect(['high', 'critical']).toContain(level)
        }
      }),
    )
    expect([...seen].sort()).toEqual(['concentrated_ownership', 'liquidity_pulled', 'wash_trading'])
  })

  test('a token that is young, of low confidence, in one hand or not checked is never of low risk, and a reason says why', () => {
    fc.assert(
      fc.property(anyToken, (drawn) => {
        const young = toToken({ ...drawn, ageHours: 20 })
        const unknown = toToken(drawn, { holders: null, links: null, priceUsd: null })
        const inOneHand = toToken({ ...drawn, free: 0.9, locked: 0, owners: 0 })
        const unchecked = toToken(drawn, { contract: null })
        const cases = [
          ['young', young],
          ['low_confidence', unknown],
          ['one_wallet_can_withdraw', inOneHand],
          ['contract_not_checked', unchecked],
        ] as const
        for (const [reason, facts] of cases) {
          const { level, explanation } = scoreToken(facts)
          expect(explanation.floors.map((floor) => floor.reason)).toContain(reason)
          expect(level).not.toBe('low')
          expect(explanation.reasons.some(({ kind }) => kind === 'danger' || kind === 'caution')).toBe(true)
        }
      }),
      { numRuns: 50 },
    )
  })

  test('a token of low risk has less than a tenth of a chance to be pulled within 30 days', () => {
    fc.assert(
      fc.property(anyToken, (drawn) => {
        const { level, explanation } = scoreToken(toToken(drawn))
        if (level === 'low') expect(explanation.pullChance30dPct).toBeLessThan(10)
      }),
    )
  })

  test('wash trades among the swaps never lower the risk', () => {
    neverFalls((drawn, by) => {
      const plain = toToken(drawn)
      return [plain, withWash(plain, by)]
    })
  })

  test('a serial rugger, or a price that fell, never lowers the risk', () => {
    neverFalls((drawn, by) => {
      const plain = toToken(drawn)
      const opener = { poolCount: 4, emptiedCount: 3 }
      const hours = [{ hour: NOW / 3_600 - 2, closeUsd: 100 * by, isTraded: true }]
      return [plain, { ...plain, hours, pools: plain.pools.map((it) => ({ ...it, opener })) }]
    })
  })

  test('a token 70 % or more below its peak of the month is never of low risk, however deep and locked its pool is', () => {
    fc.assert(
      fc.property(anyToken, fc.double({ min: 0, max: 0.55, noNaN: true }), (drawn, left) => {
        const own = toToken(drawn)
        const pools = own.pools.map((it) => ({ ...it, days: [fallFrom(it.quoteReserve / Math.max(left, 1e-6))] }))
        const { explanation, level } = scoreToken({ ...own, pools })
        expect(explanation.floors.map(({ reason }) => reason)).toContain('fell_within_a_month')
        expect(level).not.toBe('low')
      }),
    )
  })

  test('hours in which it was only sent around, or its liquidity changed, never lower the risk', () => {
    fc.assert(
      fc.property(anyToken, fc.integer({ min: 1, max: 160 }), (drawn, count) => {
        const plain = toToken(drawn, { hours: [] })
        const price = plain.priceUsd ?? 0
        const hours = Array.from({ length: count }, (_, ago) => ({
          hour: NOW / 3_600 - ago,
          closeUsd: price,
          isTraded: false,
        }))
        const busy = { ...plain, hours: hours.reverse() }
        expect(scoreToken(busy).measures.tradingHours7d).toBe(0)
        expect(scoreToken(busy).riskScore).toBeGreaterThanOrEqual(scoreToken(plain).riskScore)
      }),
    )
  })

  test('a deeper fall within the month never lowers the risk', () => {
    neverFalls((drawn, by) => {
      const peakAt = (left: number) => {
        const own = toToken(drawn)
        return { ...own, pools: own.pools.map((it) => ({ ...it, days: [fallFrom(it.quoteReserve / left)] })) }
      }
      return [peakAt(1), peakAt(Math.max(0.01, 1 - by))]
    })
  })

  test('every dimension lies within 0 and 100 and is the sum of its inputs by weights that make one', () => {
    fc.assert(
      fc.property(anyToken, (drawn) => {
        for (const { value, inputs } of scoreToken(toToken(drawn)).explanation.dimensions) {
          expect(value).toBeGreaterThanOrEqual(0)
          expect(value).toBeLessThanOrEqual(100)
          const total = inputs.reduce((sum, { points, weight }) => sum + points * weight, 0)
          expect(Math.min(100, Math.max(0, total))).toBe(value)
          const weights = inputs.reduce((sum, { weight }) => sum + weight, 0)
          expect(weights).toBeCloseTo(1, 4)
        }
      }),
    )
  })
})

/** A day three weeks ago on which the quote side stood so high. */
const fallFrom = (openQuote: number) => ({
  day: Math.floor(NOW / DAY) - 21,
  openQuote,
  closeQuote: openQuote,
  keptFraction: 1,
  removalCount: 0,
  beforeRemovalQuote: 0,
})

const removal = {
  day: NOW / DAY - 1,
  openQuote: 1e4,
  closeQuote: 0.001,
  keptFraction: 0.001,
  removalCount: 1,
  beforeRemovalQuote: 1e4,
}

/** Twelve round trips between two fresh wallets, of a size that nobody else trades; `by`: of $10 to $1,010 each. */
function withWash(facts: TokenFacts, by: number): TokenFacts {
  const amountUsd = 10 + 1_000 * by
  const legs = Array.from({ length: 24 }, (_, at) =>
    swap({
      walletId: 901 + (at % 2),
      direction: at % 2 === 0 ? 'buy' : 'sell',
      quantity: 1e9,
      amountUsd,
      time: NOW - 5 * 3_600 + at * 30,
    }),
  )
  const swaps = [...facts.swaps, ...legs].sort((a, b) => a.time - b.time)
  return { ...facts, swaps, swapCount: facts.swapCount + legs.length }
}
