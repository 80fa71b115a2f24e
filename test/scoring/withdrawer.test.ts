// Who can take a token's liquidity: one answer, over all pools, that the score, its words and GraphQL share.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PoolFacts, ProviderFacts } from '../../src/ledger/facts/facts.ts'
import { toTokenScore } from '../../src/scoring/token-score.ts'
import { findWithdrawer } from '../../src/scoring/withdrawer.ts'
import { DAY, NOW, pool, token } from '../support/facts.ts'

const provider = (id: number, share: number, more: Partial<ProviderFacts> = {}): ProviderFacts => ({
  id,
  address: `0x${id.toString(16).padEnd(40, 'a')}`,
  kind: 'account',
  share,
  since: NOW - 10 * DAY,
  locks: [],
  hasAdded: true,
  ...more,
})
const held = (liquidityUsd: number, providers: ProviderFacts[] | null, more: Partial<PoolFacts> = {}) =>
  pool({ liquidityUsd, providers, providerCount: providers?.length ?? null, ...more })
const burned = (id: number, share: number) => provider(id, share, { kind: 'burned' })
const UNKNOWN = { exitShare: null, withdrawer: null, withdrawableShare: null }

test('a wallet counts with its withdrawable share of all pools together', () => {
  const pools = [
    held(60, [provider(1, 0.5), provider(2, 0.4), burned(9, 0.1)]),
    held(40, [provider(2, 0.9), burned(9, 0.1)]),
  ]
  const found = findWithdrawer(pools, NOW)
  expect(found.withdrawer).toEqual({ id: 2, address: provider(2, 1).address })
  expect(found.exitShare).toBeCloseTo(0.6 * 0.4 + 0.4 * 0.9, 12)
  expect(found.withdrawableShare).toBeCloseTo(0.9, 12)
})

test('a locked or burned share has no withdrawer, and a lock that ends within 30 days has one', () => {
  const locked = (days: number) => provider(1, 1, { kind: 'locker', locks: [{ share: 1, endsAt: NOW + days * DAY }] })
  const nobody = { exitShare: 0, withdrawer: null, withdrawableShare: 0 }
  expect(findWithdrawer([held(100, [burned(9, 1)])], NOW)).toEqual(nobody)
  expect(findWithdrawer([held(100, [locked(31)])], NOW)).toEqual(nobody)
  expect(findWithdrawer([held(100, [locked(29)])], NOW)).toMatchObject({ exitShare: 1, withdrawer: { id: 1 } })
})

test.each([
  ['no pool is known', []],
  ['nobody knows the providers', [held(100, null)]],
  ['a pool that holds something lists no provider', [held(100, [])]],
  ['most of a pool belongs to nobody that is known', [held(100, [provider(1, 0.2)])]],
  ['an unknown pool is larger than any known share', [held(60, [burned(9, 1)]), held(40, null)]],
])('the withdrawer is not known where %s', (_, pools) => {
  expect(findWithdrawer(pools, NOW)).toEqual(UNKNOWN)
})

test('an answer belongs to who asked for it', () => {
  Object.assign(findWithdrawer([], NOW), { exitShare: 0 })
  expect(findWithdrawer([], NOW)).toEqual(UNKNOWN)
})

test('an unknown pool hides nobody while it is tiny, or smaller than what a known wallet can withdraw', () => {
  const tiny = findWithdrawer([held(97, [burned(9, 1)]), held(3, [])], NOW)
  expect(tiny).toEqual({ exitShare: 0, withdrawer: null, withdrawableShare: 0.03 })
  const smaller = findWithdrawer([held(70, [provider(1, 1)]), held(30, null)], NOW)
  expect(smaller).toEqual({
    exitShare: 0.7,
    withdrawer: { id: 1, address: provider(1, 1).address },
    withdrawableShare: 1,
  })
})

test('an emptied pool has nothing to withdraw, and its remaining shares count', () => {
  const emptied = { peakLiquidityUsd: 500 }
  expect(findWithdrawer([held(0, [], emptied)], NOW)).toMatchObject({ exitShare: 0, withdrawer: null })
  expect(findWithdrawer([held(0, [provider(3, 1)], emptied)], NOW)).toMatchObject({
    exitShare: 1,
    withdrawer: { id: 3 },
  })
})

test('shares beyond the twenty that are listed count as free, and name no wallet', () => {
  const many = Array.from({ length: 20 }, (_, at) => provider(at + 1, 0.01))
  const found = findWithdrawer([held(100, many, { providerCount: 500 })], NOW)
  expect([found.exitShare, found.withdrawer?.id]).toEqual([0.01, 1])
  expect(found.withdrawableShare).toBeCloseTo(1, 12)
})

test('the withdrawer is the wallet of the largest sum, whatever the pools and their order', () => {
  const shares = fc.array(fc.record({ id: fc.integer({ min: 1, max: 5 }), weight: fc.integer({ min: 1, max: 9 }) }), {
    minLength: 1,
    maxLength: 5,
  })
  const market = fc.array(fc.record({ usd: fc.integer({ min: 1, max: 1_000 }), shares }), {
    minLength: 1,
    maxLength: 4,
  })
  fc.assert(
    fc.property(market, (pools) => {
      const usdOf = new Map<number, number>()
      const facts = pools.map(({ usd, shares: listed }) => {
        const all = listed.reduce((sum, { weight }) => sum + weight, 0)
        for (const { id, weight } of listed) usdOf.set(id, (usdOf.get(id) ?? 0) + (usd * weight) / all)
        return held(
          usd,
          listed.map(({ id, weight }) => provider(id, weight / all)),
        )
      })
      const total = pools.reduce((sum, { usd }) => sum + usd, 0)
      const { exitShare, withdrawer } = findWithdrawer(facts, NOW)
      expect(exitShare).toBeCloseTo(Math.max(...usdOf.values()) / total, 9)
      expect((usdOf.get(withdrawer?.id ?? 0) ?? 0) / total).toBeCloseTo(exitShare ?? 0, 9)
    }),
  )
})

test('the stored withdrawer, the published share and the reason name the same wallet', () => {
  const pools = [
    held(30_000, [provider(1, 0.9), burned(9, 0.1)]),
    held(20_000, [provider(2, 1)], { id: 2 }),
    held(15_000, [provider(2, 1)], { id: 3 }),
  ]
  const score = toTokenScore(token({ pools, liquidityUsd: 65_000 }))
  const input = score.explanation.dimensions.flatMap(({ inputs }) => inputs).find(({ name }) => name === 'exitShare')
  expect(score.withdrawerId).toBe(2)
  expect(input?.value).toBeCloseTo(35 / 65, 12)
  expect(score.explanation.reasons.map(({ text }) => text).join('\n')).toContain('0x2aaa...aaaa can withdraw 54 %')
})

test('where nobody knows who can withdraw, nothing says that nobody can', () => {
  const { explanation, withdrawerId, liquidityStabilityScore } = toTokenScore(token({ pools: [held(50_000, [])] }))
  expect([withdrawerId, liquidityStabilityScore]).toEqual([null, null])
  expect(explanation.confidenceReasons).toContain('providers_unknown')
  expect(explanation.floors.map(({ reason }) => reason)).toContain('withdrawal_unknown')
  expect(explanation.reasons.find(({ text }) => text.includes('nobody knows who can withdraw it'))?.kind).toBe(
    'caution',
  )
})
