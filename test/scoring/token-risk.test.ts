import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toRiskLevel } from '../../src/base/risk-level.ts'
import { RISK_DIMENSIONS } from '../../src/base/vocabulary.ts'
import { packExplanation, unpackExplanation } from '../../src/ledger/explanation-pack.ts'
import type { TokenFacts } from '../../src/ledger/facts/facts.ts'
import { composeParts, recomputeScore } from '../../src/scoring/composite.ts'
import { MOST_REASONS } from '../../src/scoring/reasons.ts'
import { writeSummary } from '../../src/scoring/summary.ts'
import { scoreToken } from '../../src/scoring/token-risk.ts'
import { asStored } from '../support/explanation.ts'
import { contractFacts, DAY, holder, NO_KIN, NOW, pool, swap, token } from '../support/facts.ts'

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

test('a token without any known facts is never of low risk, and its low confidence has reasons', () => {
  const risk = scoreToken(
    token({
      pools: [],
      holders: null,
      links: null,
      contract: null,
      swapCount: 0,
      liquidityAddCount: 0,
      liquidityRemoveCount: 0,
      priceUsd: null,
      firstLiquidityAt: null,
    }),
  )
  expect(risk.level).not.toBe('low')
  expect(risk.confidence).toBe('low')
  expect(risk.explanation.confidenceReasons).toEqual(
    expect.arrayContaining(['few_trades', 'holders_unknown', 'providers_unknown', 'not_priced']),
  )
  expect(risk.explanation.floors.map(({ reason }) => reason)).toEqual(
    expect.arrayContaining([
      'not_priced',
      'barely_known',
      'low_confidence',
      'withdrawal_unknown',
      'contract_not_checked',
    ]),
  )
  expect(risk.flags).toEqual([])
})

test('the composite is the logistic of the published dimensions by their published weights, and of nothing else', () => {
  fc.assert(
    fc.property(anyToken, (facts) => {
      const { explanation } = scoreToken(facts)
      const { dimensions, contributions, link, intercept } = explanation
      expect(link).toBe('logistic')
      // Those three are part of the powers.
      const weighed = dimensions.filter(({ name }) => !['holders', 'wash', 'smart_money'].includes(name))
      expect(contributions.map(({ name, value }) => [name, value])).toEqual(
        weighed.map(({ name, value }) => [name, value]),
      )
      const logOdds = contributions.reduce((sum, { value, weight }) => sum + (value ?? 0) * weight, intercept)
      expect(explanation.composite).toBe(100 / (1 + Math.exp(-logOdds)))
    }),
  )
})

const KIND_ORDER = ['danger', 'caution', 'comfort', 'fact']

