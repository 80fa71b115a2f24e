// Alerts that name tokens or wallets.
import { beforeEach, expect, test } from 'vitest'
import { createSweep } from '../../src/alerts/sweep.ts'
import { describeToken } from '../../src/alerts/token-lines.ts'
import { addressOf, createAlertWorld, START } from '../support/alerts.ts'
import { createTestClock, type TestClock } from '../support/clock.ts'
import { createTestDatabase } from '../support/database.ts'

const database = await createTestDatabase()
const world = createAlertWorld(database)
const MINUTE = 60
const [WALLET, OTHER] = [901, 902]
let clock: TestClock
let sweep: ReturnType<typeof createSweep>
let owner: { accountId: number; keyId: number }

beforeEach(async () => {
  await world.reset()
  clock = createTestClock()
  sweep = createSweep({ database, clock, maxLag: 10 })
  owner = await world.account()
})

/** The alerts and tokens that were told, oldest first. */
const told = async () => {
  const { rows } = await world.query('SELECT alert_id, token_id, facts FROM alert_notice ORDER BY id')
  return rows.map(({ alert_id, token_id }) => `${alert_id} ${token_id}`)
}
const factsOf = async (alert: string) =>
  (await world.query('SELECT facts FROM alert_notice WHERE alert_id = $1 ORDER BY id DESC', [alert])).rows[0]?.facts

/** A block in which wallets trade token 1, and a sweep after it. */
async function tradeIn(
  block: number,
  minute: number,
  trades: { wallet: number; direction: 'buy' | 'sell'; usd?: number }[],
  risk = 20,
) {
  const time = START + minute * MINUTE
  await world.block(block, time, { 1: { riskScore: risk } }, `0x${block} ${minute} ${trades.length}`)
  for (const trade of trades) await world.trade(block, time, { token: 1, usd: 1_500, ...trade })
  clock.advance(MINUTE * 60_000)
  await sweep.run()
}

test('an alert on one token is of that token alone, and fires when its risk rises to a level', async () => {
  await world.alert('high', owner, { tokens: [addressOf(1)], minRiskScore: 50 })
  await world.block(1, START, { 1: { riskScore: 20 }, 2: { riskScore: 20 } })
  await sweep.run()
  await world.block(2, START + MINUTE, { 1: { riskScore: 70 }, 2: { riskScore: 70 } })
  await sweep.run()
  expect(await told()).toEqual(['high 1'])
  expect(await factsOf('high')).toMatchObject({ began: ['min_risk_score'], riskScore: 70 })
})

test('an alert on a wallet fires for its purchase, for its sale, or for both, and for no other wallet', async () => {
  const wallet = [addressOf(WALLET)]
  await world.alert('buys', owner, { boughtBy: wallet })
  await world.alert('sells', owner, { soldBy: wallet })
  await world.alert('trades', owner, { tradedBy: wallet })
  await tradeIn(1, 0, [])
  await tradeIn(2, 1, [{ wallet: OTHER, direction: 'buy' }])
  expect(await told()).toEqual([])
  await tradeIn(3, 2, [
    { wallet: WALLET, direction: 'buy' },
    { wallet: WALLET, direction: 'buy' },
    { wallet: OTHER, direction: 'sell' },
  ])
  expect(await told()).toEqual(['buys 1', 'trades 1'])
  expect(await factsOf('buys')).toMatchObject({
    began: ['bought_by'],
    trades: [{ wallet: addressOf(WALLET), direction: 'buy', usd: 3_000, block: 3 }],
  })
  await tradeIn(4, 20, [{ wallet: WALLET, direction: 'sell' }])
  expect(await told()).toEqual(['buys 1', 'trades 1', 'sells 1', 'trades 1'])
})

test('the message names the wallet, its side and its sum beside the verdict', async () => {
  await world.alert('buys', owner, { boughtBy: [addressOf(WALLET)] })
  await tradeIn(1, 0, [])
  await tradeIn(2, 1, [{ wallet: WALLET, direction: 'buy' }])
  const token = { address: addressOf(1), name: 'One', symbol: 'ONE', initial: false, matchedAt: new Date(0) }
  const headline = 'Do not buy: the owner stopped sales.'
  const facts = await factsOf('buys')
  const { rows } = describeToken({ ...token, facts, reasons: [], headline, priceUsd: 1 }, () => 'low')
  expect(rows).toContainEqual(['Began', `bought by ${addressOf(WALLET)} (bought for $1,500)`])
  expect(rows).toContainEqual(['Verdict', headline])
})

