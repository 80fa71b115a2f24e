// Prices over hubs, written by the real writer: tokens that are quoted in others which pools price themselves.
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Address } from '../../../src/base/address.ts'
import { MOST_UNITS } from '../../../src/book/rows/quotes.ts'
import type { Preset } from '../../../src/chain/presets/preset.ts'
import { acquireWriter } from '../../../src/database/writer-lock.ts'
import { capAtHead, priceAtHead } from '../../../src/ledger/present.ts'
import {
  addressOf,
  addSides,
  createQuotedMarket,
  type Market,
  marketPreset,
  USDC,
  WETH,
  wallet,
} from '../../support/blocks.ts'
import { createTestDatabase } from '../../support/database.ts'
import { appendFinal, appendPrefetched, dumpTables, openWriter, startAnew } from '../../support/writing.ts'

const HUB = addressOf('hub', 1)
const [CREATOR, CONTENT, FAN] = [addressOf('token', 1), addressOf('token', 2), addressOf('token', 3)]
const [alice, bob] = [wallet(1), wallet(2)]
const E18 = 10n ** 18n
const preset: Preset = { ...marketPreset, hubs: [HUB] }

const database = await createTestDatabase()

/** WETH at 2,000 USDC, and every token minted to alice. */
function openMarket() {
  const { market, quotes } = createQuotedMarket(alice, { dollars: 40_000_000n, coins: 20_000n })
  for (const token of [HUB, CREATOR, CONTENT, FAN]) {
    market.token(token)
    market.mint(token, alice, 1_000_000n * E18)
  }
  market.mine()
  return { market, quotes }
}

/** A pair of a token with a quote, with so many whole ones of each. */
function pair(market: Market, token: Address, quote: Address, amount: bigint, other: bigint) {
  const pool = market.createPool(alice, token, quote)
  addSides(market, pool, alice, token, amount * E18, other * E18)
  market.mine()
  return pool
}

/** Blocks; those after `finalized` may be rolled back. */
async function writeRevocably(market: Market, finalized: number) {
  const writer = await openWriter(database, market.reader, { preset })
  await writer.append({ blocks: market.blocks, head: market.blocks.length - 1, finalized })
  return writer
}

interface Priced {
  price: number
  hops: number
  liquidity: number
  depth: number
  now: number
  cap: number
}

const write = async (market: Market) =>
  appendFinal(await openWriter(database, market.reader, { preset }), market.blocks)

const read = async (token: Address): Promise<Priced> => {
  const { rows } = await database.pool.query<Priced>(
    `SELECT t.price_usd AS price, t.price_hops AS hops, t.liquidity_usd AS liquidity, t.depth_2pct_usd AS depth,
       ${priceAtHead('t')} AS now, ${capAtHead('t')} AS cap FROM token t WHERE t.address = $1`,
    [token],
  )
  return rows[0] as Priced
}

const events = async (type: number) =>
  (
    await database.pool.query<{ token: Address; direction: number; usd: number }>(
      `SELECT t.address AS token, e.direction, e.amount_usd AS usd FROM event e JOIN token t ON t.id = e.token_id
       WHERE e.type = $1 ORDER BY n`,
      [type],
    )
  ).rows

