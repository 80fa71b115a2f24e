import { describe, expect, onTestFinished, test } from 'vitest'
import { ZERO_ADDRESS } from '../../../src/base/address.ts'
import type { ChainBlock } from '../../../src/chain/event.ts'
import { acquireWriter } from '../../../src/database/writer-lock.ts'
import { addressOf, createMarket, DEAD, type Market, marketPreset, USDC, WETH, wallet } from '../../support/blocks.ts'
import { createTestClock } from '../../support/clock.ts'
import { createTestDatabase } from '../../support/database.ts'
import { appendFinal, dumpTables, openWriter, startAnew } from '../../support/writing.ts'

const [alice, bob, carol] = [wallet(1), wallet(2), wallet(3)]
const TOKEN = addressOf('token', 1)
const usdc = (n: number) => BigInt(Math.round(n * 1e6))
const eth = (n: number) => BigInt(Math.round(n * 1e6)) * 10n ** 12n

const database = await createTestDatabase()

const rows = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await database.pool.query<Row>(text, values)).rows

/** Block 0: WETH at 2,000 USDC in a deep pair. */
function openMarket(): Market {
  const market = createMarket()
  market.token(USDC, { decimals: 6 })
  market.token(WETH)
  market.mint(USDC, alice, usdc(50_000_000))
  market.wrap(alice, eth(20_000))
  const pair = market.createPool(alice, WETH, USDC)
  addQuoted(market, pair, WETH, eth(1_000), usdc(2_000_000))
  market.mine()
  return market
}

function addQuoted(
  market: Market,
  pool: ReturnType<Market['createPool']>,
  base: string,
  amount: bigint,
  quote: bigint,
) {
  const isZero = market.pool(pool).token0 === base
  market.add(pool, alice, isZero ? amount : quote, isZero ? quote : amount)
}

/** Block 1: TOKEN at 1 USDC in a pair with 20,000 of each. */
function listToken(market: Market, { decimals = 18 as number | null, feePct = 0, kind = 'v2' as 'v2' | 'v3' } = {}) {
  market.token(TOKEN, { decimals, feePct })
  const unit = 10n ** BigInt(decimals ?? 0)
  market.mint(TOKEN, alice, 1_000_000n * unit)
  const pool = market.createPool(alice, TOKEN, USDC, kind)
  addQuoted(market, pool, TOKEN, 20_000n * unit, usdc(20_000))
  market.transfer(USDC, alice, bob, usdc(5_000))
  market.mine()
  return pool
}

const write = async (market: Market) => appendFinal(await openWriter(database, market.reader), market.blocks)

/** Writes it where so much makes a price that no token of the test quotes another. */
const writeApart = async (market: Market) => {
  const preset = { ...marketPreset, minPoolDepthUsd: 10_000 }
  await appendFinal(await openWriter(database, market.reader, { preset }), market.blocks)
}

const EVENTS = `SELECT e.type, e.direction, t.address AS token, w.address AS wallet, c.address AS counterparty, e.quantity,
  e.amount_usd FROM event e JOIN token t ON t.id = e.token_id JOIN wallet w ON w.id = e.wallet_id
  LEFT JOIN wallet c ON c.id = e.counterparty_id WHERE e.block_number >= $1 ORDER BY n`

const tokenRow = async (address: string) =>
  (await rows<Record<string, string | number | null>>('SELECT * FROM token WHERE address = $1', [address]))[0]

