import { expect, test } from 'vitest'
import { type Address, toAddress } from '../../src/base/address.ts'
import { type Answered, judge } from '../../src/safety/check/judge.ts'
import type { Power } from '../../src/safety/report.ts'
import type { SaleAnswers } from '../../src/safety/sale/sale.ts'
import type { SampledHolder } from '../../src/safety/sale/sample.ts'
import type { SendAnswer } from '../../src/safety/sale/sends.ts'
import type { Trade } from '../../src/safety/sale/trades.ts'
import type { SafetyPool } from '../../src/safety/target.ts'

const who = (number: number): Address => toAddress(`0x${number.toString(16).padStart(40, '0')}`)
const call = { method: 'eth_call', params: [] }
const HOLDERS = Array.from({ length: 8 }, (_, at) => ({
  address: who(100 + at),
  balance: 1_000n,
  since: 0,
  hasSold: false,
  hasBought: true,
  amount: 500n,
  lastBoughtAt: null,
  boughtAgo: null as number | null,
}))
const POOL: SafetyPool = {
  address: who(2),
  kind: 'v2',
  venue: 'v2',
  factory: who(3),
  token0: who(1),
  token1: who(4),
  fee: 3_000,
  stable: false,
  tickSpacing: null,
  hooks: null,
  hookRights: 0,
  reserve0: 1n,
  reserve1: 1n,
  liquidityUsd: 1,
}

const send = (from: Address, outcome: SendAnswer['outcome']): SendAnswer => ({ from, outcome, text: '', call })
const trade = (account: Address, stage: 'none' | 'funds' | 'token' | 'pool', left = 100n, arrived = left): Trade => ({
  who: account,
  outcome: { stage, left, arrived, received: arrived, text: '' },
  call,
})
const sends = (refused: number, unknown = 0): SendAnswer[] =>
  HOLDERS.map(({ address }, at) =>
    send(address, at < refused ? 'refused' : at < refused + unknown ? 'unknown' : 'sent'),
  )

const clean: SaleAnswers = {
  pool: POOL,
  market: null,
  holders: HOLDERS,
  sends: sends(0),
  delivery: send(POOL.address, 'sent'),
  poor: new Set(),
  freeSends: [],
  restedSends: [],
  others: [],
  otherSends: [],
  otherRestedSends: [],
  lateSends: [],
  spends: [],
  strangerSpend: null,
  balances: HOLDERS.map(({ address }) => ({ holder: address, expected: 1_000n, found: 1_000n, call })),
  multiplier: null,
  buys: [],
  laterSales: [],
  holderSales: [],
  sameCall: null,
}

const NO_TAXES = { buyTaxPct: null, sellTaxPct: null, call: null }

const report = (answers: Partial<SaleAnswers>, more: Partial<Answered> = {}) =>
  judge({
    token: who(1),
    block: {
      number: 5,
      tag: '0x5',
      time: 60,
      proposer: '0x0000000000000000000000000000000000000001' as Address,
      baseFee: 0n,
    },
    answers: { ...clean, ...answers },
    code: null,
    powers: [],
    powersTried: 'all',
    powersRead: ['the token: 9 functions'],
    taken: [],
    logs: null,
    taxes: NO_TAXES,
    differing: null,
    calls: 9,
    isCut: false,
    ...more,
  })
const namesOf = (answers: Partial<SaleAnswers>, more: Partial<Answered> = {}) =>
  report(answers, more).findings.map(({ name }) => name)

test('a token cannot be sold when most holders are refused; a third is a lesser finding', () => {
  expect(report({ sends: sends(5) })).toMatchObject({
    floor: 95,
    findings: [{ name: 'cannot_sell', numbers: { tried: 8, blocked: 5 } }],
    sellCheck: { sellable: false, holdersTried: 8, holdersBlocked: 5 },
  })
  expect(report({ sends: sends(4) })).toMatchObject({ floor: 75, sellCheck: { sellable: true, holdersBlocked: 4 } })
})

