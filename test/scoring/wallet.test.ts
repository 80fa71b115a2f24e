import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { packExplanation, unpackExplanation } from '../../src/ledger/explanation-pack.ts'
import { classifyWallet } from '../../src/scoring/classify.ts'
import { recomputeScore } from '../../src/scoring/composite.ts'
import { preferSector } from '../../src/scoring/sector.ts'
import { scoreWallet } from '../../src/scoring/wallet-reputation.ts'
import { nextWalletChange, toWalletScore } from '../../src/scoring/wallet-score.ts'
import { asStored } from '../support/explanation.ts'
import { DAY, NOW, wallet, walletSwap } from '../support/facts.ts'

const anyWallet = fc
  .record({
    exitCount: fc.integer({ min: 0, max: 500 }),
    winShare: fc.double({ min: 0, max: 1, noNaN: true }),
    weekCount: fc.integer({ min: 0, max: 100 }),
    weekShare: fc.double({ min: 0, max: 1, noNaN: true }),
    maxDrawdownUsd: fc.double({ min: 0, max: 1e7, noNaN: true }),
    boughtUsd: fc.double({ min: 0, max: 1e7, noNaN: true }),
    boughtTokenCount: fc.integer({ min: 0, max: 50 }),
    timed: fc.array(fc.option(fc.double({ min: 0, max: 1, noNaN: true })), { maxLength: 30 }),
  })
  .map(({ winShare, weekShare, timed, ...more }) =>
    wallet({
      ...more,
      exitWinCount: Math.floor(more.exitCount * winShare),
      profitableWeekCount: Math.floor(more.weekCount * weekShare),
      swaps: timed.map((aboveShare3d) => walletSwap({ aboveShare3d })),
    }),
  )

test('a reputation lies within 0 and 100 and can be recomputed exactly from its explanation', () => {
  fc.assert(
    fc.property(anyWallet, (facts) => {
      const { explanation, reputation, ...scored } = scoreWallet(facts)
      const known = [scored.entryTiming, scored.consistency, scored.riskDrawdown].filter((value) => value !== null)
      for (const value of [reputation, ...known]) {
        expect(value).toBeGreaterThanOrEqual(0)
        expect(value).toBeLessThanOrEqual(100)
      }
      const published = unpackExplanation(JSON.parse(JSON.stringify(packExplanation(explanation))))
      expect(published).toEqual(JSON.parse(JSON.stringify(asStored(explanation))))
      expect(recomputeScore(published)).toBe(reputation)
    }),
  )
})

test('another won exit or profitable week never lowers a reputation, nor does a shallower fall', () => {
  fc.assert(
    fc.property(anyWallet, (facts) => {
      const { reputation } = scoreWallet(facts)
      const better = [
        { ...facts, exitWinCount: Math.min(facts.exitWinCount + 1, facts.exitCount) },
        { ...facts, profitableWeekCount: facts.profitableWeekCount + 1, weekCount: facts.weekCount + 1 },
        { ...facts, maxDrawdownUsd: facts.maxDrawdownUsd / 2 },
      ]
      for (const it of better) expect(scoreWallet(it).reputation).toBeGreaterThanOrEqual(reputation)
    }),
  )
})

test('a wallet without trades has reputation 50, low confidence with the reasons, and no value for unknown dimensions', () => {
  const scored = scoreWallet(wallet())
  expect(scored).toMatchObject({
    reputation: 50,
    confidence: 'low',
    winRate: null,
    entryTiming: null,
    consistency: null,
    riskDrawdown: null,
  })
  expect(scored.explanation.confidenceReasons).toEqual(['few_trades', 'few_tokens'])
})

test.each([
  [{ exitCount: 4, closedTokenCount: 9 }, 'low'],
  [{ exitCount: 5, closedTokenCount: 2 }, 'low'],
  [{ exitCount: 5, closedTokenCount: 3 }, 'medium'],
  [{ exitCount: 20, closedTokenCount: 5 }, 'high'],
  [{ exitCount: 20, closedTokenCount: 5, soldUsd: 100, soldKnownUsd: 79 }, 'medium'],
])('the confidence of a wallet with %j is %s', (more, expected) => {
  expect(scoreWallet(wallet(more)).confidence).toBe(expected)
})