describe('events', () => {
  test('a swap is one event of the signer, about the token that is no quote, valued by the quote leg', async () => {
    const market = openMarket()
    const pool = listToken(market)
    market.swap(pool, bob, USDC, usdc(1_000))
    market.mine()
    market.swap(pool, bob, TOKEN, market.balance(TOKEN, bob) / 2n)
    market.mine()
    await write(market)
    const [buy, sell, ...rest] = await rows<Record<string, unknown>>(EVENTS, [2])
    expect(rest).toEqual([])
    expect(buy).toMatchObject({
      type: 1,
      direction: 1,
      token: TOKEN,
      wallet: bob,
      counterparty: null,
      amount_usd: 1_000,
    })
    expect(sell).toMatchObject({ type: 1, direction: 2, token: TOKEN, wallet: bob })
    expect(buy?.quantity).toBeCloseTo(949.66, 1)
  })

  test('a two-hop swap through a router is two swaps and no transfer', async () => {
    const market = openMarket()
    const pool = listToken(market)
    const other = addressOf('token', 2)
    market.token(other)
    market.mint(other, alice, eth(1_000))
    const second = market.createPool(alice, other, USDC)
    addQuoted(market, second, other, eth(1_000), usdc(10_000))
    market.transfer(TOKEN, alice, bob, eth(50))
    market.mine()
    market.route(bob, pool, second, TOKEN, eth(10))
    market.mine()
    await write(market)
    expect(await rows(EVENTS, [3])).toMatchObject([
      { type: 1, direction: 2, token: TOKEN, wallet: bob, quantity: 10 },
      { type: 1, direction: 1, token: other, wallet: bob },
    ])
  })

  test('in a pool without a quote, each indexed token has an event of its own', async () => {
    const market = openMarket()
    listToken(market)
    const other = addressOf('token', 2)
    market.token(other)
    market.mint(other, alice, eth(1_000))
    const pool = market.createPool(alice, TOKEN, other)
    market.add(pool, alice, eth(100), eth(100))
    market.mine()
    market.swap(pool, alice, other, eth(1))
    market.mine()
    const listed = market.createPool(alice, other, USDC)
    addQuoted(market, listed, other, eth(100), usdc(15_000))
    market.mine()
    market.swap(pool, alice, other, eth(1))
    market.mine()
    await writeApart(market)
    const only = await rows<Record<string, unknown>>(EVENTS, [3])
    expect(only.filter((row) => row.type === 1).map((row) => [row.token, row.direction])).toEqual([
      [TOKEN, 1],
      [TOKEN, 1],
      [other, 2],
    ])
  })

  test('liquidity of a pool without a quote is valued by the smaller leg, or by the only leg with a price', async () => {
    const market = openMarket()
    listToken(market)
    const other = addressOf('token', 2)
    market.token(other)
    market.mint(other, alice, eth(1_000))
    const pool = market.createPool(alice, TOKEN, other)
    market.add(pool, alice, eth(100), eth(100))
    market.mine()
    const listed = market.createPool(alice, other, USDC)
    addQuoted(market, listed, other, eth(100), usdc(15_000))
    market.mine()
    market.add(pool, alice, eth(10), eth(10))
    market.mine()
    await writeApart(market)
    const added = await rows<{ block_number: number; amount_usd: number }>(
      'SELECT e.block_number, e.amount_usd FROM event e JOIN pool p ON p.id = e.pool_id WHERE p.address = $1 ORDER BY n',
      [pool],
    )
    // TOKEN costs one dollar; the other token first has no price, and then costs 150.
    expect(added.map(({ amount_usd }) => amount_usd)).toEqual([100, 10, 10])
  })

  test('the hour of a quote closes with its liquidity, even if nothing else of the token changed', async () => {
    const market = openMarket()
    const pool = listToken(market)
    market.swap(pool, bob, USDC, usdc(1_000))
    market.mine()
    await write(market)
    for (const address of [USDC, WETH]) {
      const [hour] = await rows<{ at_close: number; now: number }>(
        `SELECT h.liquidity_usd AS at_close, t.liquidity_usd AS now FROM token t JOIN token_hour h ON h.token_id = t.id
         WHERE t.address = $1 ORDER BY h.hour DESC LIMIT 1`,
        [address],
      )
      expect([address, hour?.at_close]).toEqual([address, hour?.now])
      expect(hour?.now).toBeGreaterThan(0)
    }
  })

  test('a candle closes with the supply and the cap of its time, also where only a mint or a burn changed them', async () => {
    const market = openMarket()
    listToken(market)
    market.mine(3_600)
    market.mint(TOKEN, bob, eth(500_000))
    market.mine(3_600)
    market.transfer(TOKEN, bob, DEAD, eth(200_000))
    market.mine(3_600)
    market.transfer(TOKEN, alice, bob, eth(1))
    market.mine(3_600)
    await write(market)
    for (const [table, period] of [
      ['token_minute', 'minute'],
      ['token_five_minutes', 'slot'],
      ['token_hour', 'hour'],
    ]) {
      const closes = await rows<{ circulating: number; market_cap_usd: number }>(
        `SELECT c.circulating, c.market_cap_usd FROM ${table} c JOIN token t ON t.id = c.token_id
         WHERE t.address = $1 ORDER BY c.${period}`,
        [TOKEN],
      )
      // The last Transfer changes no supply, so it opens no candle.
      expect([table, closes.map(({ circulating }) => circulating)]).toEqual([table, [1_000_000, 1_500_000, 1_300_000]])
      expect(closes.map(({ market_cap_usd: cap }) => cap)).toEqual([1_000_000, 1_500_000, 1_300_000])
    }
  })

  test('adding and removing liquidity is one event each, worth twice the quote leg', async () => {
    const market = openMarket()
    const pool = listToken(market)
    market.remove(pool, alice, 50n)
    market.mine()
    await write(market)
    const events = await rows<Record<string, unknown>>(EVENTS, [1])
    expect(events.map((row) => [row.type, row.token, row.direction])).toContainEqual([2, TOKEN, null])
    expect(events.find((row) => row.type === 2)).toMatchObject({ amount_usd: 40_000, quantity: 20_000 })
    expect(events.filter((row) => row.type === 3)).toHaveLength(1)
    expect(Number(events.find((row) => row.type === 3)?.amount_usd)).toBeCloseTo(20_000, 3)
  })

  test.each(['v2', 'v3'] as const)('a %s pool is opened once, by the signer', async (kind) => {
    const market = openMarket()
    const pool = listToken(market, { kind })
    market.transfer(TOKEN, alice, bob, 10n ** 21n)
    market.mine()
    const isZero = market.pool(pool).token0 === TOKEN
    market.add(pool, bob, isZero ? 10n ** 20n : usdc(100), isZero ? usdc(100) : 10n ** 20n)
    market.mine()
    await write(market)
    const read = () =>
      rows(
        'SELECT w.address, p.opening_quote FROM pool p LEFT JOIN wallet w ON w.id = p.opener_id WHERE p.base_id = (SELECT id FROM token WHERE address = $1)',
        [TOKEN],
      )
    expect(await read()).toEqual([{ address: alice, opening_quote: 20_000 }])
  })

  test('a V3 burn of nothing is no event, and V3 liquidity belongs to the signer', async () => {
    const market = openMarket()
    const pool = listToken(market, { kind: 'v3' })
    market.tx(alice, pool, (emit) =>
      emit(pool, {
        kind: 'v3_burn',
        owner: alice,
        tickLower: 0,
        tickUpper: 1,
        liquidity: 0n,
        amount0: 0n,
        amount1: 0n,
      }),
    )
    market.mine()
    market.swap(pool, bob, USDC, usdc(100))
    market.remove(pool, alice, 25n)
    market.mine()
    await write(market)
    expect((await rows<{ type: number }>(EVENTS, [2])).map((row) => row.type)).toEqual([1, 3])
    const held = await rows<{ balance: string; supply: string }>(
      'SELECT p.balance, t.supply FROM position p JOIN token t ON t.id = p.token_id WHERE t.address = $1',
      [pool],
    )
    expect(held).toEqual([
      { balance: String(market.pool(pool).liquidity), supply: String(market.pool(pool).liquidity) },
    ])
  })

  test('a transfer of an indexed token that is no leg of a trade is an event from sender to recipient', async () => {
    const market = openMarket()
    listToken(market)
    market.transfer(TOKEN, alice, carol, eth(7))
    market.transfer(TOKEN, alice, carol, 0n)
    market.mint(TOKEN, bob, eth(3))
    market.mine()
    await write(market)
    expect(await rows(EVENTS, [2])).toMatchObject([
      { type: 4, direction: null, wallet: alice, counterparty: carol, quantity: 7, amount_usd: 7 },
      { type: 4, wallet: ZERO_ADDRESS, counterparty: bob, quantity: 3 },
    ])
  })

  test('a transfer counts once for the sender and once for the recipient, also in their positions', async () => {
    const market = openMarket()
    listToken(market)
    market.transfer(TOKEN, alice, carol, eth(7))
    market.transfer(TOKEN, carol, carol, eth(2))
    market.transfer(TOKEN, carol, bob, eth(1))
    market.mine()
    await write(market)
    const counts = `SELECT (SELECT transfer_count FROM wallet WHERE address = $1) AS wallet,
      (SELECT p.transfer_count FROM position p JOIN wallet w ON w.id = p.wallet_id JOIN token t ON t.id = p.token_id
        WHERE w.address = $1 AND t.address = $2) AS with_token`
    expect(await rows(counts, [carol, TOKEN])).toEqual([{ wallet: 3, with_token: 3 }])
    expect(await rows(counts, [bob, TOKEN])).toEqual([{ wallet: 1 + 1, with_token: 1 }])
  })

  test('the events of every scope are numbered without gaps', async () => {
    const market = openMarket()
    const pool = listToken(market)
    for (let round = 0; round < 3; round += 1) {
      market.swap(pool, bob, USDC, usdc(10))
      market.transfer(TOKEN, alice, carol, eth(1))
      market.mine()
    }
    await write(market)
    for (const [n, scope] of [
      ['n', '1'],
      ['type_n', 'type'],
      ['token_n', 'token_id'],
      ['token_type_n', 'token_id, type'],
      ['wallet_n', 'wallet_id'],
      ['wallet_type_n', 'wallet_id, type'],
    ]) {
      // A wallet's numbers run over its own and its received events.
      const gaps = await rows(
        `SELECT ${scope} FROM (
           SELECT n, type_n, token_n, token_type_n, token_id, type, wallet_id, wallet_n, wallet_type_n FROM event
           ${
             n?.startsWith('wallet')
               ? `UNION ALL SELECT n, type_n, token_n, token_type_n, token_id, type, counterparty_id, counterparty_n,
             counterparty_type_n FROM event WHERE counterparty_id <> wallet_id`
               : ''
           }) e GROUP BY ${scope} HAVING max(${n}) <> count(*) OR min(${n}) <> 1`,
      )
      expect(gaps, n).toEqual([])
    }
    const [newest] = await rows('SELECT event_count, swap_count, transfer_count FROM block')
    const [counted] = await rows(
      'SELECT count(*)::int8 AS event_count, count(*) FILTER (WHERE type = 1) AS swap_count, count(*) FILTER (WHERE type = 4) AS transfer_count FROM event',
    )
    expect(newest).toEqual(counted)
  })
})