describe('a token that is quoted in another token', () => {
  test('is priced over the hub that the preset names, and its swaps are trades of both', async () => {
    const { market } = openMarket()
    pair(market, HUB, WETH, 100_000n, 50n)
    const pool = pair(market, CREATOR, HUB, 10_000n, 20_000n)
    market.swap(pool, alice, HUB, E18)
    market.mine()
    await write(market)
    expect((await read(HUB)).price).toBeCloseTo(1, 9)
    expect((await read(HUB)).hops).toBe(1)
    const token = await read(CREATOR)
    expect(token.price).toBeCloseTo(2, 3)
    expect(token).toMatchObject({ hops: 2 })
    expect(await events(1)).toEqual([
      ...[CREATOR, HUB].sort().map((each) => ({ token: each, direction: each === CREATOR ? 1 : 2, usd: 1 })),
    ])
  })

  test('has a trader whose row of the other token is found, also where that token goes to somebody else', async () => {
    const { market } = openMarket()
    pair(market, HUB, WETH, 100_000n, 50n)
    const pool = pair(market, CREATOR, HUB, 10_000n, 20_000n)
    market.swap(pool, alice, CREATOR, E18, bob)
    market.mine()
    const writer = await openWriter(database, market.reader, { preset })
    const [before, last] = market.blocks.slice(-2) as [(typeof market.blocks)[number], (typeof market.blocks)[number]]
    await writer.append({ blocks: market.blocks.slice(0, -1), head: last.number, finalized: 0 })
    // Nothing is in memory afterwards.
    await writer.rollback(before)
    await writer.append({ blocks: [last], head: last.number, finalized: 0 })
    expect((await events(1)).map(({ token }) => token)).toEqual([CREATOR, HUB].sort())
  })

  test('is priced over hubs that are found by their depth, three pools from the money and no further', async () => {
    const { market } = openMarket()
    pair(market, HUB, WETH, 100_000n, 50n)
    pair(market, CREATOR, HUB, 10_000n, 20_000n)
    pair(market, CONTENT, CREATOR, 100_000n, 5_000n)
    pair(market, FAN, CONTENT, 50_000n, 50_000n)
    await write(market)
    expect((await read(CREATOR)).price).toBeCloseTo(2, 9)
    const content = await read(CONTENT)
    expect(content.price).toBeCloseTo(0.1, 9)
    expect(content.hops).toBe(3)
    expect(content.depth).toBeLessThanOrEqual((await read(CREATOR)).depth)
    expect(await read(FAN)).toMatchObject({ price: 0, hops: 0 })
  })

  test('finds its quote when that gets a price of its own later', async () => {
    const { market } = openMarket()
    const pool = pair(market, CONTENT, CREATOR, 100_000n, 10_000n)
    pair(market, CREATOR, WETH, 10_000n, 10n)
    market.swap(pool, alice, CREATOR, E18)
    market.mine()
    await write(market)
    expect((await read(CONTENT)).price).toBeCloseTo(0.2, 2)
  })

  test('has no price where a pool on the way is too thin', async () => {
    const { market } = openMarket()
    addSides(market, market.createPool(alice, CREATOR, WETH), alice, CREATOR, 10_000n * E18, (6n * E18) / 10n)
    market.mine()
    pair(market, CONTENT, CREATOR, 100_000n, 5_000n)
    await write(market)
    expect((await read(CREATOR)).price).toBeGreaterThan(0)
    expect(await read(CONTENT)).toMatchObject({ price: 0, hops: 0 })
  })

  test('and loses its own way to the money has no price: a token that it prices cannot price it', async () => {
    const { market } = openMarket()
    const own = pair(market, CREATOR, WETH, 10_000n, 10n)
    const pool = pair(market, CONTENT, CREATOR, 100_000n, 5_000n)
    const back = market.createPool(alice, CREATOR, CONTENT)
    addSides(market, back, alice, CREATOR, 5_000n * E18, 100_000n * E18)
    market.mine()
    market.remove(own, alice, 100n)
    market.mine()
    for (const each of [pool, back, pool, back]) {
      market.swap(each, alice, CREATOR, E18)
      market.mine()
    }
    await write(market)
    expect(await read(CREATOR)).toMatchObject({ price: 0, hops: 0 })
    expect(await read(CONTENT)).toMatchObject({ price: 0, hops: 0 })
  })

  test('holds no more money than lies in the pools of the token that quotes it, unless the preset names that', async () => {
    const { market } = openMarket()
    pair(market, CREATOR, WETH, 10_000n, 10n)
    // A pool of $20,000 prices coins of $1,800,000.
    market.mint(CREATOR, bob, 900_000n * E18)
    market.mine()
    const pool = pair(market, CONTENT, CREATOR, 1_000n, 900_000n)
    market.swap(pool, alice, CREATOR, 80_000n * E18)
    market.mine()
    await write(market)
    const hub = await read(CREATOR)
    expect(hub.liquidity).toBeCloseTo(40_000, 0)
    expect((await read(CONTENT)).liquidity).toBeLessThanOrEqual(hub.liquidity)
    for (const { usd } of await events(1)) expect(usd).toBeLessThanOrEqual(hub.liquidity)
  })

  test('follows the native coin while nobody trades it', async () => {
    const { market, quotes } = openMarket()
    pair(market, HUB, WETH, 100_000n, 50n)
    pair(market, CREATOR, HUB, 10_000n, 20_000n)
    market.swap(quotes, alice, USDC, 1_000_000n * 10n ** 6n)
    market.mine()
    await write(market)
    const native = await read(WETH)
    const token = await read(CREATOR)
    expect(native.price).toBeGreaterThan(4_000)
    expect(token.now / token.price).toBeCloseTo(native.price / 2_000, 6)
    expect(token.cap / 1_000_000).toBeCloseTo(token.now, 4)
  })
})

