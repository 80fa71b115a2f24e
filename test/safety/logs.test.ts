import { describe, expect, test } from 'vitest'
import { type Address, toAddress, ZERO_ADDRESS } from '../../src/base/address.ts'
import { TOPICS } from '../../src/chain/logs/events.ts'
import { measureLogs } from '../../src/safety/logs/measure.ts'
import { readTrade } from '../../src/safety/logs/taxes.ts'
import { measureTaxes } from '../../src/safety/logs/trades.ts'
import type { LogWindow, SupplyMove, TokenTrade } from '../../src/safety/logs/window.ts'

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
  insiders: new Set([DEPLOYER]),
  minters: new Set([DEPLOYER]),
  supplyMoves: [],
  supplyBefore: 1_000n,
}

const trade = (trader: Address, isBuy: boolean, time: number, left = 10_000n, arrived = left): TokenTrade => ({
  time,
  trader,
  isBuy,
  left,
  arrived,
})

test('a tax is what left and did not arrive, by the middle of the trades of a side', () => {
  const trades = [
    ...Array.from({ length: 9 }, (_, at) => trade(who(100 + at), true, at, 10_000n, 9_800n)),
    ...Array.from({ length: 2 }, (_, at) => trade(who(100 + at), false, 100 + at, 10_000n, 9_500n)),
    ...Array.from({ length: 4 }, (_, at) => trade(who(110 + at), false, 200 + at, 10_000n, 100n)),
  ]
  expect(measureTaxes(trades, 3)).toEqual({ buyTaxPct: 2, sellTaxPct: 99 })
})

test('a tax that too few paid is unknown, not zero', () => {
  expect(measureTaxes([], 3)).toEqual({ buyTaxPct: null, sellTaxPct: null })
  expect(measureTaxes([trade(who(1), true, 0), trade(who(2), true, 1)], 3).buyTaxPct).toBeNull()
})

describe('the logs of a trade', () => {
  const [SELLER, OWNER, OTHER] = [who(7), who(8), who(9)]
  const TX = `0x${'ab'.repeat(32)}` as const
  const log = (logIndex: number, from: Address, to: Address, amount: bigint, transactionHash: string = TX) => ({
    logIndex: `0x${logIndex.toString(16)}`,
    transactionHash,
    topics: [TOPICS.transfer, ...[from, to].map((each) => `0x${each.slice(2).padStart(64, '0')}`)],
    data: `0x${amount.toString(16).padStart(64, '0')}`,
  })
  const sale = { txHash: TX, block: 1, time: 5, trader: SELLER, isBuy: false }
  const read = (logs: readonly unknown[], trade = sale) => readTrade(logs, trade, new Set([POOL]))

  test('show a fee that the token sends elsewhere beside the sale', () => {
    const logs = [log(4, SELLER, OWNER, 990n), log(5, SELLER, POOL, 10n)]
    expect(read(logs)).toMatchObject({ left: 1_000n, arrived: 10n, isBuy: false })
  })

  test('do not take a sale elsewhere in the same transaction for a fee', () => {
    const logs = [log(4, SELLER, OTHER, 600n), log(9, SELLER, POOL, 400n)]
    expect(read(logs)).toMatchObject({ left: 400n, arrived: 400n })
  })

  test('show a purchase from the pool to the buyer', () => {
    const logs = [log(2, POOL, SELLER, 90n), log(3, POOL, OWNER, 10n)]
    expect(read(logs, { ...sale, isBuy: true })).toMatchObject({ left: 100n, arrived: 90n })
  })

  test('tell nothing of another transaction, of an indirect trade, or in another form', () => {
    expect(read([log(1, SELLER, POOL, 5n, `0x${'cd'.repeat(32)}`)])).toBeNull()
    expect(read([log(1, SELLER, OTHER, 5n), log(2, OTHER, POOL, 5n)])).toBeNull()
    expect(read([null, 7, { topics: 'x' }, { ...log(1, SELLER, POOL, 5n), data: '0x' }])).toBeNull()
  })
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

test('a mint to the deployer is late a day after launch, and its share is of what there was before it', () => {
  const move = (from: Address, to: Address, amount: bigint, time: number): SupplyMove => ({ from, to, amount, time })
  const mint = (amount: bigint, time: number, to = DEPLOYER) => move(ZERO_ADDRESS, to, amount, time)
  const supplyMoves = [
    mint(1_000n, DAY),
    move(DEPLOYER, ZERO_ADDRESS, 500n, DAY),
    mint(3_000n, 2 * DAY),
    mint(750n, 3 * DAY),
  ]
  const measure = (...moves: SupplyMove[]) => measureLogs({ ...blank, supplyMoves: moves })
  expect(measure(...supplyMoves)).toMatchObject({ lateMinted: 3_750n, lateMintedPct: 250 })
  expect(measure(mint(1_000n, DAY))).toMatchObject({ lateMinted: 0n, lateMintedPct: 0 })
  expect(measure(mint(9_000n, 3 * DAY, who(300)))).toMatchObject({ lateMinted: 0n, lateMintedPct: 0 })
})