describe('balances', () => {
  test('balances equal those of the contracts, including wrapped native, fees and shares', async () => {
    const market = openMarket()
    const pool = listToken(market, { feePct: 5 })
    market.swap(pool, bob, USDC, usdc(500))
    market.swap(pool, bob, TOKEN, eth(20))
    market.unwrap(alice, eth(3))
    market.transfer(TOKEN, alice, DEAD, eth(100))
    market.remove(pool, alice, 10n)
    market.mine()
    await write(market)
    for (const token of market.tokens()) {
      const held = await rows<{ address: string; balance: string }>(
        `SELECT w.address, p.balance FROM position p JOIN wallet w ON w.id = p.wallet_id JOIN token t ON t.id = p.token_id
         WHERE t.address = $1 AND p.balance > 0`,
        [token],
      )
      const truth = market.holders(token).map(([address, balance]) => ({ address, balance: String(balance) }))
      expect(held.sort(byAddress)).toEqual(truth.sort(byAddress))
      expect(await tokenRow(token)).toMatchObject({ supply: String(market.supply(token)), holder_count: truth.length })
    }
    expect(await tokenRow(TOKEN)).toMatchObject({ burned: String(eth(95)) })
  })

  test.each([0, 77, 255, null])('balances of a token with %s decimals are exact up to 2^256-1', async (decimals) => {
    const market = openMarket()
    const most = 2n ** 256n - 1n
    market.token(TOKEN, { decimals })
    market.mint(TOKEN, bob, most)
    market.transfer(TOKEN, bob, carol, most)
    market.mint(TOKEN, carol, most)
    market.mine()
    await write(market)
    expect(await tokenRow(TOKEN)).toMatchObject({ supply: String(most), decimals, holder_count: 1 })
    const [row] = await rows<{ balance: string }>('SELECT max(balance) AS balance FROM position')
    expect(row?.balance).toBe(String(most))
  })

  test('a balance never goes below zero: tokens spent without a known receipt count as held before', async () => {
    const market = openMarket()
    market.token(TOKEN)
    market.tx(bob, TOKEN, (emit) => emit(TOKEN, { kind: 'transfer', from: bob, to: carol, amount: 5n }))
    market.mine()
    await write(market)
    expect(await tokenRow(TOKEN)).toMatchObject({ supply: '5', holder_count: 1 })
  })
})

