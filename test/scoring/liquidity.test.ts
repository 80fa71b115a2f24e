import { describe, expect, test } from 'vitest'
import { measureLiquidity, nextLiquidityChange } from '../../src/scoring/liquidity.ts'
import { lockStrength } from '../../src/scoring/locks.ts'
import { scoreToken } from '../../src/scoring/token-risk.ts'
import { DAY, NOW, pool, token } from '../support/facts.ts'

const removal = (ago: number, keptFraction: number, before = 10) => ({
  day: NOW / DAY - ago,
  openQuote: before,
  closeQuote: before * keptFraction,
  keptFraction,
  removalCount: 1,
  beforeRemovalQuote: before,
})

const provider = (kind: 'account' | 'locker' | 'burned', share: number, more = {}) => ({
  id: 1,
  kind,
  share,
  since: NOW - 10 * DAY,
  locks: [],
  hasAdded: null,
  ...more,
})

describe('liquidity_pulled', () => {
  test.each([
    ['everything removed yesterday', pool({ quoteReserve: 0.1, liquidityUsd: 100, days: [removal(1, 0.01)] }), true],
    [
      'all but a thirtieth removed in two steps over midnight',
      pool({ quoteReserve: 0.3, days: [removal(2, 0.3), removal(1, 0.1, 3)] }),
      true,
    ],
    ['four fifths removed', pool({ quoteReserve: 2, days: [removal(1, 0.2)] }), false],
    ['half removed', pool({ quoteReserve: 4, days: [removal(1, 0.5)] }), false],
    ['everything removed, and most of it back', pool({ quoteReserve: 6, days: [removal(3, 0.05)] }), false],
    [
      'everything of fifty dollars removed',
      pool({ quoteReserve: 0.01, liquidityUsd: 0.05, peakLiquidityUsd: 50, days: [removal(1, 0.001)] }),
      true,
    ],
    [
      'everything of five dollars removed',
      pool({ quoteReserve: 0.01, liquidityUsd: 0.005, peakLiquidityUsd: 5, days: [removal(1, 0.001)] }),
      false,
    ],
    ['everything removed more than a month ago', pool({ quoteReserve: 0.1, days: [removal(40, 0.01)] }), false],
  ])('%s', (_, it, expected) => {
    const facts = token({ pools: [it], liquidityUsd: it.liquidityUsd })
    expect(scoreToken(facts).flags.includes('liquidity_pulled')).toBe(expected)
    if (expected) expect(scoreToken(facts).riskScore).toBeGreaterThanOrEqual(85)
  })

  test('an emptied side pool does not flag a token whose main pool is deeper', () => {
    const side = pool({
      id: 2,
      liquidityUsd: 10,
      peakLiquidityUsd: 900,
      quoteReserve: 0.001,
      days: [removal(1, 0.01, 0.1)],
    })
    const facts = token({ pools: [pool(), side], liquidityUsd: 50_010 })
    expect(scoreToken(facts).flags).not.toContain('liquidity_pulled')
  })
})

test('locked and burned shares cannot be withdrawn, and a lock that ends within 30 days counts nothing', () => {
  expect(lockStrength(provider('burned', 1), NOW)).toBe(1)
  expect(lockStrength(provider('account', 1), NOW)).toBe(0)
  const until = (days: number, share = 1) => ({ share, endsAt: NOW + days * DAY })
  expect(lockStrength(provider('locker', 1, { locks: [until(31)] }), NOW)).toBe(1)
  expect(lockStrength(provider('locker', 1, { locks: [until(30)] }), NOW)).toBe(0)
  expect(lockStrength(provider('locker', 1, { locks: [until(29)] }), NOW)).toBe(0)
  expect(lockStrength(provider('locker', 1, { locks: [until(-1)] }), NOW)).toBe(0)
  expect(lockStrength(provider('locker', 1, { since: NOW - 20 * DAY }), NOW)).toBe(1)
  expect(lockStrength(provider('locker', 1, { since: NOW - 105 * DAY }), NOW)).toBe(0.5)
  expect(lockStrength(provider('locker', 1, { since: NOW - 200 * DAY }), NOW)).toBe(0)
})

test('each lock of a locker counts by its own end, and the part without an end fades', () => {
  const locks = [
    { share: 0.2, endsAt: NOW + 10 * DAY },
    { share: 0.4, endsAt: NOW + 100 * DAY },
  ]
  const locker = provider('locker', 0.8, { locks, since: NOW - 105 * DAY })
  expect(lockStrength(locker, NOW)).toBeCloseTo((0.4 + 0.2 * 0.5) / 0.8, 12)
  const measures = measureLiquidity(
    token({ pools: [pool({ providers: [locker, provider('account', 0.2, { id: 2 })] })] }),
  )
  expect(measures.exitShare).toBeCloseTo(0.3, 12)
})

test('the exit share weights pools by their liquidity', () => {
  const owned = pool({ liquidityUsd: 75_000, providers: [provider('account', 1)] })
  const burned = pool({ id: 2, liquidityUsd: 25_000, providers: [provider('burned', 1)] })
  const measures = measureLiquidity(token({ pools: [owned, burned], liquidityUsd: 100_000 }))
  expect(measures.exitShare).toBe(0.75)
})

test('unknown providers say null, and their points are neither the best nor the worst', () => {
  const { dimensions } = scoreToken(token({ pools: [pool({ providers: null, providerCount: null })] }))
  const input = dimensions.liquidity.inputs.find((it) => it.name === 'exitShare')
  expect(input?.value).toBeNull()
  expect(input?.points).toBeGreaterThan(25)
  expect(input?.points).toBeLessThan(90)
})

test('a lock and a flag give the next hour at which they change without an event', () => {
  const locked = (endsAt: number, share = 1) =>
    token({ pools: [pool({ providers: [provider('locker', 1, { locks: [{ share, endsAt }] })] })] })
  expect(nextLiquidityChange(locked(NOW + 40 * DAY + 10))).toBe(NOW + 10 * DAY + 3_600)
  expect(nextLiquidityChange(locked(NOW + 20 * DAY + 10))).toBe(NOW + 20 * DAY + 3_600)
  expect(nextLiquidityChange(locked(NOW - 10))).toBeNull()
  expect(nextLiquidityChange(locked(NOW + 90 * DAY, 0.5))).toBe(NOW + 20 * DAY)
  expect(nextLiquidityChange(token())).toBeNull()
})

describe('fell_within_a_month', () => {
  const day = (openQuote: number) => ({
    ...{ day: NOW / DAY - 20, openQuote, closeQuote: openQuote },
    ...{ keptFraction: 1, removalCount: 0, beforeRemovalQuote: 0 },
  })
  const hasFallen = (kind: 'v2' | 'v3' | 'v4', left: number) =>
    scoreToken(token({ pools: [pool({ kind, quoteReserve: left, days: [day(100)] })] })).explanation.floors.some(
      ({ reason }) => reason === 'fell_within_a_month',
    )

  test('a V2 pool at 55 % of its peak has fallen, and one above has not', () => {
    expect([hasFallen('v2', 55), hasFallen('v2', 56)]).toEqual([true, false])
  })

  test.each(['v3', 'v4'] as const)('a %s pool falls sooner, so only a tenth of its peak counts', (kind) => {
    expect([hasFallen(kind, 0), hasFallen(kind, 10), hasFallen(kind, 11)]).toEqual([true, true, false])
  })
})
