import { expect, test } from 'vitest'
import { scoreToken } from '../../src/scoring/token-risk.ts'
import { scoreTrending } from '../../src/scoring/trending.ts'
import { DAY, NOW, swap, token } from '../support/facts.ts'

const trades = (count: number, ago: number, more = {}) =>
  Array.from({ length: count }, (_, at) =>
    swap({ walletId: at + 1, time: NOW - ago, quantity: 1 + at * 3, block: at, ...more }),
  )

const trend = (more: Parameters<typeof token>[0], risk = 50) => {
  const facts = token(more)
  return scoreTrending(facts, scoreToken(facts).measures, risk)
}

test('a token without trades and growth does not trend', () => {
  expect(trend({})).toBe(0)
})

test('a token with less than $1,000 of liquidity does not trend', () => {
  expect(trend({ swaps: trades(50, 600), liquidityUsd: 999 })).toBe(0)
  expect(trend({ swaps: trades(50, 600), liquidityUsd: 1_000 })).toBeGreaterThan(0)
})

test('more traders, volume and holders raise the trending score, and risk lowers it', () => {
  const base = trend({ swaps: trades(20, 600) })
  expect(trend({ swaps: trades(60, 600) })).toBeGreaterThan(base)
  expect(trend({ swaps: trades(20, 600, { amountUsd: 10_000 }) })).toBeGreaterThan(base)
  expect(trend({ swaps: trades(20, 600), fundedHolderCount: 200, fundedHolderCount1hAgo: 150 })).toBeGreaterThan(base)
  expect(trend({ swaps: trades(20, 600) }, 90)).toBeLessThan(base)
  expect(trend({ swaps: trades(20, 600) }, 100)).toBe(0)
})

test('a token whose last hour is above its daily mean trends more than one below it', () => {
  const busy = trades(200, DAY - 7_200)
  expect(trend({ swaps: [...busy, ...trades(20, 600)] })).toBeLessThan(trend({ swaps: trades(20, 600) }))
})

test('a token that traded today but not in the last hour trends a little, and more with more volume', () => {
  const quiet = (amountUsd: number) => trend({ swaps: trades(20, 7_200, { amountUsd }) })
  expect(quiet(100)).toBeGreaterThan(0)
  expect(quiet(10_000)).toBeGreaterThan(quiet(100))
  expect(quiet(10_000)).toBeLessThan(trend({ swaps: trades(20, 600, { amountUsd: 100 }) }))
})