const byAddress = (a: { address: string }, b: { address: string }) => (a.address < b.address ? -1 : 1)

describe('prices and liquidity', () => {
  test('a token is priced by its deepest pool, liquidity is twice the quote side, and market cap leaves out burned tokens', async () => {
    const market = openMarket()
    const pool = listToken(market)
    market.transfer(TOKEN, alice, DEAD, eth(500_000))
    market.mine()
    const shallow = market.createPool(alice, TOKEN, WETH)
    addQuoted(market, shallow, TOKEN, eth(10), eth(1))
    market.mine()
    await write(market)
    const [deepest] = await rows<{ id: number }>('SELECT id FROM pool WHERE address = $1', [pool])
    expect(await tokenRow(TOKEN)).toMatchObject({
      price_usd: 1,
      market_cap_usd: 500_000,
      liquidity_usd: 44_000,
      pool_id: deepest?.id,
      launchpad: 'uniswap_v2',
      indexed: true,
    })
    expect(await tokenRow(WETH)).toMatchObject({ price_usd: 2_000 })
    expect(await tokenRow(USDC)).toMatchObject({ price_usd: 1 })
  })

  test('a token whose pool is below the least liquidity has no price', async () => {
    const market = openMarket()
    market.token(TOKEN)
    market.mint(TOKEN, alice, eth(1_000_000))
    const pool = market.createPool(alice, TOKEN, USDC)
    addQuoted(market, pool, TOKEN, eth(1), usdc(900))
    market.mine()
    await write(market)
    expect(await tokenRow(TOKEN)).toMatchObject({
      price_usd: 0,
      market_cap_usd: 0,
      liquidity_usd: 1_800,
      indexed: true,
    })
  })

  test('a token without decimals has no price, and is counted in raw units, which no answer shows as whole tokens', async () => {
    const market = openMarket()
    const pool = listToken(market, { decimals: null })
    market.swap(pool, bob, USDC, usdc(100))
    market.mine()
    await write(market)
    expect(await tokenRow(TOKEN)).toMatchObject({ price_usd: 0, market_cap_usd: 0, decimals: null })
    expect(await rows(EVENTS, [2])).toMatchObject([{ type: 1, quantity: 99, amount_usd: 100 }])
  })

  test('a pair that no factory confirms, or that has one token twice, prices nothing', async () => {
    const market = openMarket()
    listToken(market)
    const fake = addressOf('fake', 1)
    market.tx(bob, fake, (emit) => {
      emit(fake, {
        kind: 'pool_opened',
        token0: TOKEN,
        token1: USDC,
        fee: 3000,
        stable: false,
        pool: addressOf('fake', 2),
      })
      emit(marketPreset.factories[0]?.address ?? fake, {
        kind: 'pool_opened',
        token0: TOKEN,
        token1: TOKEN,
        fee: 3000,
        stable: false,
        pool: addressOf('fake', 3),
      })
      for (const pool of [fake, addressOf('fake', 2), addressOf('fake', 3)]) {
        emit(pool, { kind: 'v2_sync', reserve0: 1n, reserve1: usdc(9e9) })
        emit(pool, { kind: 'v2_swap', to: bob, amount0In: 0n, amount1In: 5n, amount0Out: 5n, amount1Out: 0n })
      }
    })
    market.mine()
    await write(market)
    expect(await rows('SELECT count(*) AS pools FROM pool')).toEqual([{ pools: 2 }])
    expect(await rows(EVENTS, [2])).toEqual([])
    expect(await tokenRow(TOKEN)).toMatchObject({ price_usd: 1 })
  })
})

