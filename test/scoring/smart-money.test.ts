import { expect, test } from 'vitest'
import { measureSmartMoney, scoreSmartMoney } from '../../src/scoring/smart-money.ts'
import { scoreToken } from '../../src/scoring/token-risk.ts'
import { DAY, holder, NOW, swap, token } from '../support/facts.ts'

const smart = { reputation: 80, confidence: 'medium' as const }

test('fewer than three reputable wallets leave smart money neutral at 50', () => {
  const facts = token({
    holders: [holder(1, 0.1, smart), holder(2, 0.1, smart)],
    swaps: [swap({ walletId: 1 }), swap({ walletId: 2 })],
  })
  expect(measureSmartMoney(facts).smartFlow).toBeNull()
  expect(scoreSmartMoney(measureSmartMoney(facts)).value).toBe(50)
})

test('smart-money inflow lowers the risk and outflow raises it, by tanh of the flow over 5 % of liquidity', () => {
  const holders = [1, 2, 3].map((id) => holder(id, 0.1, smart))
  const flow = (direction: 'buy' | 'sell') =>
    token({
      holders,
      liquidityUsd: 6_000,
      swaps: [1, 2, 3].map((walletId) => swap({ walletId, direction, amountUsd: 100 })),
    })
  expect(scoreSmartMoney(measureSmartMoney(flow('buy'))).value).toBeCloseTo(50 - 50 * Math.tanh(1))
  expect(scoreSmartMoney(measureSmartMoney(flow('sell'))).value).toBeCloseTo(50 + 50 * Math.tanh(1))
})

test('wallets of low confidence or low reputation are not smart money', () => {
  const holders = [
    holder(1, 0.1, { reputation: 90, confidence: 'low' }),
    holder(2, 0.1, { reputation: 64, confidence: 'high' }),
    holder(3, 0.1),
  ]
  expect(
    measureSmartMoney(token({ holders, swaps: [1, 2, 3].map((walletId) => swap({ walletId })) })).smartWalletCount,
  ).toBe(0)
})

test('smart_money_exiting is set when three reputable wallets sell a third of their holdings of the day before', () => {
  const holders = [1, 2, 3].map((id) => holder(id, 0.01, { ...smart, balance: 200 }))
  const sells = [1, 2, 3].map((walletId) => swap({ walletId, direction: 'sell', quantity: 100 }))
  expect(scoreToken(token({ holders, swaps: sells })).flags).toContain('smart_money_exiting')
  const keeper = holder(4, 0.01, { ...smart, balance: 10_000 })
  expect(scoreToken(token({ holders: [...holders, keeper], swaps: sells })).flags).not.toContain('smart_money_exiting')
  const old = sells.map((it) => ({ ...it, time: NOW - 2 * DAY }))
  expect(scoreToken(token({ holders, swaps: old })).flags).not.toContain('smart_money_exiting')
})
