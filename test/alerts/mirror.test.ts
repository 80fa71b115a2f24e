// Alerts that mirror the sales of a wallet: a market, the writer, and sweeps after its blocks.
import { beforeEach, expect, test } from 'vitest'
import { createSweep } from '../../src/alerts/sweep.ts'
import { describeToken, tellCount } from '../../src/alerts/token-lines.ts'
import type { Address } from '../../src/base/address.ts'
import type { ChainBlock } from '../../src/chain/event.ts'
import { toSnake } from '../../src/fields/field.ts'
import { checkFilter, type TokenFilter } from '../../src/fields/filter.ts'
import type { WalletExit } from '../../src/ledger/alerts/moves.ts'
import { readNoticed } from '../../src/ledger/alerts/outbox.ts'
import type { Writer } from '../../src/ledger/write/writer.ts'
import { createAlertWorld } from '../support/alerts.ts'
import { addressOf, addSides, createQuotedMarket, ROUTER, WETH, wallet } from '../support/blocks.ts'
import { createTestClock, type TestClock } from '../support/clock.ts'
import { createTestDatabase } from '../support/database.ts'
import { openWriter } from '../support/writing.ts'

const database = await createTestDatabase()
const world = createAlertWorld(database)
const [MAKER, WALLET, FRIEND] = [wallet(1), wallet(2), wallet(3)]
const [COIN, TAXED] = [addressOf('token', 1), addressOf('token', 2)]
const ETHER = 10n ** 18n

let clock: TestClock
let sweep: ReturnType<typeof createSweep>
let market: ReturnType<typeof createQuotedMarket>['market']
let writer: Writer
let finalized: number
let pools: Record<Address, Address>

beforeEach(async () => {
  await world.reset()
  clock = createTestClock()
  sweep = createSweep({ database, clock, maxLag: 10_000 })
  market = createQuotedMarket(MAKER).market
  pools = {}
  for (const [token, feePct] of [
    [COIN, 0],
    [TAXED, 10],
  ] as const) {
    market.token(token, { feePct })
    market.mint(token, MAKER, 1_000_000n * ETHER)
    const pool = market.createPool(MAKER, token, WETH)
    addSides(market, pool, MAKER, token, 500_000n * ETHER, 100n * ETHER)
    pools[token] = pool
  }
  market.wrap(WALLET, 100n * ETHER)
  const first = market.mine()
  writer = await openWriter(database, market.reader)
  finalized = first.number
  await append(first)
  await writer.settle()
  await sweep.run()
})

const append = (block: ChainBlock) =>
  writer.append({ blocks: [block], head: block.number, finalized: Math.min(finalized, block.number) })

/** Mines what happened, and sweeps. */
async function happen(...acts: (() => void)[]): Promise<ChainBlock> {
  for (const act of acts) act()
  const block = market.mine()
  await append(block)
  await writer.settle()
  clock.advance(60_000)
  await sweep.run()
  return block
}

const poolOf = (token: Address) => pools[token] as Address
const buy = (token = COIN) => market.swap(poolOf(token), WALLET, WETH, ETHER)
const sell = (percent: bigint, token = COIN) =>
  market.swap(poolOf(token), WALLET, token, (market.balance(token, WALLET) * percent) / 100n)
const send = (percent: bigint, token = COIN) =>
  market.transfer(token, WALLET, FRIEND, (market.balance(token, WALLET) * percent) / 100n)

async function alert(conditions: TokenFilter = {}, channel = 'email') {
  const owner = await world.account()
  await world.alert('copy', owner, { boughtBy: [WALLET], mirrorSales: true, ...conditions })
  await world.query('UPDATE alert SET notification_channel = $1', [channel])
  await sweep.run()
}

/** The notices, oldest first: a purchase, or an exit with its kind and share. */
async function told(): Promise<string[]> {
  const { rows } = await world.query('SELECT facts FROM alert_notice ORDER BY id')
  return (rows as { facts: { exit?: WalletExit } }[]).map(({ facts: { exit } }) =>
    exit ? `${exit.kind} ${exit.sharePct}` : 'bought',
  )
}
const lastExit = async (): Promise<WalletExit> => {
  const { rows } = await world.query(`SELECT facts->'exit' AS exit FROM alert_notice ORDER BY id DESC LIMIT 1`)
  return (rows[0] as { exit: WalletExit }).exit
}