describe('the first matching class wins:', () => {
  const trades = (count: number, gap: number) =>
    Array.from({ length: count }, (_, at) => walletSwap({ time: NOW - 20 * DAY + at * gap, block: at }))
  test.each([
    ['bot', { swaps: trades(12, 30) }],
    ['bot', { swaps: trades(50, 1_700) }],
    [
      'bot',
      {
        swaps: trades(12, 90_000).map((it, at) => ({
          ...it,
          block: at >> 1,
          direction: at % 2 ? ('buy' as const) : ('sell' as const),
        })),
      },
    ],
    ['sniper', { snipeCount: 2, boughtTokenCount: 4 }],
    ['retail', { snipeCount: 2, boughtTokenCount: 2 }],
    ['liquidity_provider', { liquidityAddCount: 5, liquidityRemoveCount: 3, eventCount: 90 }],
    ['whale', { holdingsUsd: 100_000 }],
    ['whale', { largestShare: 0.01 }],
    ['early_mover', { earlyBuyCount: 3 }],
    ['developer', { deployedCount: 1 }],
    ['retail', {}],
    ['unknown', { swapCount: 2 }],
    ['pool', { kind: 'pool' as const }],
    ['contract', { kind: 'contract' as const, earlyBuyCount: 5 }],
    ['relayer', { swapCount: 20, relayedCount: 21, deployedCount: 1 }],
    ['rug_puller', { swapCount: 20, relayedCount: 21, pulledCount: 1 }],
    ['retail', { swapCount: 20, relayedCount: 20 }],
    ['unknown', { swapCount: 0, relayedCount: 2 }],
  ])('%s for %j', (expected, more) => {
    expect(classifyWallet(wallet(more), 50, 'low')[0]).toBe(expected)
  })

  test('a contract that has traded for itself for a month is what a trader is, and a contract besides', () => {
    const years = { kind: 'contract' as const, closedCount: 10, firstSeenAt: NOW - 700 * DAY, lastTradeAt: NOW - DAY }
    expect(classifyWallet(wallet(years), 50, 'low')).toEqual(['retail', 'contract'])
    expect(classifyWallet(wallet({ ...years, holdingsUsd: 100_000 }), 50, 'low')).toEqual(['whale', 'contract'])
    expect(classifyWallet(wallet({ ...years, closedCount: 9 }), 50, 'low')).toEqual(['contract'])
    expect(classifyWallet(wallet({ ...years, lastTradeAt: NOW - 680 * DAY }), 50, 'low')).toEqual(['contract'])
  })

  test('trades in ten blocks are no sign of a bot for being several of each: an aggregator splits one wish', () => {
    const split = trades(30, 0).map((it, at) => ({
      ...it,
      block: Math.floor(at / 3),
      time: NOW - 20 * DAY + Math.floor(at / 3) * DAY,
    }))
    expect(classifyWallet(wallet({ swaps: split }), 50, 'low')[0]).toBe('retail')
    const hasty = split.map((it, at) => ({ ...it, time: NOW - 20 * DAY + Math.floor(at / 3) * 30 }))
    expect(classifyWallet(wallet({ swaps: hasty }), 50, 'low')[0]).toBe('bot')
  })

  test('all classes that apply are listed, in order', () => {
    const facts = wallet({ realisedUsd: 1, boughtTokenCount: 5, holdingsUsd: 100_000, deployedCount: 1 })
    expect(classifyWallet(facts, 70, 'medium')).toEqual(['whale', 'smart_money', 'developer'])
    expect(classifyWallet(wallet(), 50, 'low')).toEqual(['retail'])
  })

  test('smart money needs a reputation of 70, a profit, five tokens, and medium confidence', () => {
    const facts = wallet({ realisedUsd: 1, boughtTokenCount: 5 })
    expect(classifyWallet(facts, 70, 'medium')[0]).toBe('smart_money')
    expect(classifyWallet(facts, 70, 'low')[0]).toBe('retail')
    expect(classifyWallet(facts, 69.99, 'high')[0]).toBe('retail')
    expect(classifyWallet({ ...facts, realisedUsd: 0 }, 70, 'high')[0]).toBe('retail')
  })
})