describe('a hub that moves while nobody trades the tokens that it quotes', () => {
  const open = () => {
    const { market, quotes } = openMarket()
    const hubPool = pair(market, HUB, WETH, 100_000n, 50n)
    pair(market, CREATOR, HUB, 10_000n, 20_000n)
    pair(market, CONTENT, CREATOR, 100_000n, 5_000n)
    return { market, quotes, hubPool, settled: market.blocks.length - 1 }
  }
  const readAll = () => Promise.all([HUB, CREATOR, CONTENT].map(read))

  test('takes all of it along over three pools, and a reorganisation takes that back', async () => {
    const { market, hubPool, settled } = open()
    const writer = await writeRevocably(market, settled - 1)
    const before = await readAll()
    market.swap(hubPool, alice, WETH, 10n * E18)
    market.mine()
    const [last] = market.blocks.slice(-1)
    await writer.append({ blocks: market.blocks.slice(-1), head: settled + 1, finalized: settled - 1 })
    const after = await readAll()
    const rise = (after[0]?.price ?? 0) / (before[0]?.price ?? 1)
    expect(rise).toBeGreaterThan(1.4)
    for (const [place, token] of after.entries()) {
      const then = before[place] as Priced
      expect(token.now / then.now).toBeCloseTo(rise, 9)
      expect(token.cap / then.cap).toBeCloseTo(rise, 6)
    }
    // Their rows are as they were.
    for (const place of [1, 2]) expect(after[place]?.price).toBe(before[place]?.price)
    expect(last?.number).toBe(settled + 1)
    market.goBack(settled)
    await writer.rollback(market.blocks.at(-1) as (typeof market.blocks)[number])
    expect(await readAll()).toEqual(before)
  })

  test('and loses its pools leaves no price behind it, until it has some again', async () => {
    const { market, hubPool, settled } = open()
    const writer = await writeRevocably(market, settled - 1)
    const before = await readAll()
    market.remove(hubPool, alice, 100n)
    market.mine()
    await writer.append({ blocks: market.blocks.slice(-1), head: settled + 1, finalized: settled - 1 })
    for (const token of await readAll()) expect(token).toMatchObject({ now: 0, cap: 0 })
    addSides(market, hubPool, alice, HUB, 100_000n * E18, 50n * E18)
    market.mine()
    await writer.append({ blocks: market.blocks.slice(-1), head: settled + 2, finalized: settled - 1 })
    for (const [place, token] of (await readAll()).entries()) expect(token.now).toBeCloseTo(before[place]?.now ?? 0, 9)
  })

  test('has the price of the next trade against it', async () => {
    const { market, hubPool } = open()
    const creatorPool = market.pools().find((pool) => {
      const { token0, token1 } = market.pool(pool)
      return [token0, token1].includes(HUB) && [token0, token1].includes(CREATOR)
    }) as Address
    market.swap(hubPool, alice, WETH, 10n * E18)
    market.swap(creatorPool, alice, HUB, E18)
    market.mine()
    await write(market)
    const hub = await read(HUB)
    expect((await events(1)).slice(-2).map(({ usd }) => usd)).toEqual(
      [hub.price, hub.price].map((usd) => expect.closeTo(usd, 4)),
    )
    expect((await read(CREATOR)).price).toBeCloseTo((await read(CREATOR)).now, 9)
  })

  test('is a unit of each block, and one that prices nothing is none', async () => {
    const { market } = open()
    await write(market)
    const { rows } = await database.pool.query<{ unit: Address; usd: number }>(
      `SELECT t.address AS unit, u.usd FROM (SELECT * FROM block ORDER BY number DESC LIMIT 1) b,
       unnest(b.unit_ids, b.unit_usd) WITH ORDINALITY AS u (id, usd, place) JOIN token t ON t.id = u.id ORDER BY place`,
    )
    expect(rows.map(({ unit }) => unit)).toEqual([WETH, HUB, CREATOR])
    for (const { unit, usd } of rows) expect(usd).toBeCloseTo((await read(unit)).price, 9)
  })
})