test('a wallet that goes on trading a token is told once in ten minutes', async () => {
  await world.alert('buys', owner, { boughtBy: [addressOf(WALLET)] })
  await tradeIn(1, 0, [])
  for (const minute of [1, 5, 9]) await tradeIn(minute + 1, minute, [{ wallet: WALLET, direction: 'buy' }])
  expect(await told()).toEqual(['buys 1'])
  await tradeIn(20, 11, [{ wallet: WALLET, direction: 'buy' }])
  expect(await told()).toEqual(['buys 1', 'buys 1'])
})

test('other conditions hold for what a wallet buys', async () => {
  await world.alert('safe', owner, { boughtBy: [addressOf(WALLET)], maxRiskScore: 30 })
  await tradeIn(1, 0, [])
  await tradeIn(2, 1, [{ wallet: WALLET, direction: 'buy' }], 60)
  await tradeIn(3, 20, [], 20)
  expect(await told()).toEqual([])
  await tradeIn(4, 30, [{ wallet: WALLET, direction: 'buy' }], 20)
  expect(await told()).toEqual(['safe 1'])
})

test('a reorganisation takes back a trade that is gone, keeps one that stays, and tells one that is new', async () => {
  for (const wallet of [WALLET, OTHER]) await world.alert(`buys ${wallet}`, owner, { boughtBy: [addressOf(wallet)] })
  await tradeIn(1, 0, [])
  await tradeIn(2, 1, [{ wallet: WALLET, direction: 'buy' }])
  await tradeIn(3, 2, [{ wallet: OTHER, direction: 'buy' }])
  expect(await told()).toEqual([`buys ${WALLET} 1`, `buys ${OTHER} 1`])
  await tradeIn(3, 3, [])
  expect(await told()).toEqual([`buys ${WALLET} 1`])
  await tradeIn(3, 4, [{ wallet: OTHER, direction: 'buy' }])
  expect(await told()).toEqual([`buys ${WALLET} 1`, `buys ${OTHER} 1`])
})

test('a new alert on a wallet says nothing of earlier trades', async () => {
  await tradeIn(1, 0, [])
  await tradeIn(2, 1, [{ wallet: WALLET, direction: 'buy' }])
  await world.alert('late', owner, { tradedBy: [addressOf(WALLET)] })
  await tradeIn(3, 2, [])
  expect(await told()).toEqual([])
})

test('bounds of a trade count what one wallet bought or sold in a sweep, and an unknown sum passes none', async () => {
  const wallets = [addressOf(WALLET), addressOf(OTHER)]
  await world.alert('large', owner, { tradedBy: wallets, minAmountUsd: 500 })
  await world.alert('small', owner, { tradedBy: wallets, maxAmountUsd: 500 })
  await world.alert('both', owner, { boughtBy: wallets, soldBy: wallets, minAmountUsd: 500 })
  await tradeIn(1, 0, [])
  await tradeIn(2, 20, [{ wallet: WALLET, direction: 'buy', usd: 0 }])
  expect(await told()).toEqual([])
  // Together 600 of two wallets, and of one wallet 600 on both sides: none of them is large.
  await tradeIn(3, 40, [
    { wallet: WALLET, direction: 'buy', usd: 300 },
    { wallet: OTHER, direction: 'buy', usd: 300 },
    { wallet: OTHER, direction: 'sell', usd: 300 },
  ])
  expect(await told()).toEqual(['small 1'])
  await tradeIn(4, 60, [
    { wallet: WALLET, direction: 'buy', usd: 300 },
    { wallet: WALLET, direction: 'buy', usd: 200 },
    { wallet: OTHER, direction: 'sell', usd: 499 },
  ])
  expect((await told()).slice(1).sort()).toEqual(['large 1', 'small 1'])
  // The message has the trades of the size alone.
  expect(await factsOf('large')).toMatchObject({
    began: ['traded_by'],
    trades: [{ wallet: addressOf(WALLET), direction: 'buy', usd: 500 }],
  })
  expect((await factsOf('large')).trades).toHaveLength(1)
})