test('the preferred sector is the one with the most dollars; unknown sectors count only if there is no other', () => {
  const sectors = [
    walletSwap({ sector: 'meme', amountUsd: 60 }),
    walletSwap({ sector: 'defi', amountUsd: 50 }),
    walletSwap({ sector: 'defi', amountUsd: 50 }),
    walletSwap({ sector: 'unknown', amountUsd: 500 }),
  ]
  expect(preferSector(sectors)).toBe('defi')
  expect(preferSector([walletSwap({ sector: 'unknown' })])).toBe('unknown')
  expect(preferSector([])).toBe('unknown')
})

test('a wallet is due on the day on which its next buy matures, and never without such a buy', () => {
  const time = NOW - DAY - 3_600
  expect(nextWalletChange(wallet({ swaps: [walletSwap({ time })] }))).toBe(Math.ceil((time + 3 * DAY) / DAY) * DAY)
  const ripe = walletSwap({ time: NOW - 3 * DAY })
  expect(nextWalletChange(wallet({ swaps: [ripe] }))).toBe(Math.ceil(NOW / DAY) * DAY)
  expect(nextWalletChange(wallet({ swaps: [walletSwap({ time: NOW - 10 * DAY })] }))).toBeNull()
  expect(nextWalletChange(wallet({ swaps: [walletSwap({ time, direction: 'sell' })] }))).toBeNull()
})

test('the stored wallet score has all published fields', () => {
  expect(toWalletScore(wallet({ closedCount: 20, winCount: 15 }))).toMatchObject({
    walletId: 1,
    block: 1_000,
    level: 'medium',
    winRate: 0.75,
    sectorPreference: 'unknown',
  })
})

test('a wallet that pulled the liquidity of a token loses 50 points, named in the explanation, however well it trades', () => {
  const facts = wallet({ exitCount: 20, exitWinCount: 20, weekCount: 10, profitableWeekCount: 10 })
  const [neutral, puller] = [scoreWallet(facts), scoreWallet({ ...facts, pulledCount: 1 })]
  expect(puller.reputation).toBeCloseTo(neutral.reputation - 50, 6)
  expect(scoreWallet(wallet({ pulledCount: 3 })).reputation).toBe(0)
  const part = puller.explanation.contributions.find(({ name }) => name === 'pulledLiquidity')
  expect(part).toEqual({ name: 'pulledLiquidity', value: 100, weight: -0.5, contribution: -50 })
})

test('a wallet that sold much of its own token loses 30 points, and no more than 50 with its pulls', () => {
  const facts = wallet({ exitCount: 20, exitWinCount: 20, weekCount: 10, profitableWeekCount: 10 })
  const [neutral, dumper] = [scoreWallet(facts), scoreWallet({ ...facts, dumpedCount: 2 })]
  expect(dumper.reputation).toBeCloseTo(neutral.reputation - 30, 6)
  const both = scoreWallet({ ...facts, dumpedCount: 1, pulledCount: 1 })
  expect(both.reputation).toBeCloseTo(neutral.reputation - 50, 6)
})

test('a wallet that washed a token loses 50 points, and its profit from that token is no skill', () => {
  const trade = (tokenId: number, direction: 'buy' | 'sell', block: number, amountUsd: number) =>
    walletSwap({ tokenId, direction, block, time: block * 12, amountUsd })
  const trips = (tokenId: number, from: number, profit: number) =>
    Array.from({ length: 10 }, (_, at) => [
      trade(tokenId, 'buy', from + 4 * at, 100),
      trade(tokenId, 'sell', from + 4 * at + 2, 100 + profit),
    ]).flat()
  const record = { exitCount: 20, exitWinCount: 10, weekCount: 1, profitableWeekCount: 1, closedTokenCount: 2 }
  const facts = wallet({ ...record, swaps: [...trips(1, 1_000, 5), ...trips(2, 2_000, -5)] })
  const inputsOf = (washedTokenIds: number[]) => {
    const { explanation } = scoreWallet({ ...facts, washedTokenIds })
    const inputs = explanation.dimensions.flatMap((dimension) => dimension.inputs)
    return {
      ...Object.fromEntries(inputs.map(({ name, value }) => [name, value])),
      evidence: explanation.evidence,
      washing: explanation.contributions.find(({ name }) => name === 'washTrading')?.contribution,
    }
  }
  expect(inputsOf([])).toMatchObject({ shrunkExitWinRate: 15 / 30, evidence: 20, washing: 0 })
  expect(inputsOf([1])).toMatchObject({ shrunkExitWinRate: 5 / 20, profitableWeeks: 1 / 3, evidence: 10, washing: -50 })
  expect(inputsOf([2])).toMatchObject({
    shrunkExitWinRate: 15 / 20,
    profitableWeeks: 2 / 3,
    evidence: 10,
    washing: -50,
  })
  expect(inputsOf([1, 2])).toMatchObject({ shrunkExitWinRate: 5 / 10, sellShare: null, evidence: 0, washing: -50 })
})