test('two holders that are refused while all others sell are a finding, one is none', () => {
  const others = Array.from({ length: 16 }, (_, at) => ({ ...HOLDERS[0], address: who(200 + at) }) as SampledHolder)
  const roll = (refused: number) => ({
    others,
    otherSends: others.map(({ address }, at) => send(address, at < refused ? 'refused' : 'sent')),
  })
  expect(report(roll(2))).toMatchObject({
    floor: 50,
    findings: [{ name: 'cannot_sell', numbers: { tried: 24, blocked: 2 } }],
    sellCheck: { sellable: true, holdersTried: 24, holdersBlocked: 2 },
  })
  expect(report(roll(1))).toMatchObject({ floor: 0, findings: [] })
  expect(report(roll(13))).toMatchObject({ floor: 95, sellCheck: { sellable: false, holdersBlocked: 13 } })
  const rested = others.slice(0, 2).map(({ address }) => send(address, 'sent'))
  expect(report({ ...roll(2), otherRestedSends: rested })).toMatchObject({ floor: 0, findings: [] })
  expect(report({ ...roll(1), sends: sends(1) })).toMatchObject({ floor: 50, sellCheck: { holdersTried: 24 } })
  const shills = { ...roll(0), sends: sends(4) }
  expect(report(shills)).toMatchObject({ floor: 75, sellCheck: { holdersTried: 8, holdersBlocked: 4 } })
})

test('a holder with less than it was to send is neither tried nor blocked: its refusal says nothing about a sale', () => {
  const poor = new Set(HOLDERS.slice(0, 5).map(({ address }) => address))
  expect(report({ sends: sends(5), poor })).toMatchObject({
    floor: 0,
    findings: [],
    sellCheck: { sellable: true, holdersTried: 3, holdersBlocked: 0 },
  })
  expect(report({ sends: sends(6), poor }).sellCheck).toMatchObject({ holdersTried: 3, holdersBlocked: 1 })
})

test('a token whose holders lost what logs gave them cannot be sold, and the lost balances say why', () => {
  const poor = new Set(HOLDERS.map(({ address }) => address))
  const balances = HOLDERS.map(({ address }) => ({ holder: address, expected: 1_000n, found: 0n, call }))
  expect(report({ sends: sends(8), poor, balances })).toMatchObject({
    floor: 95,
    findings: [{ name: 'balances_gone', numbers: { asked: 8, differ: 8 } }],
    sellCheck: { sellable: false, holdersTried: 0, holdersBlocked: 0 },
  })
})

test('holders of whom the node says nothing are neither tried nor blocked', () => {
  expect(report({ sends: sends(3, 5) }).sellCheck).toMatchObject({
    holdersTried: 3,
    holdersBlocked: 3,
    sellable: false,
  })
  expect(report({ sends: sends(0, 8), delivery: null })).toMatchObject({
    complete: false,
    floor: 0,
    sellCheck: { status: 'not_checked', sellable: null, buyable: null, reason: 'node_failed', method: null },
  })
})

test('strangers who bought and cannot sell a day later decide, though old holders can', () => {
  const laterSales = [trade(who(7), 'token'), trade(who(8), 'pool')]
  expect(namesOf({ laterSales })).toEqual(['cannot_sell'])
  expect(namesOf({ laterSales: [trade(who(7), 'none'), trade(who(8), 'pool')] })).toEqual([])
  expect(namesOf({ laterSales: [trade(who(7), 'funds')] })).toEqual([])
})

test('a refusal in the same call as the purchase accuses nobody', () => {
  const sameCall = { buy: trade(who(7), 'none'), sale: trade(who(7), 'token') }
  expect(report({ sameCall })).toMatchObject({ findings: [], sellCheck: { sellable: true, method: 'constructor' } })
})

