// A hub moves, and nobody trades its quoted tokens. Price, market cap, holdings, lists, orders, filters, alerts and
// streams follow, and are rolled back with the chain.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSweep } from '../../src/alerts/sweep.ts'
import type { Address } from '../../src/base/address.ts'
import { systemClock } from '../../src/base/clock.ts'
import { type BoardFeed, createBoardFeed } from '../../src/board/feed.ts'
import { acquireWriter, type WriterLock } from '../../src/database/writer-lock.ts'
import { createHead, type HeadWatch } from '../../src/ledger/head.ts'
import type { Writer } from '../../src/ledger/write/writer.ts'
import { createTokenList, type ListStep, type TokenList } from '../../src/stream/token-list.ts'
import { silentLog } from '../support/access.ts'
import { createAlertWorld } from '../support/alerts.ts'
import { addressOf, addSides, createQuotedMarket, type Market, marketPreset, WETH, wallet } from '../support/blocks.ts'
import { createTestClock } from '../support/clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { openGraph, SOMEBODY } from '../support/graph.ts'
import { startAnew } from '../support/writing.ts'

const [HUB, CREATOR, CONTENT, PLAIN] = [1, 2, 3, 4].map((n) => addressOf('token', n)) as [
  Address,
  Address,
  Address,
  Address,
]
const [alice, bob, carol] = [wallet(1), wallet(2), wallet(3)]
const E18 = 10n ** 18n
const MINUTE_MS = 60_000

let database: TestDatabase
let lock: WriterLock
let writer: Writer
let head: HeadWatch
let feed: BoardFeed
let tokenList: TokenList
let market: Market
let hubPool: Address
let contentPool: Address
let graphs: Awaited<ReturnType<typeof openGraph>>[]
let written = -1

const append = async () => {
  const blocks = market.blocks.filter(({ number }) => number > written)
  written = market.blocks.at(-1)?.number ?? -1
  await writer.append({ blocks, head: written, finalized: 3 })
  await writer.settle()
  await head.refresh()
  await feed.settle()
}
const rollBack = async (to: number) => {
  market.goBack(to)
  written = to
  await writer.rollback(market.blocks.at(-1) as (typeof market.blocks)[number])
  await head.refresh()
  await feed.settle()
}

beforeAll(async () => {
  database = await createTestDatabase()
  lock = await acquireWriter({ database })
  const opened = createQuotedMarket(alice, { dollars: 40_000_000n, coins: 20_000n })
  market = opened.market
  for (const token of [HUB, CREATOR, CONTENT, PLAIN]) {
    market.token(token)
    market.mint(token, alice, 1_000_000n * E18)
  }
  const pair = (token: Address, quote: Address, amount: bigint, other: bigint) => {
    const pool = market.createPool(alice, token, quote)
    addSides(market, pool, alice, token, amount * E18, other * E18)
    market.mine()
    return pool
  }
  hubPool = pair(HUB, WETH, 100_000n, 50n)
  pair(CREATOR, HUB, 10_000n, 20_000n)
  contentPool = pair(CONTENT, CREATOR, 100_000n, 5_000n)
  pair(PLAIN, WETH, 20_000n, 25n)
  // Bob bought at the price of that time.
  market.transfer(CREATOR, alice, carol, 100n * E18)
  market.transfer(CREATOR, alice, bob, 100n * E18)
  market.swap(contentPool, bob, CREATOR, 100n * E18)
  market.mine()
  writer = await startAnew(lock, market.reader, { preset: marketPreset })
  head = await createHead(database, systemClock)
  feed = createBoardFeed({ database, head, clock: systemClock, log: silentLog })
  tokenList = createTokenList(feed)
  graphs = [await openGraph(database, head, undefined, feed), await openGraph(database, head)]
  await append()
})
afterAll(async () => {
  await feed.stop()
  await head.stop()
  await lock.release()
})

interface Shown {
  priceUsd: number
  lastPriceUsd: number
  marketCapUsd: number
  priceHops: number
  priceConfidence: string
  pricedAt: string
}

/** What both the board and PostgreSQL answer. */
// biome-ignore lint/suspicious/noExplicitAny: answers are looked at by path
async function ask(query: string): Promise<any> {
  const [first, second] = await Promise.all(graphs.map((graph) => graph.execute(query, {}, SOMEBODY)))
  expect(first?.data).toEqual(second?.data)
  return first?.data
}

const FIELDS = 'priceUsd lastPriceUsd marketCapUsd priceHops priceConfidence pricedAt'
const show = async (token: Address): Promise<Shown> => (await ask(`{ token(address: "${token}") { ${FIELDS} } }`)).token
const showAll = async () => ({ creator: await show(CREATOR), content: await show(CONTENT), plain: await show(PLAIN) })
const order = async (measure: string): Promise<Address[]> =>
  (
    await ask(
      `{ tokens(addresses: ["${CREATOR}", "${PLAIN}"], orderBy: { field: ${measure}, direction: desc }) { nodes { address } } }`,
    )
  ).tokens.nodes.map(({ address }: { address: Address }) => address)