test('a purchase and sale in one pool within one block is no skill, and a trade between pools is', () => {
  const trade = (direction: 'buy' | 'sell', block: number, amountUsd: number) =>
    walletSwap({ direction, block, time: block * 12, amountUsd })
  const sandwich = (block: number) => [trade('buy', block, 100), trade('sell', block, 110)]
  const loss = [trade('buy', 500, 100), trade('sell', 600, 50)]
  const swaps = [...sandwich(100), ...sandwich(200), ...sandwich(300), ...loss]
  const record = { exitCount: 4, exitWinCount: 3, weekCount: 1, profitableWeekCount: 0 }
  const { explanation } = scoreWallet(wallet({ ...record, swaps }))
  expect(explanation.evidence).toBe(1)
  expect(explanation.dimensions[0]?.inputs[0]).toMatchObject({ name: 'shrunkExitWinRate', value: 5 / 11 })
  const moved = swaps.map((swap, at) => ({ ...swap, poolId: at % 2 }))
  expect(scoreWallet(wallet({ ...record, swaps: moved })).explanation.evidence).toBe(4)
})

test('a score is as of the last change of its wallet, or of the midnight on which the outcome of a buy was known', () => {
  const changed = { number: 900, time: NOW - 5 * DAY }
  expect(toWalletScore(wallet({ changed }))).toMatchObject({ block: 900, time: NOW - 5 * DAY })
  const buy = walletSwap({ time: NOW - 5 * DAY })
  const ripe = Math.ceil((NOW - 2 * DAY) / DAY) * DAY
  expect(toWalletScore(wallet({ changed, swaps: [buy] })).time).toBe(ripe)
  const late = wallet({ changed, swaps: [buy], block: { number: 2_000, time: NOW + 600, hourTime: NOW } })
  expect(toWalletScore(late)).toEqual(toWalletScore(wallet({ changed, swaps: [buy] })))
})

test('a wallet that sells soon after buying, and sells more of its trades, has the better reputation', () => {
  const DAY_SECONDS = 86_400
  const trade = (direction: 'buy' | 'sell', time: number) =>
    walletSwap({ direction, time, block: time + (direction === 'buy' ? 1 : 0), tokenId: 1 })
  const habitsOf = (holdSeconds: number, sales: number) =>
    scoreWallet(
      wallet({
        exitCount: 20,
        exitWinCount: 10,
        swaps: [
          trade('buy', 0),
          ...Array.from({ length: sales }, () => trade('sell', holdSeconds)),
          trade('buy', holdSeconds + 12),
        ],
      }),
    ).reputation
  expect(habitsOf(3_600, 3)).toBeGreaterThan(habitsOf(10 * DAY_SECONDS, 3))
  expect(habitsOf(3_600, 3)).toBeGreaterThan(habitsOf(3_600, 1))
})

test('who pulled liquidity is a rug puller first, and never smart money', () => {
  const skilled = wallet({ realisedUsd: 1, boughtTokenCount: 9, pulledCount: 1, liquidityRemoveCount: 1, swapCount: 0 })
  expect(classifyWallet(skilled, 90, 'high')).toEqual(['rug_puller', 'liquidity_provider'])
  expect(classifyWallet({ ...skilled, pulledCount: 0 }, 90, 'high')).toEqual(['liquidity_provider', 'smart_money'])
})