test('a sale that pays nothing is no sale', () => {
  const holderSales = HOLDERS.map(({ address }) => trade(address, 'none', 100n, 0n))
  expect(report({ holderSales }).sellCheck).toMatchObject({ sellable: false, refusal: 'the sale paid nothing' })
})

test('a tax is the middle of the trials, and its strength grows with it', () => {
  const taxed = (arrived: bigint) => HOLDERS.map(({ address }) => trade(address, 'none', 100n, arrived))
  expect(report({ holderSales: taxed(81n) })).toMatchObject({ floor: 0, sellCheck: { sellTaxPct: 19 } })
  expect(report({ holderSales: taxed(80n) })).toMatchObject({ floor: 50, findings: [{ name: 'high_tax' }] })
  expect(report({ holderSales: taxed(50n) })).toMatchObject({ floor: 95, findings: [{ name: 'extreme_tax' }] })
})

test('a launch venue that forbids transfers is not accused: the sale was not checked', () => {
  const found = report({ pool: { ...POOL, kind: 'curve', venue: 'four_meme' }, sends: sends(8) })
  expect(found).toMatchObject({
    findings: [],
    complete: false,
    sellCheck: { status: 'not_checked', reason: 'exchange_not_supported', sellable: null },
  })
})

test('a hook may ask for words of its own router, so a refused purchase there counts only with a refused delivery', () => {
  const hooked = { pool: { ...POOL, hooks: who(50) }, buys: [trade(who(7), 'pool')] }
  expect(namesOf(hooked)).toEqual([])
  expect(namesOf({ ...hooked, delivery: send(POOL.address, 'refused') })).toEqual(['nobody_can_buy'])
  expect(namesOf({ buys: [trade(who(7), 'pool')] })).toEqual(['nobody_can_buy'])
})

test('balances are gone when most of the sampled ones are, less so when three are, and not when a rebase moved them', () => {
  const balances = (gone: number) => clean.balances.map((each, at) => ({ ...each, found: at < gone ? 0n : 960n }))
  expect(report({ balances: balances(5) })).toMatchObject({
    floor: 95,
    balancesDiffer: { asked: 8, differ: 5, moved: 3 },
  })
  expect(report({ balances: balances(4) })).toMatchObject({
    floor: 75,
    balancesDiffer: { asked: 8, differ: 4, moved: 4 },
  })
  expect(report({ balances: balances(2) })).toMatchObject({
    floor: 0,
    balancesDiffer: { asked: 8, differ: 2, moved: 6 },
  })
  expect(namesOf({ balances: balances(8), sends: sends(8) })).toEqual(['balances_gone', 'cannot_sell'])
})

const withHolders = (change: (at: number) => Partial<SaleAnswers['holders'][number]>) =>
  HOLDERS.map((holder, at) => ({ ...holder, ...change(at) }))

test('who has just bought and may sell a day later is in a pause, and counts for nothing', () => {
  const holders = withHolders((at) => ({ boughtAgo: at < 5 ? 600 : null }))
  const restedSends = HOLDERS.slice(0, 5).map(({ address }) => send(address, 'sent'))
  const paused = { holders, sends: sends(5), restedSends }
  expect(report(paused)).toMatchObject({ floor: 0, sellCheck: { sellable: true, holdersTried: 3, holdersBlocked: 0 } })
  const stuck = HOLDERS.slice(0, 5).map(({ address }) => send(address, 'refused'))
  expect(report({ ...paused, restedSends: stuck })).toMatchObject({ floor: 95, sellCheck: { holdersBlocked: 5 } })
})