describe('history before the start block', () => {
  test.each(['v2', 'v3'] as const)(
    'a %s pool older than the start block is found at its first log, with its reserves, supply and balances at that time',
    async (kind) => {
      const market = openMarket()
      const pool = listToken(market, { kind })
      market.transfer(TOKEN, alice, carol, eth(10))
      market.mine()
      const start = market.blocks.length
      market.swap(pool, bob, USDC, usdc(100))
      market.mine()
      market.transfer(TOKEN, carol, bob, eth(4))
      market.mine()
      const writer = await openWriter(database, market.reader, { startBlock: start })
      await appendFinal(writer, market.blocks.slice(start))
      expect(await tokenRow(TOKEN)).toMatchObject({
        supply: String(market.supply(TOKEN)),
        partial: true,
        indexed: true,
        first_liquidity_at: null,
      })
      const held = await rows<{ address: string; balance: string }>(
        `SELECT w.address, p.balance FROM position p JOIN wallet w ON w.id = p.wallet_id JOIN token t ON t.id = p.token_id
         WHERE t.address = $1 AND p.balance > 0`,
        [TOKEN],
      )
      expect(held.length).toBeGreaterThan(2)
      for (const { address, balance } of held) {
        expect(balance).toBe(String(market.balance(TOKEN, address as typeof alice)))
      }
      const [row] = await rows<{ reserve0: string }>('SELECT reserve0 FROM pool WHERE address = $1', [pool])
      expect(row?.reserve0).toBe(String(market.pool(pool).reserve0))
    },
  )

  test('an old V3 pool whose state no node remembers gets its reserves from its liquidity when it only pays out, and prices its token', async () => {
    const market = openMarket()
    const pool = listToken(market, { kind: 'v3' })
    market.mint(TOKEN, alice, eth(20_000_000))
    addQuoted(market, pool, TOKEN, eth(20_000_000), usdc(20_000_000))
    market.transfer(TOKEN, alice, bob, eth(10_000))
    market.mine()
    const start = market.blocks.length
    market.swap(pool, bob, TOKEN, eth(3_000))
    market.mine()
    const { reader } = market
    const forgetful: typeof reader = {
      readTokens: async (addresses, block) => {
        const told = await reader.readTokens(addresses, block)
        return new Map([...told].map(([address, token]) => [address, { ...token, totalSupply: null }]))
      },
      readPools: async (addresses, block) => {
        const told = await reader.readPools(addresses, block)
        const empty = { reserve0: 0n, reserve1: 0n, sqrtPriceX96: null, shares: 0n }
        return new Map([...told].map(([address, state]) => [address, state && { ...state, ...empty }]))
      },
      readBalances: async (questions) => questions.map(() => null),
      readAccounts: async () => new Map(),
    }
    const writer = await openWriter(database, forgetful, { startBlock: start })
    await appendFinal(writer, market.blocks.slice(start))
    const [row] = await rows<{ quote: string; price: number }>(
      `SELECT CASE WHEN base_id = token0_id THEN reserve1 ELSE reserve0 END AS quote, price FROM pool WHERE address = $1`,
      [pool],
    )
    const { token0, reserve0, reserve1 } = market.pool(pool)
    expect(BigInt(row?.quote ?? 0)).toBeGreaterThan(usdc(1_000))
    expect(BigInt(row?.quote ?? 0)).toBeLessThanOrEqual(token0 === TOKEN ? reserve1 : reserve0)
    expect(await tokenRow(TOKEN)).toMatchObject({ price_usd: row?.price, swap_count: 1 })
    expect(row?.price).toBeCloseTo(1, 2)
  })

  test('a token is listed with its first pool, however old its contract is; not where that may be older than the index', async () => {
    const market = openMarket()
    market.token(TOKEN)
    market.mint(TOKEN, alice, eth(1_000_000))
    market.mine()
    const start = market.blocks.length
    const pool = market.createPool(alice, TOKEN, USDC)
    addQuoted(market, pool, TOKEN, eth(20_000), usdc(20_000))
    const opened = market.mine(86_400)
    const late = market.blocks.length
    market.swap(pool, alice, USDC, usdc(100))
    market.mine()
    market.createPool(alice, TOKEN, WETH)
    market.mine()
    const lock = await acquireWriter({ database })
    onTestFinished(() => lock.release())
    const listedFrom = async (startBlock: number) => {
      await appendFinal(await startAnew(lock, market.reader, { startBlock }), market.blocks.slice(startBlock))
      return (await tokenRow(TOKEN))?.listed_at
    }
    expect(await listedFrom(0)).toEqual(new Date(opened.time * 1_000))
    expect(await listedFrom(start)).toEqual(new Date(opened.time * 1_000))
    expect(await listedFrom(late)).toBeNull()
  })

  test('a holder counts with a dollar of a token, when its balance changes; contracts and dust do not', async () => {
    const market = openMarket()
    const pool = listToken(market)
    market.swap(pool, bob, USDC, usdc(100))
    market.transfer(TOKEN, alice, carol, eth(50))
    const counts = async () => {
      const row = await tokenRow(TOKEN)
      return [row?.holder_count, row?.funded_holder_count, row?.funded_holder_count_1h_ago]
    }
    market.mine()
    const writer = await openWriter(database, market.reader)
    await appendFinal(writer, market.blocks)
    const [holders, funded] = await counts()
    for (let n = 0; n < 20; n += 1) market.transfer(TOKEN, alice, wallet(100 + n), 1n)
    await appendFinal(writer, [market.mine()])
    expect(await counts()).toEqual([(holders as number) + 20, funded, 0])
    // All but a cent goes on, and comes back: the one is no holder any more, and then both are.
    market.transfer(TOKEN, carol, wallet(100), eth(50) - eth(1) / 100n)
    await appendFinal(writer, [market.mine()])
    expect(await counts()).toEqual([(holders as number) + 20, funded, 0])
    market.transfer(TOKEN, wallet(100), carol, eth(20))
    const block = market.mine()
    await writer.append({ blocks: [block], head: block.number, finalized: block.number - 1 })
    await writer.settle()
    expect(await counts()).toEqual([(holders as number) + 20, (funded as number) + 1, 0])
    const last = market.blocks.at(-2)
    if (last) await writer.rollback(last)
    expect(await counts()).toEqual([(holders as number) + 20, funded, 0])
    const flags = await database.pool.query(
      'SELECT count(*)::int AS n FROM position p JOIN token t ON t.id = token_id AND t.address = $1 WHERE funded',
      [TOKEN],
    )
    expect(flags.rows[0].n).toBe(funded)
  })

  test('holders from before the start block do not count as growth', async () => {
    const market = openMarket()
    const pool = listToken(market)
    market.transfer(TOKEN, alice, carol, eth(10))
    market.mine()
    const start = market.blocks.length
    market.swap(pool, bob, USDC, usdc(1_000))
    market.mine()
    market.transfer(TOKEN, carol, alice, eth(1))
    market.mine()
    market.transfer(TOKEN, carol, wallet(9), eth(1))
    market.mine()
    const writer = await openWriter(database, market.reader, { startBlock: start })
    await appendFinal(writer, market.blocks.slice(start))
    expect(await tokenRow(TOKEN)).toMatchObject({
      holder_count: 5,
      funded_holder_count: 4,
      funded_holder_count_1h_ago: 2,
    })
  })
})

