import { expect, test } from 'vitest'
import { type Address, toAddress, ZERO_ADDRESS } from '../../src/base/address.ts'
import { measureLogs } from '../../src/safety/logs/measure.ts'
import type { LogWindow, TokenTrade, TokenTransfer } from '../../src/safety/logs/window.ts'

const DAY = 86_400
const END = 20 * DAY
const who = (number: number): Address => toAddress(`0x${number.toString(16).padStart(40, '0')}`)
const DEPLOYER = who(1)
const POOL = who(2)

const blank: LogWindow = {
  from: 0,
  to: END,
  launchedAt: DAY,
  launchedBlock: 100,
  trades: [],
  transfers: [],
  insiders: new Set([DEPLOYER]),
  contracts: new Set([POOL]),
  approvers: null,
  supplyBefore: 1_000n,
  isWhole: true,
}

const trade = (trader: Address, isBuy: boolean, time: number, left = 10_000n, arrived = left): TokenTrade => ({
  time,
  trader,
  isBuy,
  left,
  arrived,
})

const transfer = (from: Address, to: Address, amount: bigint, more: Partial<TokenTransfer> = {}): TokenTransfer => ({
  txHash: '0x01',
  block: 200,
  time: 2 * DAY,
  from,
  to,
  amount,
  signer: from,
  ...more,
})

test('a tax is what left and did not arrive, by the middle of the last trades, and insiders are left out', () => {
  const trades = [
    ...Array.from({ length: 30 }, (_, at) => trade(who(100 + at), true, at, 10_000n, 9_800n)),
    ...Array.from({ length: 10 }, (_, at) => trade(who(100 + at), false, 100 + at, 10_000n, 9_500n)),
    ...Array.from({ length: 20 }, (_, at) => trade(who(110 + at), false, 200 + at, 10_000n, 100n)),
    ...Array.from({ length: 40 }, (_, at) => trade(DEPLOYER, false, 300 + at)),
  ]
  expect(measureLogs({ ...blank, trades })).toMatchObject({
    buys: 30,
    sells: 30,
    buyTaxPct: 2,
    sellTaxPct: 99,
    taxChangePct: 94,
  })
})

test('a tax that nobody paid is unknown, not zero', () => {
  expect(measureLogs(blank)).toMatchObject({ buyTaxPct: null, sellTaxPct: null, taxChangePct: 0 })
})

test('old buyers are those of a day ago, and a buyer who sold once counts as one who sold', () => {
  const old = Array.from({ length: 50 }, (_, at) => trade(who(100 + at), true, END - 2 * DAY))
  const sales = [
    trade(who(100), false, END - 10),
    trade(who(100), false, END - 5),
    trade(who(101), false, END - 2 * DAY),
  ]
  const recent = [trade(who(900), true, END - 10), trade(DEPLOYER, true, END - 10)]
  expect(measureLogs({ ...blank, trades: [...old, ...sales, ...recent] })).toMatchObject({
    oldBuyers: 50,
    oldBuyersThatSold: 2,
    sellersOfLastDay: 1,
    buyersOfLastDay: 1,
  })
})

test('a run of buys is beyond chance only where sales were usual before it', () => {
  const run = (length: number) => Array.from({ length }, (_, at) => trade(who(500 + at), true, END - 50 + at))
  const usual = Array.from({ length: 40 }, (_, at) => trade(who(100 + at), at % 2 === 0, at)).concat(
    trade(who(99), false, 50),
  )
  const few = measureLogs({ ...blank, trades: [...usual, ...run(5)] })
  const many = measureLogs({ ...blank, trades: [...usual, ...run(25)] })
  expect(few).toMatchObject({ buyRun: 5 })
  expect(few.buyRunChance).toBeGreaterThan(0.01)
  expect(many).toMatchObject({ buyRun: 25 })
  expect(many.buyRunChance).toBeLessThan(1e-6)
  const mostlyBuys = Array.from({ length: 95 }, (_, at) => trade(who(at + 100), at % 19 !== 18, at))
  expect(measureLogs({ ...blank, trades: [...mostlyBuys, ...run(25)] }).buyRunChance).toBeGreaterThan(0.1)
})

test('tokens are taken where their owner neither signed, nor approved anybody, nor is a contract', () => {
  const [victim, trader] = [who(300), who(301)]
  const transfers = [
    transfer(victim, DEPLOYER, 50n, { signer: DEPLOYER, txHash: '0x02' }),
    transfer(trader, POOL, 50n, { signer: who(302) }),
    transfer(POOL, trader, 50n, { signer: trader }),
    transfer(trader, POOL, 50n),
    transfer(ZERO_ADDRESS, trader, 50n, { signer: DEPLOYER }),
    transfer(victim, DEPLOYER, 0n, { signer: DEPLOYER }),
  ]
  expect(measureLogs({ ...blank, transfers, approvers: new Set([trader]) })).toMatchObject({
    takenCount: 1,
    taken: [{ from: victim, to: DEPLOYER, signer: DEPLOYER, txHash: '0x02', amount: 50n, block: 200 }],
    approvalsKnown: true,
  })
  expect(measureLogs({ ...blank, transfers })).toMatchObject({ takenCount: 2, approvalsKnown: false })
  const many = Array.from({ length: 20 }, (_, at) =>
    transfer(who(400 + at), DEPLOYER, 1n, { signer: DEPLOYER, block: at }),
  )
  const { taken, takenCount } = measureLogs({ ...blank, transfers: many })
  expect([taken.length, takenCount, taken[0]?.block]).toEqual([8, 20, 19])
})

test('a mint is late a day after launch, and its share is of what there was before it', () => {
  const mint = (amount: bigint, time: number) => transfer(ZERO_ADDRESS, DEPLOYER, amount, { time })
  const transfers = [
    mint(1_000n, DAY),
    transfer(DEPLOYER, ZERO_ADDRESS, 500n, { time: DAY }),
    mint(3_000n, 2 * DAY),
    mint(750n, 3 * DAY),
  ]
  expect(measureLogs({ ...blank, transfers })).toMatchObject({ lateMinted: 3_750n, lateMintedPct: 250 })
  expect(measureLogs({ ...blank, transfers: [mint(1_000n, DAY)] })).toMatchObject({ lateMinted: 0n, lateMintedPct: 0 })
})

test('a balance below zero came from nowhere, which only the whole history shows', () => {
  const transfers = [
    transfer(ZERO_ADDRESS, who(9), 10n),
    transfer(who(9), who(10), 10n),
    transfer(who(11), who(10), 1n),
  ]
  expect(measureLogs({ ...blank, transfers }).negativeBalances).toBe(1)
  expect(measureLogs({ ...blank, transfers, isWhole: false }).negativeBalances).toBeNull()
})
