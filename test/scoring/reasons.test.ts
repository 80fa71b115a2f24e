import fc from 'fast-check'
import { expect, test } from 'vitest'
import { scoreToken } from '../../src/scoring/token-risk.ts'
import { contractFacts, DAY, NO_KIN, NOW, pool, swap, token } from '../support/facts.ts'

/** All but 2 % of a pool was withdrawn yesterday; the rest is worth this. */
const pulled = (liquidityUsd: number) =>
  token({
    liquidityUsd,
    pools: [
      pool({
        liquidityUsd,
        quoteReserve: 0.2,
        days: [
          {
            day: NOW / DAY - 1,
            openQuote: 10,
            closeQuote: 0.2,
            keptFraction: 0.02,
            removalCount: 1,
            beforeRemovalQuote: 10,
          },
        ],
      }),
    ],
  })

test('the pull of the liquidity is the first reason and tells the fall of the liquidity too', () => {
  for (const liquidityUsd of [300, 5_000, 200_000]) {
    const { explanation, flags } = scoreToken(pulled(liquidityUsd))
    expect(flags).toEqual(['liquidity_pulled'])
    expect(explanation.reasons[0]).toMatchObject({
      kind: 'danger',
      text: '98 % of a pool was withdrawn within a day',
      dimension: 'liquidity',
    })
    expect(explanation.reasons[0]?.points).toBeGreaterThanOrEqual(10)
    for (const { text } of explanation.reasons.slice(1)) expect(text).not.toMatch(/peak|removed|fell by/)
  }
})

test('that nothing is left of a pulled pool is told once', () => {
  const { reasons } = scoreToken(pulled(0)).explanation
  expect(reasons.filter(({ text }) => / left\b/.test(text)).map(({ text }) => text)).toEqual([
    '98 % of a pool was withdrawn within a day, and nothing is left',
  ])
})

test('wash trading is one reason, with the points of its measure and of its floor', () => {
  const swaps = Array.from({ length: 24 }, (_, at) =>
    swap({
      walletId: 901 + (at % 2),
      direction: at % 2 === 0 ? 'buy' : 'sell',
      quantity: 1e9,
      amountUsd: 500,
      time: NOW - 5 * 3_600 + at * 30,
    }),
  )
  const { reasons, floors } = scoreToken(token({ swaps, swapCount: 200 })).explanation
  expect(floors).toContainEqual({ reason: 'wash_trading', atLeast: 70 })
  const told = reasons.filter(({ text }) => /wash/.test(text))
  expect(told).toMatchObject([{ kind: 'danger', text: '100 % of its volume is wash trading', dimension: 'wash' }])
  expect(told[0]?.points).toBeGreaterThan(20)
})

/** All of the shares of a pool of this size: in one hand, at the burn address, or partly in one hand. */
const held = (liquidityUsd: number, share: number) =>
  scoreToken(
    token({
      liquidityUsd,
      pools: [
        pool({
          liquidityUsd,
          providers: [
            { id: 1, kind: 'account', share, since: NOW - 90 * DAY, locks: [], hasAdded: true },
            { id: 2, kind: 'burned', share: 1 - share, since: NOW - 90 * DAY, locks: [], hasAdded: false },
          ],
        }),
      ],
    }),
  )

test('what lies in the pools and who can withdraw it is one reason, and below high at most a caution', () => {
  const tellOf = (liquidityUsd: number, share: number) => {
    const [told, ...more] = held(liquidityUsd, share).explanation.reasons.filter(({ text }) => text.includes('$'))
    expect(more).toEqual([])
    return { kind: told?.kind, text: told?.text }
  }
  const large = 3_000_000
  expect(tellOf(large, 0.98)).toEqual({
    kind: 'caution',
    text: 'Liquidity $3m, unlocked: one wallet can withdraw 98 %',
  })
  expect(tellOf(400, 1)).toEqual({ kind: 'caution', text: 'Liquidity $400, unlocked: one wallet can withdraw 100 %' })
  expect(tellOf(large, 0.08)).toEqual({ kind: 'comfort', text: 'Liquidity $3m, no wallet can withdraw more than 8 %' })
  expect(tellOf(large, 0)).toEqual({ kind: 'comfort', text: 'Liquidity $3m, burned or locked: nobody can withdraw it' })
})

test('a free hand keeps a token from being of low risk, and its cause is told however low the score would be', () => {
  const [free, burned] = [held(3_000_000, 1), held(3_000_000, 0)]
  expect(free.explanation.floors.map(({ reason }) => reason)).toContain('one_wallet_can_withdraw')
  expect(free.riskScore).toBeGreaterThan(30)
  expect(burned.level).toBe('low')
})

test('nothing is told of what an empty pool holds: neither who could withdraw it nor what trades are of it', () => {
  const { reasons } = scoreToken(pulled(0.4)).explanation
  for (const { text } of reasons) expect(text).not.toMatch(/can withdraw|average trade/)
})

const FINDINGS = [
  ['cannot_sell', 95],
  ['high_tax', 50],
  ['open_power', 30],
  ['few_buyers_sold', 0],
] as const

test('a danger and the level agree: none below high, and one at least from high on that is no held level', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true })
  const liquidityUsd = fc.constantFrom(0, 0.4, 300, 5_000, 3e6)
  const finding = fc.subarray([...FINDINGS])
  const before = fc.option(fc.double({ min: 0, max: 100, noNaN: true }))
  const record = fc.record({ tokens: fc.constantFrom(0, 1, 7), pulled: fc.constantFrom(0, 1) })
  fc.assert(
    fc.property(
      liquidityUsd,
      share,
      finding,
      before,
      record,
      fc.boolean(),
      (usd, free, found, previous, made, isNew) => {
        const since = NOW - 90 * DAY
        const providers = [
          { id: 1, kind: 'account' as const, share: free, since, locks: [], hasAdded: true },
          { id: 2, kind: 'burned' as const, share: 1 - free, since, locks: [], hasAdded: false },
        ]
        const { riskScore, level, explanation } = scoreToken(
          token({
            liquidityUsd: usd,
            pools: [pool({ liquidityUsd: usd, providers })],
            contract: isNew ? null : contractFacts(found.map(([name, strength]) => ({ name, strength }))),
            deployerRecord: { ...NO_KIN, tokens: made.tokens, pulled: Math.min(made.tokens, made.pulled) },
            previous: previous === null ? null : { riskScore: previous, time: NOW - 12, heldUntil: null },
          }),
        )
        const dangers = explanation.reasons.filter(({ kind }) => kind === 'danger')
        expect(dangers.length > 0, `${riskScore} ${level}`).toBe(riskScore >= 50)
        expect(dangers.map(({ text }) => text)).not.toContain('Its risk was higher less than 10 minutes ago')
      },
    ),
    { numRuns: 2_000 },
  )
})