describe('trailing windows', () => {
  test('volume leaves its window after 24 hours and growth after one, also for a token without events', async () => {
    const market = openMarket()
    const pool = listToken(market)
    market.swap(pool, bob, USDC, usdc(100))
    market.mine(3_600)
    const writer = await openWriter(database, market.reader)
    await appendFinal(writer, market.blocks)
    const now = async () => {
      const row = await tokenRow(TOKEN)
      return [row?.volume_24h_micro_usd, row?.funded_holder_count, row?.funded_holder_count_1h_ago]
    }
    expect(await now()).toEqual(['100000000', 2, 1])
    const step = async (seconds: number) => appendFinal(writer, [market.mine(seconds)])
    await step(3_599)
    expect(await now()).toEqual(['100000000', 2, 1])
    await step(1)
    expect(await now()).toEqual(['100000000', 2, 2])
    await step(86_400 - 3_600 - 1)
    expect(await now()).toEqual(['100000000', 2, 2])
    await step(1)
    expect(await now()).toEqual(['0', 2, 2])
  })

  test('trailing windows do not depend on how many blocks are written together, nor does the block of the last change', async () => {
    const market = openMarket()
    const pool = listToken(market)
    for (let i = 0; i < 4; i += 1) {
      market.swap(pool, bob, USDC, usdc(10 + i))
      market.mine(300)
    }
    // A holder comes and goes within the window: the sum is 0, but the token counts as changed.
    market.transfer(TOKEN, bob, carol, eth(1))
    market.mine(300)
    market.transfer(TOKEN, carol, bob, eth(1))
    market.mine(300)
    // From here on only time passes.
    for (let i = 0; i < 15; i += 1) market.mine(i === 0 ? 2_000 : 300)
    const hour = market.blocks.length
    for (let i = 0; i < 15; i += 1) market.mine(i === 0 ? 75_000 : 500)
    const lock = await acquireWriter({ database })
    onTestFinished(() => lock.release())
    const dump = async (end: number, together: number, settled: boolean) => {
      const writer = await startAnew(lock, market.reader)
      for (let from = 0; from < end; from += together) {
        const blocks = market.blocks.slice(from, Math.min(end, from + together))
        await writer.append({ blocks, head: end - 1, finalized: end - 1 })
        if (settled) await writer.settle()
      }
      await writer.settle()
      return dumpTables(database.pool)
    }
    for (const end of [hour, market.blocks.length]) {
      const oneByOne = await dump(end, 1, true)
      const { updated_block: changed } = (await tokenRow(TOKEN)) ?? {}
      expect(changed).toBeGreaterThan(end - 15)
      expect(changed).toBeLessThan(end - 1)
      for (const together of [1, 2, 3, 5, 7, 100])
        for (const settled of [true, false]) expect(await dump(end, together, settled)).toEqual(oneByOne)
    }
  })
})