test('with more hubs than places, one leaves its prices in its own unit, and takes the place of one without a price', async () => {
  const { market } = openMarket()
  const hubPool = pair(market, HUB, WETH, 100_000n, 50n)
  pair(market, FAN, HUB, 10_000n, 20_000n)
  const writer = await openWriter(database, market.reader, { preset: marketPreset })
  let written = -1
  const go = async () => {
    const blocks = market.blocks.slice(written + 1)
    written = market.blocks.length - 1
    await writer.append({ blocks, head: written, finalized: 0 })
  }
  await go()
  // The native coin stands for all others: every place is taken.
  await database.pool.query(
    `UPDATE block SET unit_ids = unit_ids || array_fill(unit_ids[1], ARRAY[$1 - cardinality(unit_ids)]) WHERE number = $2`,
    [MOST_UNITS, written],
  )
  // Nothing is in memory afterwards.
  await writer.rollback(market.blocks.at(-1) as (typeof market.blocks)[number])
  const unitOf = async (token: Address) => {
    const { rows } = await database.pool.query<{ unit: Address }>(
      'SELECT u.address AS unit FROM token t JOIN token u ON u.id = t.unit_id WHERE t.address = $1',
      [token],
    )
    return rows[0]?.unit
  }
  pair(market, CREATOR, WETH, 10_000n, 10n)
  const pool = pair(market, CONTENT, CREATOR, 100_000n, 5_000n)
  await go()
  expect([await unitOf(FAN), await unitOf(CONTENT)]).toEqual([HUB, WETH])
  expect(await read(CONTENT)).toMatchObject({ hops: 2, now: expect.closeTo(0.1, 9) })
  market.remove(hubPool, alice, 100n)
  market.mine()
  market.swap(pool, alice, CREATOR, E18)
  market.mine()
  await go()
  expect([await unitOf(FAN), await unitOf(CONTENT)]).toEqual([HUB, CREATOR])
  expect(await read(FAN)).toMatchObject({ now: 0, cap: 0 })
})

test('three tokens that price each other in a ring have no price once none of them has a way to the money', async () => {
  const { market } = openMarket()
  const own = pair(market, CREATOR, WETH, 10_000n, 10n)
  const ring = [
    pair(market, CONTENT, CREATOR, 10_000n, 10_000n),
    pair(market, FAN, CONTENT, 10_000n, 10_000n),
    pair(market, CREATOR, FAN, 10_000n, 10_000n),
  ]
  market.remove(own, alice, 100n)
  market.mine()
  for (const pool of [...ring, ...ring, ...ring]) {
    market.swap(pool, alice, market.pool(pool).token0, E18)
    market.mine()
  }
  await write(market)
  for (const token of [CREATOR, CONTENT, FAN]) expect(await read(token)).toMatchObject({ price: 0, now: 0, cap: 0 })
})

test('prices over hubs are the same whether blocks come in one batch or one by one with the next ones prefetched', async () => {
  const lock = await acquireWriter({ database })
  onTestFinished(() => lock.release())
  const { market } = openMarket()
  const pool = pair(market, CONTENT, CREATOR, 100_000n, 10_000n)
  pair(market, CREATOR, HUB, 10_000n, 20_000n)
  pair(market, HUB, WETH, 100_000n, 50n)
  const others = [pair(market, FAN, HUB, 50_000n, 5_000n), pair(market, CREATOR, WETH, 20_000n, 20n)]
  for (let i = 0; i < 9; i += 1) {
    market.swap([pool, ...others][i % 3] as Address, alice, [CREATOR, HUB, WETH][i % 3] as Address, E18)
    market.mine()
  }
  await appendFinal(await startAnew(lock, market.reader, { preset }), market.blocks)
  const together = await dumpTables(database.pool)
  const writer = await startAnew(lock, market.reader, { preset })
  await appendPrefetched(writer, market.blocks)
  expect(await dumpTables(database.pool)).toEqual(together)
})