test('a sale of a reported token is told with the share of the position, in part and in full', async () => {
  await alert()
  await happen(buy)
  await happen(() => sell(25n))
  expect(await told()).toEqual(['bought', 'sale 25'])
  expect(await lastExit()).toMatchObject({ wallet: WALLET, kind: 'sale', block: 2 })
  expect((await lastExit()).usd).toBeGreaterThan(400)
  expect((await lastExit()).tx).toMatch(/^0x[0-9a-f]{64}$/)
  await happen(() => sell(100n))
  expect(await told()).toEqual(['bought', 'sale 25', 'sale 100'])
  expect((await lastExit()).leftQuantity).toBe(0)
})

test('neither the conditions on the token nor ten minutes hold a mirrored sale back', async () => {
  await alert({ minLiquidityUsd: 1, maxAmountUsd: 2_500, minAmountUsd: 1_000 })
  await happen(buy)
  await happen(
    () => sell(10n),
    () => market.remove(poolOf(COIN), MAKER, 100n),
  )
  expect(await told()).toEqual(['bought', 'sale 10'])
})

test('tokens that leave by transfer or as liquidity are told as that, and never as a sale', async () => {
  await alert()
  await happen(buy)
  await happen(() => send(40n))
  await happen(() => addSides(market, poolOf(COIN), WALLET, COIN, market.balance(COIN, WALLET) / 2n, ETHER))
  await happen(() => send(100n))
  expect(await told()).toEqual(['bought', 'transfer 40', 'liquidity 50', 'transfer 100'])
})

test.each([
  ['kept rows', false],
  ['final blocks, whose moves are counted back', true],
])('the share of a taxed token is exact to a hundredth from %s', async (_, isFinal) => {
  if (isFinal) finalized = Number.MAX_SAFE_INTEGER
  await alert()
  await happen(() => buy(TAXED))
  await happen(() => sell(50n, TAXED))
  const { sharePct } = await lastExit()
  expect(Math.round((sharePct ?? 0) * 100) / 100).toBe(50)
  await happen(() => sell(100n, TAXED))
  expect((await told()).at(-1)).toBe('sale 100')
})

test('sales in the block of the purchase, and in several blocks of one sweep, are told one after another', async () => {
  await alert()
  await happen(buy, () => sell(30n))
  expect(await told()).toEqual(['bought', 'sale 30'])
  for (const percent of [20n, 50n]) {
    sell(percent)
    await append(market.mine())
  }
  await happen(
    () => sell(50n),
    () => sell(50n),
  )
  expect(await told()).toEqual(['bought', 'sale 30', 'sale 20', 'sale 50', 'sale 75'])
})

test('tokens that only pass through in a transaction, and tokens that come in, are no exit', async () => {
  await alert()
  await happen(buy)
  await happen(buy, () =>
    market.tx(WALLET, ROUTER, (emit) => {
      market.move(emit, COIN, WALLET, FRIEND, ETHER)
      market.move(emit, COIN, FRIEND, WALLET, ETHER)
    }),
  )
  expect(await told()).toEqual(['bought'])
})

test('a token that the alert did not report is mirrored only where it asks for that', async () => {
  market.swap(poolOf(COIN), WALLET, WETH, ETHER)
  await happen()
  await alert()
  await happen(() => sell(25n))
  expect(await told()).toEqual([])
  await world.query(
    `UPDATE alert SET conditions = conditions || '{"mirrorUnreported": true}', start = 'silent', revision = revision + 1`,
  )
  await happen()
  await happen(() => sell(25n))
  expect(await told()).toEqual(['sale 25'])
})

test('a mirror without wallets that buy is refused, and so is an option of a mirror without one', () => {
  const faultsOf = (filter: TokenFilter) => checkFilter(filter, toSnake).map(({ field, fault }) => `${field} ${fault}`)
  expect(faultsOf({ mirrorSales: true, soldBy: [WALLET] })).toEqual(['mirror_sales needs bought_by'])
  expect(faultsOf({ boughtBy: [WALLET], mirrorUnreported: true })).toEqual(['mirror_unreported needs mirror_sales'])
  expect(faultsOf({ boughtBy: [WALLET], mirrorSales: true, mirrorUnreported: true })).toEqual([])
})

test('an alert that mirrors nothing tells no exit', async () => {
  await alert({ mirrorSales: false })
  await happen(buy)
  await happen(() => sell(100n))
  expect(await told()).toEqual(['bought'])
})

