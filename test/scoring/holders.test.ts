import { expect, test } from 'vitest'
import { summariseHolders } from '../../src/scoring/early-movers.ts'
import { scoreToken } from '../../src/scoring/token-risk.ts'
import { DAY, holder, NOW, token } from '../support/facts.ts'

const small = Array.from({ length: 40 }, (_, at) => holder(at + 10, 0.005))

test.each([
  ['one account with a quarter', [holder(1, 0.25), ...small], 41, true],
  [
    'ten accounts with eight tenths',
    [...Array.from({ length: 10 }, (_, at) => holder(at + 1, 0.08)), ...small.slice(0, 20)],
    30,
    true,
  ],
  [
    'ten accounts with eight tenths among fewer than twenty holders',
    Array.from({ length: 10 }, (_, at) => holder(at + 1, 0.08)),
    10,
    false,
  ],
  ['a pool with nine tenths', [holder(1, 0.9, { kind: 'pool' }), ...small.slice(0, 20)], 21, false],
  [
    'an exchange and a locker',
    [holder(1, 0.4, { kind: 'exchange' }), holder(2, 0.4, { kind: 'locker' }), ...small],
    42,
    false,
  ],
])('concentrated_ownership: %s', (_, holders, holderCount, expected) => {
  expect(scoreToken(token({ holders, holderCount })).flags.includes('concentrated_ownership')).toBe(expected)
})

test('the holder risk is 100 for one holder and 0 for many small ones', () => {
  expect(scoreToken(token({ holders: [holder(1, 1)] })).dimensions.holders.value).toBe(100)
  expect(scoreToken(token({ holders: small })).dimensions.holders.value).toBe(0)
})

test('early movers are holders among the first fifty buyers, within a day of the first liquidity', () => {
  const firstLiquidityAt = NOW - 20 * DAY
  const early = { buyRank: 3, firstBuyAt: firstLiquidityAt + 60, balance: 200, weekAgo: 100 }
  const facts = token({
    firstLiquidityAt,
    holders: [
      holder(1, 0.02, { ...early, reputation: 80 }),
      holder(2, 0.02, { ...early, buyRank: 51 }),
      holder(3, 0.02, { ...early, firstBuyAt: firstLiquidityAt + 2 * DAY }),
    ],
  })
  expect(summariseHolders(facts)).toEqual({
    earlyMoverCount: 1,
    earlyMoverNetActivity: 'accumulating',
    avgReputationTop10: 60,
  })
})

test('without known holders there are no early movers, and the mean reputation is the prior', () => {
  expect(summariseHolders(token({ holders: null }))).toEqual({
    earlyMoverCount: 0,
    earlyMoverNetActivity: 'inactive',
    avgReputationTop10: 50,
  })
})