test('the base and the points of all reasons make the published score to the last digit, dangers first, each fact once', () => {
  fc.assert(
    fc.property(anyToken, (facts) => {
      const { base, reasons, score } = scoreToken(facts).explanation
      expect(reasons.length).toBeLessThanOrEqual(MOST_REASONS)
      const cents = reasons.reduce((sum, { points }) => sum + Math.round(100 * points), Math.round(100 * (base ?? 0)))
      expect(cents).toBe(Math.round(100 * score))
      const kinds = reasons.map(({ kind }) => KIND_ORDER.indexOf(kind))
      expect(kinds).toEqual([...kinds].sort((a, b) => a - b))
      expect(new Set(reasons.map(({ text }) => text)).size).toBe(reasons.length)
      for (const { text, points, dimension } of reasons) {
        expect(points).toBe(Math.round(100 * points) / 100)
        expect(text).not.toMatch(/\{|NaN|null|undefined|Infinity/)
        expect(RISK_DIMENSIONS).toContain(dimension)
      }
    }),
  )
})

test('every floor is told by a reason that is no comfort', () => {
  fc.assert(
    fc.property(anyToken, (facts) => {
      const { floors, reasons } = scoreToken({ ...facts, contract: null }).explanation
      const told = reasons.filter(({ kind }) => kind === 'danger' || kind === 'caution')
      expect(floors.map(({ reason }) => reason)).toContain('contract_not_checked')
      expect(told.length).toBeGreaterThan(0)
      expect(reasons.find(({ text }) => text === 'Its contract was not checked')?.kind ?? 'caution').toBe('caution')
    }),
  )
})

test('below high a free hand is a caution whatever its points, and an unknown one is no comfort', () => {
  const large = 5_000_000
  const free = [{ id: 1, kind: 'account' as const, share: 1, since: NOW - 40 * DAY, locks: [], hasAdded: true }]
  const told = (providers: typeof free | null) =>
    scoreToken(
      token({ liquidityUsd: large, pools: [pool({ liquidityUsd: large, providers })] }),
    ).explanation.reasons.find(({ text }) => text.startsWith('Liquidity $5m'))
  expect(told(free)).toMatchObject({ kind: 'caution', text: 'Liquidity $5m, unlocked: one wallet can withdraw 100 %' })
  const most = [
    { ...free[0], share: 0.55 },
    { ...free[0], id: 2, kind: 'burned' as const, share: 0.45 },
  ]
  expect(told(most as typeof free)).toMatchObject({ kind: 'caution' })
  expect(told(null)).toMatchObject({ kind: 'caution', text: 'Liquidity $5m, and nobody knows who can withdraw it' })
  const named = free.map((provider) => ({ ...provider, address: `0xa932${'0'.repeat(36)}` }))
  expect(told(named)?.text).toBe('Liquidity $5m, unlocked: 0xa932...0000 can withdraw 100 %')
})

test('a deep pool is a fact of its own beside a wallet that can empty it, so that the danger does not count in favour', () => {
  for (const share of [0.55, 0.8, 1]) {
    const free = { id: 1, kind: 'account' as const, since: NOW - 40 * DAY, locks: [], hasAdded: true }
    const providers = [
      { ...free, share },
      { ...free, id: 2, kind: 'burned' as const, share: 1 - share },
    ]
    const facts = token({ liquidityUsd: 5e6, pools: [pool({ liquidityUsd: 5e6, providers })] })
    const { reasons } = scoreToken(facts).explanation
    const [danger, depth] = ['Liquidity $5m, unlocked', 'Pools as deep'].map((words) =>
      reasons.find(({ text }) => text.startsWith(words)),
    )
    expect(danger?.kind).toBe('caution')
    expect(danger?.points).toBeGreaterThanOrEqual(0)
    expect(depth?.kind).toBe('fact')
    expect(depth?.points).toBeLessThan(0)
  }
})

test('of a token that cannot be sold, or whose liquidity is gone, no fact is in favour and no chance of a pull is told', () => {
  const contract = contractFacts([{ name: 'cannot_sell', strength: 95 }])
  const { explanation } = scoreToken(token({ contract }))
  expect(explanation.reasons[0]?.kind).toBe('danger')
  expect(explanation.reasons.filter(({ kind }) => kind === 'comfort')).toEqual([])
  expect(writeSummary(token({ contract }), scoreToken(token({ contract })))).toMatch(
    /Little speaks for it\. Confidence is /,
  )
  const open = contractFacts([{ name: 'open_power', strength: 30 }])
  expect(scoreToken(token({ contract: open })).explanation.reasons.some(({ kind }) => kind === 'comfort')).toBe(true)
})

test('the pulled tokens of a deployer are a reason, and unknown deployers are none', () => {
  const told = (deployerRecord: TokenFacts['deployerRecord']) =>
    scoreToken(token({ deployerRecord })).explanation.reasons.find(({ text }) => /deployer/.test(text))
  expect(told({ ...NO_KIN, tokens: 2, pulled: 2 })).toMatchObject({
    kind: 'danger',
    text: "2 of its deployer's 2 earlier tokens were pulled",
  })
  expect(told({ ...NO_KIN, tokens: 1, pulled: 1 })?.text).toBe("Its deployer's only earlier token was pulled")
  expect(told({ ...NO_KIN, tokens: 9, pulled: 0 })).toBeUndefined()
  expect(told(null)).toBeUndefined()
})

test('the pulled tokens of wallets with the same funder raise the score as those of the deployer do', () => {
  const score = (deployerRecord: TokenFacts['deployerRecord']) => scoreToken(token({ deployerRecord }))
  const clean = score({ tokens: 2, pulled: 0, funderTokens: 4, funderPulled: 0 })
  const kin = score({ tokens: 2, pulled: 0, funderTokens: 4, funderPulled: 3 })
  const own = score({ tokens: 6, pulled: 3, ...NO_KIN })
  expect(kin.riskScore).toBeGreaterThan(clean.riskScore)
  expect(kin.riskScore).toBe(own.riskScore)
  expect(kin.explanation.floors).toContainEqual({ reason: 'deployer_pulled', atLeast: 47.14 })
  expect(kin.explanation.reasons[0]).toMatchObject({
    kind: 'caution',
    text: '3 of 4 tokens of wallets with the same funder were pulled',
  })
})

test('a flag for who owns it says what set it: one holder, or the ten largest', () => {
  const told = (shares: number[]) => {
    const risk = scoreToken(token({ holders: shares.map((share, at) => holder(at + 1, share)), holderCount: 40 }))
    expect(risk.flags).toContain('concentrated_ownership')
    return risk.explanation.reasons.map(({ text }) => text)
  }
  expect(told([0.3, 0.01])).toContain('One wallet owns 30 % of the supply')
  expect(told(Array.from({ length: 10 }, () => 0.09))).toContain('Top 10 holders (without pools): 90 %')
})

test('a base asset of the chain is not scored: low, and lifted by flags like any other', () => {
  const quote = scoreToken(token({ isQuote: true, swapCount: 0, pools: [], swaps: [] }))
  expect([quote.riskScore, quote.level, quote.explanation.link]).toEqual([10, 'low', 'identity'])
  expect(quote.explanation.pullChance30dPct).toBeNull()
  expect(quote.explanation.reasons).toMatchObject([
    { kind: 'fact', text: 'Others are traded against it', points: 0, dimension: 'maturity' },
  ])
  expect(recomputeScore(unpackExplanation(JSON.parse(JSON.stringify(packExplanation(quote.explanation)))))).toBe(10)
  const owned = scoreToken(token({ isQuote: true, holders: [holder(1, 0.9)] }))
  expect(owned.flags).toEqual(['concentrated_ownership'])
  expect(owned.level).not.toBe('low')
  expect(scoreToken(token({ isQuote: true, priceUsd: null })).level).toBe('medium')
})

test('a price that fell by nine tenths within a day holds the risk at 50 or more without a flag', () => {
  const hour = (at: number, closeUsd: number) => ({ hour: NOW / 3_600 - at, closeUsd, isTraded: true })
  const risk = scoreToken(token({ hours: [hour(5, 1), hour(2, 0.05)], priceUsd: 0.05 }))
  expect(risk.explanation.floors).toEqual([{ reason: 'fell_within_a_day', atLeast: 50 }])
  expect(risk.riskScore).toBeGreaterThanOrEqual(50)
  expect(risk.flags).toEqual([])
})
