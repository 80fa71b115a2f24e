import { expect, test } from 'vitest'
import { scoreToken } from '../../src/scoring/token-risk.ts'
import { DAY, holder, NOW, pool, swap, token } from '../support/facts.ts'

/** All but 2 % of a pool was withdrawn yesterday; what is left is worth this. */
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

test('the pull of the liquidity is the first reason, with the points of all that says the same, whether or not its floor lifts the score', () => {
  for (const liquidityUsd of [300, 5_000, 200_000]) {
    const { explanation, flags } = scoreToken(pulled(liquidityUsd))
    expect(flags).toEqual(['liquidity_pulled'])
    expect(explanation.reasons[0]).toMatchObject({
      text: '98 % of a pool was withdrawn within a day',
      dimension: 'liquidity',
    })
    expect(explanation.reasons[0]?.points).toBeGreaterThanOrEqual(10)
    for (const { text } of explanation.reasons.slice(1)) expect(text).not.toMatch(/peak|removed|stayed/)
  }
})

test('two of the three reasons of a high risk raise it, however much speaks for the token; of a low risk the largest are told', () => {
  const raising = (liquidityUsd: number) => {
    const { explanation } = scoreToken(pulled(liquidityUsd))
    expect([explanation.score >= 50, explanation.reasons.length]).toEqual([true, 3])
    return explanation.reasons.filter(({ points }) => points > 0).length
  }
  for (const liquidityUsd of [5_000, 200_000, 3_000_000]) expect(raising(liquidityUsd)).toBeGreaterThanOrEqual(2)
  const { explanation } = scoreToken(token({ liquidityUsd: 3_000_000 }))
  expect(explanation.score).toBeLessThan(50)
  expect(explanation.reasons.filter(({ points }) => points > 0).length).toBeLessThan(2)
})

test('wash trading is one reason, the first, whose points are those of its dimension and of its floor', () => {
  const swaps = Array.from({ length: 24 }, (_, at) =>
    swap({
      walletId: 901 + (at % 2),
      direction: at % 2 === 0 ? 'buy' : 'sell',
      quantity: 1e9,
      amountUsd: 500,
      time: NOW - 5 * 3_600 + at * 30,
    }),
  )
  const { reasons } = scoreToken(token({ swaps, swapCount: 200 })).explanation
  expect(reasons[0]).toMatchObject({ text: "100 % of the week's volume is wash trading", dimension: 'wash' })
  expect(reasons[0]?.points).toBeGreaterThan(20)
  expect(reasons.filter(({ text }) => /wash/.test(text))).toHaveLength(1)
})

test('a flag that holds the score up is the first reason, one below a score that the inputs alone reach is told by its size', () => {
  const owned = (liquidityUsd: number) =>
    scoreToken(
      token({
        holders: [holder(1, 0.6)],
        liquidityUsd,
        pools: [
          pool({
            liquidityUsd,
            providers: [{ id: 1, kind: 'account', share: 1, since: NOW - 90 * DAY, locks: [], hasAdded: true }],
          }),
        ],
      }),
    )
  const [safe, risky] = [owned(5e6), owned(1)]
  expect([safe.riskScore, safe.explanation.reasons[0]?.text]).toEqual([30, 'one wallet owns 60 % of the supply'])
  expect(risky.riskScore).toBeGreaterThan(35)
  expect(risky.explanation.reasons[0]?.text).not.toMatch(/owns/)
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

test('how much lies in the pools and who can withdraw it is one reason: of a large pool in one free hand it says so, however low the risk', () => {
  const tellOf = (liquidityUsd: number, share: number) => {
    const { explanation } = held(liquidityUsd, share)
    const [told, ...more] = explanation.reasons.filter(({ text }) => text.includes('liquidity') && text.includes('$'))
    expect(more).toEqual([])
    return { text: told?.text, isRaising: (told?.points ?? 0) > 0, score: explanation.score }
  }
  const large = tellOf(3_000_000, 0.98)
  expect(large).toMatchObject({
    text: 'the pools hold $3m of liquidity, but one wallet can withdraw 98 % of it',
    isRaising: false,
  })
  expect(tellOf(400, 1)).toMatchObject({
    text: 'one wallet can withdraw all of the $400 of liquidity',
    isRaising: true,
  })
  expect(tellOf(3_000_000, 0.08).text).toBe('the pools hold $3m of liquidity, of which one wallet can withdraw 8 %')
  expect(tellOf(3_000_000, 0)).toMatchObject({
    text: 'the pools hold $3m of liquidity, which no wallet can withdraw',
    isRaising: false,
  })
})

test('a free hand takes from what the size of the pools speaks for a token, and a burned share adds to it', () => {
  const pointsOf = (share: number) =>
    held(3_000_000, share).explanation.reasons.find(({ text }) => text.startsWith('the pools hold'))?.points ?? 0
  expect(pointsOf(1)).toBeGreaterThan(pointsOf(0) + 5)
})

test('nothing is told of what an empty pool holds: neither who could withdraw it nor what trades are of it', () => {
  const { reasons } = scoreToken(pulled(0.4)).explanation
  for (const { text } of reasons) expect(text).not.toMatch(/withdraw the|one wallet can|average trade/)
})