test('a reorganisation takes back an exit that is gone, keeps one below it, and tells a new one', async () => {
  await alert()
  await happen(buy)
  sell(10n)
  await append(market.mine())
  const block = await happen(() => sell(50n))
  expect(await told()).toEqual(['bought', 'sale 10', 'sale 50'])
  const fork = block.number - 1
  market.goBack(fork)
  await writer.rollback({ number: fork, hash: market.blocks[fork]?.hash ?? '0x' })
  await happen(() => sell(20n))
  expect(await told()).toEqual(['bought', 'sale 10', 'sale 20'])
  const { rows } = await world.query('SELECT count(*)::int AS orphans FROM alert_notice WHERE block_number <> $1', [
    block.number,
  ])
  expect(rows).toEqual([{ orphans: 1 }])
})

test('a sale that another block brings again stays told, and is not told twice', async () => {
  await alert()
  await happen(buy)
  const block = await happen(() => sell(50n))
  await writer.rollback({ number: block.number - 1, hash: block.parentHash })
  const hash: `0x${string}` = `0x${'ab'.repeat(32)}`
  await append({ ...block, hash })
  await writer.settle()
  await sweep.run()
  expect(await told()).toEqual(['bought', 'sale 50'])
  const { rows } = await world.query(`SELECT block_hash FROM alert_notice WHERE exit_key <> ''`)
  expect(rows).toEqual([{ block_hash: hash }])
})

test('a sent exit that a reorganisation takes back is retracted', async () => {
  await alert({}, 'webhook')
  await happen(buy)
  const block = await happen(() => sell(50n))
  await world.query(`UPDATE alert_message SET status = 'sent'`)
  market.goBack(block.number - 1)
  await writer.rollback({ number: block.number - 1, hash: block.parentHash })
  await happen()
  const { rows } = await world.query(
    `SELECT m.retracted_at IS NOT NULL AS retracted FROM alert_notice n JOIN alert_message m ON m.id = n.message_id
     ORDER BY n.id`,
  )
  expect(rows).toEqual([{ retracted: false }, { retracted: true }])
})

test('a webhook hears of an exit at once, and a mail after its pause', async () => {
  for (const [channel, messages] of [
    ['webhook', 2],
    ['email', 1],
  ] as const) {
    await world.query('TRUNCATE account, alert, alert_message, alert_notice, alert_departure CASCADE')
    await alert({}, channel)
    await happen(buy)
    await happen(() => sell(50n))
    expect([channel, (await world.messages()).length]).toEqual([channel, messages])
    clock.advance(600_000)
    await happen()
    expect([channel, (await world.messages()).length]).toEqual([channel, 2])
  }
})

test('a message lists exits beside matches, in words that call no transfer a sale', async () => {
  await alert({}, 'webhook')
  await happen(buy)
  await happen(() => sell(25n))
  await happen(() => send(100n))
  const { rows } = await world.query('SELECT id FROM alert_message ORDER BY created_at')
  const noticed = await readNoticed(
    database.pool,
    rows.map(({ id }) => id),
    20,
  )
  const messages = rows.map(({ id }) => noticed.get(id))
  expect(messages.map((one) => [one?.total, one?.tokens.length, one?.exits.length])).toEqual([
    [1, 1, 0],
    [0, 0, 1],
    [0, 0, 1],
  ])
  const lines = messages
    .flatMap((one) => one?.exits ?? [])
    .map((exit) => describeToken({ ...exit, reasons: null, headline: null, priceUsd: null }, () => 'low').rows[1])
  expect(lines).toEqual([
    ['Exit', expect.stringMatching(/^0x\w{40} sold 25 % of its position for \$\d+$/)],
    ['Exit', expect.stringMatching(/^0x\w{40} moved all of its position for .* to another address, which is no sale$/)],
  ])
  const exits = messages[1]?.exits.map((exit) => ({ ...exit, reasons: null, headline: null, priceUsd: null })) ?? []
  expect(tellCount([{ total: 1, exits: [] }])).toBe('1 token began to match')
  expect(tellCount([{ total: 0, exits }])).toBe('1 exit of wallets')
  expect(tellCount([{ total: 2, exits }])).toBe('2 tokens began to match, 1 exit of wallets')
})

test('the message of an exit says that the contract refused a sale', async () => {
  await alert()
  await happen(buy)
  await happen(() => send(100n))
  const { rows } = await world.query(`SELECT facts FROM alert_notice WHERE exit_key <> ''`)
  const facts = { ...(rows[0] as { facts: { exit: WalletExit } }).facts, sellable: false }
  const exit = {
    address: COIN,
    name: 'C',
    symbol: 'C',
    initial: false,
    matchedAt: new Date(0),
    reasons: null,
    headline: null,
    priceUsd: null,
    facts,
  }
  const [, line] = describeToken(exit as never, () => 'low').rows
  expect(line?.[1]).toContain('its contract refused a sale when one was tried')
})