const above = async (usd: number): Promise<Address[]> =>
  (
    await ask(`{ tokens(filter: { minMarketCapUsd: ${usd} }, orderBy: { field: created_at }) { nodes { address } } }`)
  ).tokens.nodes.map(({ address }: { address: Address }) => address)
const holder = async (who: Address) =>
  (
    await ask(`{ wallet(address: "${who}") { netWorthUsd pnl { realisedUsd openUsd }
      portfolio { token { address } valueUsd costUsd openUsd } } }`)
  ).wallet

describe('a hub that gets dearer', () => {
  test('moves all that stands behind it, which nobody trades, and comes back with the chain', async () => {
    const before = await showAll()
    expect(before.creator).toMatchObject({ priceHops: 2 })
    expect(before.content).toMatchObject({ priceHops: 3 })
    expect(before.creator.priceUsd).toBeCloseTo(2, 6)
    const orders = { cap: await order('market_cap_usd'), price: await order('price_usd') }
    expect(orders).toEqual({ cap: [PLAIN, CREATOR], price: [PLAIN, CREATOR] })
    const [held, bought] = [await holder(carol), await holder(bob)]
    const fork = written
    const bound = 3_000_000
    expect(await above(bound)).not.toContain(CREATOR)

    const world = createAlertWorld(database)
    await world.alert('rise', await world.account(), { minMarketCapUsd: bound })
    const clock = createTestClock()
    const sweep = createSweep({ database, clock, maxLag: 10 })
    await sweep.run()
    clock.advance(10 * MINUTE_MS)
    const steps: ListStep[] = []
    const leaving = new AbortController()
    const following = (async () => {
      for await (const some of tokenList.follow({ minMarketCapUsd: bound }, leaving.signal)) steps.push(...some)
    })()

    market.swap(hubPool, alice, WETH, 20n * E18)
    market.mine()
    await append()
    const after = await showAll()
    const { rows } = await database.pool.query<{ changed: string[] }>(
      'SELECT array_agg(address) AS changed FROM token WHERE updated_block = $1',
      [written],
    )
    expect(rows[0]?.changed).not.toContain(CREATOR)
    expect(rows[0]?.changed).not.toContain(CONTENT)
    const rise = 1.4 ** 2
    for (const name of ['creator', 'content'] as const) {
      expect(after[name].priceUsd / before[name].priceUsd).toBeGreaterThan(rise * 0.99)
      expect(after[name].marketCapUsd / before[name].marketCapUsd).toBeCloseTo(
        after[name].priceUsd / before[name].priceUsd,
        6,
      )
      expect(after[name]).toMatchObject({ lastPriceUsd: before[name].lastPriceUsd, priceHops: before[name].priceHops })
      expect(after[name].priceConfidence).toBe(before[name].priceConfidence)
    }
    expect(after.plain).toEqual(before.plain)
    expect(await above(bound)).toContain(CREATOR)
    expect((await order('price_usd'))[0]).toBe(CREATOR)
    expect((await order('market_cap_usd'))[0]).toBe(CREATOR)
    const now = await holder(carol)
    expect(now.netWorthUsd / held.netWorthUsd).toBeCloseTo(after.creator.priceUsd / before.creator.priceUsd, 4)
    const [then, since] = [bought.portfolio[0], (await holder(bob)).portfolio[0]]
    expect(since).toMatchObject({ token: { address: CONTENT }, costUsd: then.costUsd })
    expect(since.openUsd - then.openUsd).toBeCloseTo(since.valueUsd - then.valueUsd, 3)
    expect((await holder(bob)).pnl.openUsd - bought.pnl.openUsd).toBeCloseTo(since.openUsd - then.openUsd, 3)
    await sweep.run()
    const told = await world.messages()
    const creatorId = await idOf(CREATOR)
    expect(told.flatMap(({ tokens }) => tokens)).toContain(creatorId)
    await expect
      .poll(() => steps.filter(({ address }) => address === CREATOR).map(({ change }) => change))
      .toEqual(['enters'])

    await rollBack(fork)
    expect(await showAll()).toEqual(before)
    expect({ cap: await order('market_cap_usd'), price: await order('price_usd') }).toEqual(orders)
    expect([await holder(carol), await holder(bob)]).toEqual([held, bought])
    expect(await above(bound)).not.toContain(CREATOR)
    clock.advance(10 * MINUTE_MS)
    await sweep.run()
    await expect
      .poll(() => steps.filter(({ address }) => address === CREATOR).map(({ change }) => change))
      .toEqual(['enters', 'leaves'])
    leaving.abort()
    await following
  })
})

const idOf = async (token: Address) =>
  (await database.pool.query<{ id: number }>('SELECT id FROM token WHERE address = $1', [token])).rows[0]?.id
