import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RISK_DIMENSIONS } from '../../src/base/vocabulary.ts'
import { packExplanation, unpackExplanation } from '../../src/ledger/explanation-pack.ts'
import { composeParts, recomputeScore } from '../../src/scoring/composite.ts'
import { toRiskLevel } from '../../src/scoring/levels.ts'
import { scoreToken } from '../../src/scoring/token-risk.ts'
import { RISK } from '../../src/scoring/weights.ts'
import { asStored } from '../support/explanation.ts'
import { DAY, holder, NOW, pool, swap, token } from '../support/facts.ts'

const anyPool = fc
  .record({
    liquidityUsd: fc.double({ min: 0, max: 1e8, noNaN: true }),
    quoteReserve: fc.double({ min: 0, max: 1e6, noNaN: true }),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    kept: fc.double({ min: 0, max: 1, noNaN: true }),
    kind: fc.constantFrom('account' as const, 'locker' as const, 'burned' as const),
  })
  .map(({ liquidityUsd, quoteReserve, share, kept, kind }) =>
    pool({
      liquidityUsd,
      peakLiquidityUsd: liquidityUsd,
      quoteReserve,
      providers: [{ id: 1, kind, share, since: NOW - 40 * DAY, locks: [], hasAdded: null }],
      days: [
        { day: NOW / DAY - 1, openQuote: 5, closeQuote: 1, keptFraction: kept, removalCount: 1, beforeRemovalQuote: 5 },
      ],
    }),
  )

const anySwap = fc
  .record({
    walletId: fc.integer({ min: 1, max: 12 }),
    direction: fc.constantFrom('buy' as const, 'sell' as const),
    quantity: fc.double({ min: 0.001, max: 1e6, noNaN: true }),
    amountUsd: fc.double({ min: 0, max: 1e6, noNaN: true }),
    ago: fc.integer({ min: 0, max: 7 * DAY }),
  })
  .map(({ ago, ...more }) => swap({ ...more, time: NOW - ago, block: 1_000_000 - Math.floor(ago / 12) }))

const anyToken = fc
  .record({
    pools: fc.array(anyPool, { maxLength: 3 }),
    shares: fc.option(fc.array(fc.double({ min: 0, max: 0.1, noNaN: true }), { maxLength: 30 })),
    swaps: fc.array(anySwap, { maxLength: 40 }),
    swapCount: fc.integer({ min: 0, max: 5_000 }),
    holderCount: fc.option(fc.integer({ min: 0, max: 1_000 })),
  })
  .map(({ shares, swaps, ...more }) =>
    token({
      ...more,
      liquidityUsd: more.pools.reduce((total, it) => total + it.liquidityUsd, 0),
      holders: shares?.map((share, at) => holder(at + 1, share)) ?? null,
      swaps: swaps.sort((a, b) => a.time - b.time),
      links: shares && [],
    }),
  )

test('every risk score and dimension lies within 0 and 100', () => {
  fc.assert(
    fc.property(anyToken, (facts) => {
      const risk = scoreToken(facts)
      for (const value of [risk.riskScore, ...Object.values(risk.dimensions).map((dimension) => dimension.value)]) {
        expect(value).toBeGreaterThanOrEqual(0)
        expect(value).toBeLessThanOrEqual(100)
      }
    }),
  )
})

test('a risk score can be recomputed exactly from its published explanation', () => {
  fc.assert(
    fc.property(anyToken, (facts) => {
      const { explanation, riskScore, level } = scoreToken(facts)
      const published = unpackExplanation(JSON.parse(JSON.stringify(packExplanation(explanation))))
      expect(published).toEqual(JSON.parse(JSON.stringify(asStored(explanation))))
      expect(recomputeScore(published)).toBe(riskScore)
      expect(toRiskLevel(recomputeScore(published))).toBe(level)
      expect(composeParts(published)).toBe(published.composite)
      for (const { value, inputs } of published.dimensions) {
        const total = inputs.reduce((sum, input) => sum + input.points * input.weight, 0)
        expect(Math.min(100, Math.max(0, total))).toBe(value)
      }
    }),
  )
})

test('the order of holders, pools and traders does not change the risk score', () => {
  fc.assert(
    fc.property(anyToken, (facts) => {
      const turned = {
        ...facts,
        holders: facts.holders && [...facts.holders].reverse(),
        pools: [...facts.pools].reverse(),
        traders: [...facts.traders].reverse(),
      }
      expect(scoreToken(turned).riskScore).toBeCloseTo(scoreToken(facts).riskScore, 1)
      expect(scoreToken(turned).flags).toEqual(scoreToken(facts).flags)
    }),
  )
})

test('a larger share of one liquidity provider never lowers the liquidity risk', () => {
  fc.assert(
    fc.property(anyToken, fc.double({ min: 0, max: 1, noNaN: true }), (facts, more) => {
      const raise = (share: number) => share + (1 - share) * more
      const riskier = {
        ...facts,
        pools: facts.pools.map((it) => ({
          ...it,
          providers:
            it.providers === null
              ? null
              : it.providers.map((provider) => ({ ...provider, share: raise(provider.share) })),
        })),
      }
      expect(scoreToken(riskier).dimensions.liquidity.value).toBeGreaterThanOrEqual(
        scoreToken(facts).dimensions.liquidity.value - 1e-9,
      )
    }),
  )
})

test('moving tokens from the smallest to the largest holder never lowers the holder risk', () => {
  fc.assert(
    fc.property(anyToken, fc.double({ min: 0, max: 1, noNaN: true }), (facts, part) => {
      const holders = [...(facts.holders ?? [])].sort((a, b) => b.share - a.share)
      if (holders.length < 2) return
      const taken = (holders.at(-1)?.share ?? 0) * part
      const moved = holders.map((it, at) => ({
        ...it,
        share: at === 0 ? it.share + taken : at === holders.length - 1 ? it.share - taken : it.share,
      }))
      expect(scoreToken({ ...facts, holders: moved }).dimensions.holders.value).toBeGreaterThanOrEqual(
        scoreToken({ ...facts, holders }).dimensions.holders.value - 1e-9,
      )
    }),
  )
})