describe('wallets', () => {
  test('a wallet has its cost, including fees, and its realised profit', async () => {
    const market = openMarket()
    const pool = listToken(market, { feePct: 10 })
    market.swap(pool, bob, USDC, usdc(100))
    market.mine()
    const bought = market.balance(TOKEN, bob)
    market.swap(pool, bob, TOKEN, bought)
    market.mine()
    await write(market)
    const [row] = await rows<Record<string, number>>('SELECT * FROM wallet WHERE address = $1', [bob])
    expect(row).toMatchObject({
      bought_usd: 100,
      closed_count: 1,
      win_count: 0,
      bought_token_count: 1,
      early_buy_count: 1,
    })
    expect(row?.sold_known_usd).toBe(row?.sold_usd)
    expect(row?.realised_usd).toBeCloseTo(Number(row?.sold_usd) - 100, 6)
    expect(row?.max_drawdown_usd).toBeCloseTo(100 - Number(row?.sold_usd), 6)
  })

  test('a wallet has its first funder, its deployments, and links to whom it sent something', async () => {
    const market = openMarket()
    listToken(market)
    market.native(alice, carol, 1n)
    market.transfer(TOKEN, alice, carol, eth(1))
    market.mine()
    await write(market)
    const found = await rows(
      `SELECT f.address AS "from", t.address AS "to", l.kind, l.block_number FROM link l JOIN wallet f ON f.id = l.from_id
       JOIN wallet t ON t.id = l.to_id WHERE l.block_number = 2 ORDER BY l.kind`,
    )
    expect(found).toEqual([
      { from: alice, to: carol, kind: 1, block_number: 2 },
      { from: alice, to: carol, kind: 2, block_number: 2 },
    ])
    const [row] = await rows(
      'SELECT f.address FROM wallet w JOIN wallet f ON f.id = w.first_funder_id WHERE w.address = $1',
      [carol],
    )
    expect(row).toEqual({ address: alice })
    expect(await rows('SELECT deployed_count FROM wallet WHERE address = $1', [alice])).toEqual([{ deployed_count: 2 }])
  })

  test('the tax of a sale links no seller to who collects it', async () => {
    const market = openMarket()
    const pool = listToken(market)
    market.swap(pool, bob, USDC, usdc(100))
    market.mine()
    const { token0 } = market.pool(pool)
    const part = market.balance(TOKEN, bob) / 4n
    market.tx(bob, addressOf('router', 2), (emit) => {
      market.move(emit, TOKEN, bob, pool, part)
      market.move(emit, TOKEN, bob, carol, part)
      const [amount0In, amount1In] = token0 === TOKEN ? [part, 0n] : [0n, part]
      emit(pool, { kind: 'v2_swap', to: bob, amount0In, amount1In, amount0Out: 0n, amount1Out: 0n })
    })
    market.mine()
    await write(market)
    expect(await rows('SELECT FROM link l JOIN wallet t ON t.id = l.to_id WHERE t.address = $1', [carol])).toEqual([])
    expect(await rows('SELECT first_funder_id FROM wallet WHERE address = $1', [carol])).toEqual([
      { first_funder_id: null },
    ])
  })
})

