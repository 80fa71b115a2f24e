import { expect, test } from 'vitest'
import type { PoolFacts } from '../../src/ledger/facts/facts.ts'
import { AGES_HOURS, RISK_INPUTS } from '../../src/scoring/risk-inputs.ts'
import { nextTokenChange, toTokenScore } from '../../src/scoring/token-score.ts'
import { SETTLED_HOURS } from '../../src/scoring/weights.ts'
import { DAY, NOW, pool, swap, token } from '../support/facts.ts'

/** A score whose level is not held. */
const FREE = { heldUntil: null }

const provider = (since: number) => ({
  id: 1,
  kind: 'account' as const,
  share: 1,
  since,
  locks: [],
  hasAdded: true,
})

test('a token with a trade within seven days is due at the next hour', () => {
  expect(nextTokenChange(token({ swaps: [swap({ time: NOW - 7 * DAY + 1 })] }), FREE)).toBe(NOW + 3_600)
  expect(nextTokenChange(token({ swaps: [swap({ time: NOW - 7 * DAY })] }), FREE)).toBeNull()
})

test('a token with young liquidity is due at the next day, and one with old liquidity never', () => {
  const nextDay = (Math.floor(NOW / DAY) + 1) * DAY
  expect(nextTokenChange(token({ firstLiquidityAt: NOW - 15 * DAY }), FREE)).toBe(nextDay)
  expect(nextTokenChange(token({ pools: [pool({ providers: [provider(NOW - 15 * DAY)] })] }), FREE)).toBe(nextDay)
  expect(nextTokenChange(token({ firstLiquidityAt: NOW - 15 * DAY - 1 }), FREE)).toBeNull()
})

test('a token is due when the oldest day of its pool leaves the month', () => {
  const day = { openQuote: 9, closeQuote: 4, keptFraction: 0.5, removalCount: 1, beforeRemovalQuote: 9 }
  const days = [20, 10].map((ago) => ({ ...day, day: Math.floor(NOW / DAY) - ago }))
  expect(nextTokenChange(token({ pools: [pool({ days })] }), FREE)).toBe((Math.floor(NOW / DAY) + 11) * DAY)
})

test('an age at which a token is no longer looked at is above every age that the model tells apart', () => {
  const ages = RISK_INPUTS.filter(({ name }) => name === 'lifeHours').flatMap(({ knots }) => knots)
  expect(Math.max(...ages, ...AGES_HOURS)).toBeLessThanOrEqual(SETTLED_HOURS)
})

test('the published flow is 100 minus its risk; wash trading and concentration are the risk', () => {
  const score = toTokenScore(token())
  const values = new Map(score.explanation.dimensions.map((dimension) => [dimension.name, dimension.value]))
  expect(score.smartMoneyFlowScore ?? 50).toBeCloseTo(100 - (values.get('smart_money') ?? 0), 2)
  expect(score.washTradeScore ?? 0).toBeCloseTo(values.get('wash') ?? 0, 2)
  expect(score.holderConcentrationScore ?? 60).toBeCloseTo(values.get('holders') ?? 0, 2)
})

test('the stability of liquidity is 100 only where nobody can withdraw any of it within 30 days', () => {
  const locked = (days: number, share = 1) => [
    {
      id: 1,
      kind: 'locker' as const,
      share,
      since: NOW - DAY,
      hasAdded: false,
      locks: [{ share, endsAt: NOW + days * DAY }],
    },
    { ...provider(NOW - 40 * DAY), id: 2, share: 1 - share },
  ]
  const stabilityOf = (providers: PoolFacts['providers'], more: Partial<PoolFacts> = {}) =>
    toTokenScore(token({ pools: [pool({ providers, providerCount: providers?.length ?? null, ...more })] }))
      .liquidityStabilityScore
  expect(stabilityOf([{ ...provider(NOW), kind: 'burned' }])).toBe(100)
  expect(stabilityOf(locked(31))).toBe(100)
  expect(stabilityOf(locked(29))).toBe(0)
  expect(stabilityOf(locked(90, 0.7))).toBe(70)
  expect(stabilityOf(locked(90, 0.7).slice(0, 1), { providerCount: 500 })).toBe(70)
  expect(stabilityOf([provider(NOW)])).toBe(0)
  expect(stabilityOf(null)).toBeNull()
})

test('pulled liquidity lowers the stability of the rest, and without liquidity there is none', () => {
  const removal = { openQuote: 10, closeQuote: 0.5, keptFraction: 0.04, removalCount: 1, beforeRemovalQuote: 10 }
  const pools = (quoteReserve: number, liquidityUsd: number) => [
    pool({
      quoteReserve,
      liquidityUsd,
      providers: [{ ...provider(NOW), kind: 'burned' }],
      days: [{ ...removal, day: Math.floor(NOW / DAY) - 1 }],
    }),
  ]
  expect(toTokenScore(token({ pools: pools(0.5, 50_000) })).liquidityStabilityScore).toBe(4)
  expect(toTokenScore(token({ liquidityUsd: 0, pools: pools(0, 0) })).liquidityStabilityScore).toBe(0)
})

test('an unknown dimension has no value in its place', () => {
  expect(toTokenScore(token({ swaps: [], holders: null, traders: [] }))).toMatchObject({
    holderConcentrationScore: null,
    washTradeScore: null,
    smartMoneyFlowScore: null,
  })
})