test('where later cannot be asked about, refused buyers of the last hour are told as such and decide nothing', () => {
  const after = (seconds: number) => ({ holders: withHolders(() => ({ boughtAgo: seconds })), sends: sends(8) })
  const refused = sends(8).map((one) => ({ ...one, text: 'trading is closed' }))
  expect(report({ ...after(600), sends: refused })).toMatchObject({
    sellCheck: {
      ...{ status: 'not_checked', sellable: null, reason: 'just_bought', refusal: 'trading is closed' },
      ...{ holdersTried: 8, holdersBlocked: 8, call },
    },
    findings: [{ name: 'new_buyers_refused', strength: 64, numbers: { tried: 8, blocked: 8 }, call }],
  })
  const [one] = withHolders(() => ({ boughtAgo: 600 }))
  expect(report({ holders: one ? [one] : [], sends: sends(8).slice(0, 1) })).toMatchObject({
    sellCheck: { holdersTried: 1, holdersBlocked: 1, reason: 'just_bought' },
    findings: [{ name: 'new_buyers_refused', strength: 30 }],
  })
  const some = { holders: withHolders((at) => ({ boughtAgo: at < 5 ? 600 : null })), sends: sends(5) }
  expect(report(some)).toMatchObject({
    sellCheck: { status: 'checked', sellable: true, holdersTried: 3, holdersBlocked: 0, reason: null },
    findings: [{ name: 'new_buyers_refused', strength: 0, numbers: { blocked: 5 } }],
  })
  expect(report(after(4_000)).sellCheck).toMatchObject({ holdersTried: 8, holdersBlocked: 8, sellable: false })
})

test('locked shares that nobody paid for accuse nobody while buyers can sell', () => {
  const given = withHolders((at) => ({ hasBought: at >= 6 }))
  expect(report({ holders: given, sends: sends(6) })).toMatchObject({ floor: 0, sellCheck: { holdersTried: 2 } })
  expect(report({ holders: given, sends: sends(7) })).toMatchObject({ floor: 0, sellCheck: { holdersBlocked: 1 } })
  expect(report({ holders: given, sends: sends(8) }).floor).toBe(95)
  expect(report({ holders: withHolders(() => ({ hasBought: false })), sends: sends(8) }).floor).toBe(95)
})

test('spending without an allowance counts only where a stranger may not do the same', () => {
  const spends = [send(who(9), 'sent')]
  expect(report({ spends, strangerSpend: send(who(6), 'refused') }).floor).toBe(70)
  expect(report({ spends, strangerSpend: send(who(6), 'sent') }).floor).toBe(0)
  expect(report({ spends, strangerSpend: send(who(6), 'unknown') }).floor).toBe(0)
})

test('a token that holders sell now and not in 30 days has a time bomb', () => {
  const lateSends = [send(who(100), 'refused'), send(who(101), 'refused')]
  expect(namesOf({ lateSends })).toEqual(['time_bomb'])
  expect(namesOf({ lateSends: [send(who(100), 'refused'), send(who(101), 'sent')] })).toEqual([])
  expect(namesOf({ lateSends, sends: sends(8) })).toEqual(['cannot_sell'])
})

const power: Power = {
  kind: 'pause',
  function: 'pause()',
  contract: who(1),
  holder: who(9),
  holderKind: 'account',
  renounced: false,
  delaySeconds: 0,
  hidden: false,
  proven: true,
  call,
}

test('a power costs more when it is hidden or confiscates, and nothing when nobody has it or it must be announced', () => {
  const floorOf = (more: Partial<Power>) => report({}, { powers: [{ ...power, ...more }] }).floor
  expect(floorOf({})).toBe(30)
  expect(floorOf({ hidden: true })).toBe(55)
  expect(floorOf({ kind: 'take' })).toBe(55)
  expect(floorOf({ renounced: true })).toBe(0)
  expect(floorOf({ delaySeconds: 86_400 })).toBe(0)
  expect(floorOf({ delaySeconds: 3_600 })).toBe(30)
})

test('findings stand by strength, and a report without tried powers is not complete', () => {
  const powers = [power, { ...power, hidden: true }]
  const found = report({ sends: sends(8) }, { powers, powersTried: 'none' })
  expect(found.findings.map(({ strength }) => strength)).toEqual([95, 55, 30])
  expect(found.complete).toBe(false)
})