test('a token without any known facts gets the prior and low confidence, with the reasons', () => {
  const risk = scoreToken(
    token({
      pools: [],
      holders: null,
      links: null,
      swapCount: 0,
      liquidityAddCount: 0,
      liquidityRemoveCount: 0,
      priceUsd: null,
      firstLiquidityAt: null,
    }),
  )
  expect(risk.riskScore).toBe(RISK.prior)
  expect(risk.confidence).toBe('low')
  expect(risk.explanation.confidenceReasons).toEqual(
    expect.arrayContaining(['few_trades', 'holders_unknown', 'providers_unknown', 'not_priced']),
  )
  expect(risk.flags).toEqual([])
})

test('the composite is the logistic of the published dimensions by their published weights, and of nothing else', () => {
  fc.assert(
    fc.property(anyToken, (facts) => {
      const { explanation } = scoreToken(facts)
      const { dimensions, contributions, link, intercept } = explanation
      expect(link).toBe('logistic')
      expect(contributions.map(({ name, value }) => [name, value])).toEqual(
        dimensions.map(({ name, value }) => [name, value]),
      )
      const logOdds = contributions.reduce((sum, { value, weight }) => sum + (value ?? 0) * weight, intercept)
      expect(explanation.composite).toBe(100 / (1 + Math.exp(-logOdds)))
    }),
  )
})

test('all reasons together are the way from a token of which nothing is known to the score', () => {
  fc.assert(
    fc.property(anyToken, (facts) => {
      const { explanation, flags } = scoreToken(facts)
      const { reasons, score } = explanation
      expect(reasons.length).toBeLessThanOrEqual(3)
      // That of a flag may stand before larger ones.
      const sizes = reasons.slice(flags.length > 0 ? 1 : 0).map(({ points }) => Math.abs(points))
      expect(sizes).toEqual([...sizes].sort((a, b) => b - a))
      if (flags.includes('liquidity_pulled')) expect(reasons[0]?.text).toMatch(/of a pool was withdrawn within a day/)
      if (flags.includes('liquidity_pulled')) expect(reasons[0]?.points).toBeGreaterThan(0)
      for (const { text, points, dimension } of reasons) {
        expect(Math.abs(points)).toBeGreaterThanOrEqual(1)
        expect(text).not.toMatch(/\d{4}|\{|NaN|null|undefined|Infinity/)
        expect(RISK_DIMENSIONS).toContain(dimension)
      }
      if (reasons.length < 3)
        expect(Math.abs(score - 49 - reasons.reduce((sum, { points }) => sum + points, 0))).toBeLessThan(25)
    }),
  )
})

test('the size of the opening is told with the liquidity, as one reason with the points of both', () => {
  const facts = token({ liquidityUsd: 1e6, pools: [pool({ liquidityUsd: 1e6, peakLiquidityUsd: 1e6 })] })
  const { reasons, dimensions } = scoreToken(facts).explanation
  const names = dimensions.flatMap(({ inputs }) => inputs.map(({ name }) => name))
  expect(names).toEqual(expect.arrayContaining(['liquidityUsd', 'openingUsd']))
  expect(reasons.filter(({ text }) => /began the past week/.test(text))).toEqual([])
  expect(reasons.find(({ text }) => text.startsWith('the pools hold $1m of liquidity'))?.points).toBeLessThan(0)
})

test('a flag for who owns it says what set it: one holder, or the ten largest', () => {
  const told = (shares: number[]) => {
    const risk = scoreToken(token({ holders: shares.map((share, at) => holder(at + 1, share)), holderCount: 40 }))
    expect(risk.flags).toContain('concentrated_ownership')
    return risk.explanation.reasons.map(({ text }) => text)
  }
  expect(told([0.3, 0.01])).toContain('one wallet owns 30 % of the supply')
  expect(told(Array.from({ length: 10 }, () => 0.09))).toContain('its ten largest holders own 90 % of the supply')
})

test('a quote of the chain is not judged as a launch: low, and lifted by flags like any other', () => {
  const quote = scoreToken(token({ isQuote: true, swapCount: 0, pools: [], swaps: [] }))
  expect([quote.riskScore, quote.level, quote.explanation.link]).toEqual([10, 'low', 'identity'])
  expect(quote.explanation.reasons).toEqual([
    { text: 'it is money of this chain, which is not judged as a launch', points: -50, dimension: 'maturity' },
  ])
  expect(recomputeScore(unpackExplanation(JSON.parse(JSON.stringify(packExplanation(quote.explanation)))))).toBe(10)
  const owned = scoreToken(token({ isQuote: true, holders: [holder(1, 0.9)] }))
  expect([owned.flags, owned.level]).toEqual([['concentrated_ownership'], 'medium'])
  expect(scoreToken(token({ isQuote: true, priceUsd: null })).level).toBe('medium')
})

test('a price that fell by nine tenths within a day holds the risk at 50 or more without a flag', () => {
  const hour = (at: number, closeUsd: number) => ({ hour: NOW / 3_600 - at, closeUsd, isTraded: true })
  const risk = scoreToken(token({ hours: [hour(5, 1), hour(2, 0.05)], priceUsd: 0.05 }))
  expect(risk.explanation.floors).toEqual([{ reason: 'fell_within_a_day', atLeast: 50 }])
  expect(risk.riskScore).toBeGreaterThanOrEqual(50)
  expect(risk.flags).toEqual([])
})