describe('the database', () => {
  test('a database that begins later than it should is refused with an error that names both, one that begins earlier is taken', async () => {
    const writer = await openWriter(database, openMarket().reader)
    await database.pool.query('UPDATE chain SET start_block = 5')
    await expect(writer.open({ startBlock: 4 })).rejects.toThrow(
      'This database was indexed from block 5, but START_BLOCK is 4',
    )
    expect(await writer.open({ startBlock: 6 })).toMatchObject({ startBlock: 5 })
  })

  test('the writer ignores blocks that the database already has', async () => {
    const market = openMarket()
    listToken(market)
    const writer = await openWriter(database, market.reader)
    await appendFinal(writer, market.blocks)
    await appendFinal(writer, market.blocks)
    const { cursor } = await writer.open()
    expect(cursor).toMatchObject({ number: 1, hash: market.blocks[1]?.hash })
  })
})

test('final blocks that are appended within a second are written together, at the latest by settle', async () => {
  const market = openMarket()
  listToken(market)
  market.mine()
  const clock = createTestClock()
  const writer = await openWriter(database, market.reader, { clock })
  const newest = async () => (await rows<{ number: number }>('SELECT max(number) AS number FROM block'))[0]?.number
  const [first, second, third] = market.blocks as [ChainBlock, ChainBlock, ChainBlock]
  await writer.append({ blocks: [first], head: 2, finalized: 2 })
  clock.advance(1_000)
  await writer.append({ blocks: [second], head: 2, finalized: 2 })
  await expect.poll(newest).toBe(1)
  await writer.append({ blocks: [third], head: 2, finalized: 2 })
  expect(await newest()).toBe(1)
  await writer.settle()
  expect(await newest()).toBe(2)
})

test('a pool with almost none of the supply does not price its token, however large its quote side is', async () => {
  const market = openMarket()
  market.token(TOKEN)
  market.mint(TOKEN, alice, eth(1_000_000))
  const pool = market.createPool(alice, TOKEN, USDC)
  addQuoted(market, pool, TOKEN, eth(99), usdc(20_000))
  market.mine()
  await write(market)
  // 99 of a million at $202: $202,000,000 of market cap out of $20,000.
  expect(await tokenRow(TOKEN)).toMatchObject({ indexed: true, price_usd: 0, market_cap_usd: 0, liquidity_usd: 40_000 })
})
