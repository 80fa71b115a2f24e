// What a token is worth, from its pools and its supply, as rows and as GraphQL shows them.
import { describe, expect, test } from 'vitest'
import {
  addressOf,
  createMarket,
  DEAD,
  LOCKER,
  type Market,
  marketPreset,
  USDC,
  WETH,
  wallet,
} from '../../support/blocks.ts'
import { createTestDatabase } from '../../support/database.ts'
import { openGraph, SOMEBODY } from '../../support/graph.ts'
import { appendFinal, openWriter } from '../../support/writing.ts'

const [alice, bob] = [wallet(1), wallet(2)]
const TOKEN = addressOf('token', 1)
const usdc = (n: number) => BigInt(Math.round(n * 1e6))
const eth = (n: number) => BigInt(Math.round(n * 1e6)) * 10n ** 12n

const database = await createTestDatabase()

/** WETH at 2,000 USDC in a deep pair, and TOKEN; alice has a million of it. */
function openMarket({ decimals = 18 as number | null } = {}): Market {
  const market = createMarket()
  market.token(USDC, { decimals: 6 })
  market.token(WETH)
  market.mint(USDC, alice, usdc(900_000_000))
  market.wrap(alice, eth(200_000))
  market.token(TOKEN, { decimals })
  market.mint(TOKEN, alice, eth(1_000_000))
  addPool(market, WETH, USDC, eth(1_000), usdc(2_000_000))
  market.mine()
  return market
}

function addPool(
  market: Market,
  base: typeof TOKEN,
  quote: typeof USDC,
  amount: bigint,
  price: bigint,
  kind: 'v2' | 'v3' = 'v2',
) {
  const pool = market.createPool(alice, base, quote, kind)
  const isZero = market.pool(pool).token0 === base
  market.add(pool, alice, isZero ? amount : price, isZero ? price : amount)
  return pool
}

const write = async (market: Market) => {
  market.mine()
  await appendFinal(await openWriter(database, market.reader), market.blocks)
}

/** Fields of a token as GraphQL answers them. */
async function ask(fields: string, address = TOKEN): Promise<Record<string, unknown>> {
  const graph = await openGraph(database)
  const { data, errors } = (await graph.execute(
    `{ token(address: "${address}") { ${fields} } }`,
    {},
    SOMEBODY,
  )) as unknown as {
    data: { token: Record<string, unknown> }
    errors?: unknown
  }
  await graph.head.stop()
  expect(errors).toBeUndefined()
  return data.token
}

describe('the market cap of a token', () => {
  const FIELDS = 'priceUsd marketCapUsd fdvUsd capToLiquidity supply burned locked circulatingSupply'

  test('leaves out burned tokens and those in lockers; the fully diluted value leaves out burned ones only', async () => {
    const market = openMarket()
    addPool(market, TOKEN, USDC, eth(20_000), usdc(20_000))
    market.transfer(TOKEN, alice, DEAD, eth(100_000))
    market.lock(TOKEN, alice, eth(400_000), 1_900_000_000)
    await write(market)
    expect(await ask(FIELDS)).toEqual({
      priceUsd: 1,
      supply: 1_000_000,
      burned: 100_000,
      locked: 400_000,
      circulatingSupply: 500_000,
      marketCapUsd: 500_000,
      fdvUsd: 900_000,
      capToLiquidity: 12.5,
    })
  })

  test('takes back in what leaves the locker, and what a locker holds without a log of it is locked too', async () => {
    const market = openMarket()
    addPool(market, TOKEN, USDC, eth(20_000), usdc(20_000))
    market.lock(TOKEN, alice, eth(400_000), 1_700_000_000)
    market.mine()
    market.unlock(TOKEN, alice, eth(150_000))
    market.transfer(TOKEN, alice, LOCKER, eth(50_000))
    await write(market)
    expect(marketPreset.lockers.map(({ address }) => address)).toContain(LOCKER)
    expect(await ask(FIELDS)).toMatchObject({ locked: 300_000, marketCapUsd: 700_000, fdvUsd: 1_000_000 })
  })

  test('has no fully diluted value and no ratio where the price is not known, and no supply without decimals', async () => {
    const market = openMarket({ decimals: null })
    addPool(market, TOKEN, USDC, eth(20_000), usdc(20_000))
    market.transfer(TOKEN, alice, bob, eth(1))
    await write(market)
    const { events, ...told } = await ask(
      `${FIELDS} priceUsd fundedHolderCount holderGrowth1hPct events { nodes { type quantity } }`,
    )
    const { nodes: items } = events as { nodes: { quantity: number | null }[] }
    expect(new Set(items.map(({ quantity }) => quantity))).toEqual(new Set([null]))
    expect(told).toMatchObject({
      priceUsd: null,
      marketCapUsd: null,
      fundedHolderCount: null,
      holderGrowth1hPct: null,
      fdvUsd: null,
      capToLiquidity: null,
      supply: null,
      burned: null,
      locked: null,
      circulatingSupply: null,
    })
  })
})

describe('the price of a token', () => {
  const FIELDS =
    'priceUsd pricePoolCount depth2PctUsd priceConfidence priceConfidenceReason liquidityUsd pools { nodes { type depth2PctUsd } }'

  /** TOKEN at 1 USDC in an honest pool of a million and in a thin one. */
  function openHonest(thinKind: 'v2' | 'v3' = 'v2') {
    const market = openMarket()
    market.mint(TOKEN, alice, eth(4_000_000))
    const honest = addPool(market, TOKEN, USDC, eth(500_000), usdc(500_000))
    const thin = addPool(market, TOKEN, WETH, eth(8_000), eth(4), thinKind)
    market.mine()
    return { market, honest, thin }
  }

  test('is that of two pools that agree, with the depth of both and high confidence', async () => {
    const { market } = openHonest()
    await write(market)
    const { priceUsd, depth2PctUsd, pools, ...rest } = await ask(FIELDS)
    expect(priceUsd).toBeCloseTo(1, 6)
    expect(depth2PctUsd).toBeCloseTo((500_000 + 8_000) * (Math.sqrt(1.02) - 1), 4)
    expect(rest).toEqual({
      pricePoolCount: 2,
      liquidityUsd: 1_016_000,
      priceConfidence: 'high',
      priceConfidenceReason: '2 pools agree, and it takes $5.1k to move the price by 2 %.',
    })
    expect((pools as { nodes: unknown[] }).nodes).toHaveLength(2)
  })

  test.each([
    [
      'a flash-size buy in the thin pool',
      (market: Market, thin: ReturnType<Market['createPool']>) => market.swap(thin, alice, WETH, eth(100_000)),
    ],
    [
      'a flash-size sale in the thin pool',
      (market: Market, thin: ReturnType<Market['createPool']>) => market.swap(thin, alice, TOKEN, eth(3_000_000)),
    ],
  ])('moves by less than 1 % under %s', async (_, attack) => {
    const { market, thin } = openHonest()
    attack(market, thin)
    await write(market)
    const { priceUsd } = await ask(FIELDS)
    expect(Math.abs((priceUsd as number) - 1)).toBeLessThan(0.01)
  })

  test('moves by less than 1 % under a concentrated V3 pool of another price, one-sided or not', async () => {
    const { market } = openHonest()
    // 2,000 USDC against 200 tokens in a range of one step at 10 USDC, and a pool of tokens alone at the same price.
    for (const dollars of [2_000, 0]) {
      const pool = market.createPool(alice, TOKEN, USDC, 'v3')
      const isZero = market.pool(pool).token0 === TOKEN
      const root = 2n ** 96n * 10n ** 0n
      market.tx(alice, pool, (emit) => {
        const price = isZero ? Math.sqrt(10 * 1e-12) : Math.sqrt(1e12 / 10)
        const sqrtPriceX96 = BigInt(Math.round(price * 2 ** 48)) * (root / 2n ** 48n)
        const tick = Math.floor((2 * Math.log(price)) / Math.log(1.0001))
        emit(pool, { kind: 'v3_initialize', sqrtPriceX96, tick })
        market.move(emit, TOKEN, alice, pool, eth(200_000))
        if (dollars > 0) market.move(emit, USDC, alice, pool, usdc(dollars))
        const [amount0, amount1] = isZero ? [eth(200_000), usdc(dollars)] : [usdc(dollars), eth(200_000)]
        const range = { owner: alice, tickLower: tick, tickUpper: tick + 1, liquidity: 10n ** 24n }
        emit(pool, { kind: 'v3_mint', ...range, amount0, amount1 })
      })
    }
    await write(market)
    const { priceUsd, pools, pricePoolCount } = await ask(FIELDS)
    expect(Math.abs((priceUsd as number) - 1)).toBeLessThan(0.01)
    expect(pricePoolCount).toBe(2)
    const depths = (pools as { nodes: { type: string; depth2PctUsd: number | null }[] }).nodes.filter(
      ({ type }) => type === 'v3',
    )
    // The range is as deep as its reserves; tokens alone have no depth.
    expect(depths.map(({ depth2PctUsd }) => depth2PctUsd).sort()).toEqual([2_000, null])
  })

  test('of a V3 pool rests on the liquidity in force, which swaps, additions and removals change', async () => {
    const market = openMarket()
    const pool = addPool(market, TOKEN, USDC, eth(500_000), usdc(500_000), 'v3')
    market.mine()
    market.swap(pool, alice, USDC, usdc(1_000))
    market.remove(pool, alice, 50n)
    await write(market)
    const { depth2PctUsd } = await ask(FIELDS)
    expect(depth2PctUsd).toBeCloseTo(250_000 * (Math.sqrt(1.02) - 1), -2)
  })
})

describe('the price', () => {
  const FIELDS = 'priceUsd lastPriceUsd marketCapUsd fdvUsd priceChange { h1 } topHolders { quantity valueUsd }'

  test('is that in its quote times the current price of the quote, in all fields of a token without trades', async () => {
    const market = openMarket()
    addPool(market, TOKEN, WETH, eth(20_000), eth(10))
    market.transfer(TOKEN, alice, bob, eth(100))
    market.mine()
    const [pair] = market.pools()
    if (pair) market.swap(pair, alice, USDC, usdc(200_000))
    await write(market)
    const native = (await ask('priceUsd', WETH)).priceUsd as number
    expect(native).toBeGreaterThan(2_400)
    const token = await ask(FIELDS)
    expect(token.lastPriceUsd).toBeCloseTo(1, 9)
    expect(token.priceUsd).toBeCloseTo(native / 2_000, 6)
    expect((token.marketCapUsd as number) / (token.fdvUsd as number)).toBeCloseTo(1, 9)
    const holders = token.topHolders as { quantity: number; valueUsd: number }[]
    expect(holders.find(({ quantity }) => quantity === 100)?.valueUsd).toBeCloseTo(100 * (token.priceUsd as number), 4)
    // Most of the supply is worth no more than the 20,000 dollars on the pool's quote side.
    expect(Math.max(...holders.map(({ valueUsd }) => valueUsd))).toBe(20_000)
    expect(await ask('priceUsd lastPriceUsd', USDC)).toEqual({ priceUsd: 1, lastPriceUsd: 1 })
  })

  test('is not known of a token without a price', async () => {
    const market = openMarket()
    addPool(market, TOKEN, USDC, eth(900), usdc(900))
    await write(market)
    expect(await ask('priceUsd lastPriceUsd')).toEqual({ priceUsd: null, lastPriceUsd: null })
  })
})

describe('the volume of 24 hours', () => {
  test('of a quote is that of the pools whose liquidity counts for it', async () => {
    const market = openMarket()
    addPool(market, TOKEN, WETH, eth(20_000), eth(10))
    market.mine()
    const pool = addPool(market, TOKEN, USDC, eth(20_000), usdc(20_000))
    market.mine()
    market.swap(pool, alice, USDC, usdc(1_000))
    const [pair, thin] = market.pools()
    market.swap(pair as typeof pool, alice, USDC, usdc(500))
    market.swap(thin as typeof pool, alice, WETH, eth(1))
    await write(market)
    const volume = async (address: typeof TOKEN) => (await ask('volume24hUsd', address)).volume24hUsd as number
    const native = (await ask('priceUsd', WETH)).priceUsd as number
    expect(await volume(TOKEN)).toBeCloseTo(1_000 + native, 4)
    expect(await volume(WETH)).toBeCloseTo(500 + native, 4)
    expect(await volume(USDC)).toBeCloseTo(1_500, 4)
  })

  test('marks both sides of a round trip within blocks of one second', async () => {
    const market = openMarket()
    const pool = addPool(market, TOKEN, USDC, eth(20_000), usdc(20_000))
    market.mine()
    market.swap(pool, alice, USDC, usdc(500))
    market.mine()
    market.swap(pool, alice, TOKEN, eth(100))
    market.mine(0)
    market.swap(pool, alice, USDC, usdc(500))
    await write(market)
    const { events } = (await ask('events(filter: { types: swap }) { nodes { blockNumber isMev } }')) as {
      events: { nodes: { blockNumber: number; isMev: boolean }[] }
    }
    const [last, ...round] = events.nodes
    expect([last?.isMev, ...round.map(({ isMev }) => isMev)]).toEqual([false, true, true])
    expect(new Set(round.map(({ blockNumber }) => blockNumber)).size).toBe(2)
  })

  test('marks both sides of a round trip within a block, and no other swap', async () => {
    const market = openMarket()
    const pool = addPool(market, TOKEN, USDC, eth(20_000), usdc(20_000))
    market.transfer(USDC, alice, bob, usdc(1_000))
    market.mine()
    market.swap(pool, alice, USDC, usdc(500))
    market.swap(pool, bob, USDC, usdc(300))
    market.swap(pool, alice, TOKEN, eth(100))
    market.mine()
    market.swap(pool, bob, TOKEN, eth(100))
    await write(market)
    const { events } = (await ask('events(filter: { types: swap }) { nodes { isMev } }')) as {
      events: { nodes: unknown }
    }
    expect(events.nodes).toEqual([{ isMev: false }, { isMev: true }, { isMev: false }, { isMev: true }])
    expect(await ask('events(filter: { types: liquidity_add }) { nodes { isMev } }')).toEqual({
      events: { nodes: [{ isMev: null }] },
    })
  })
})

describe('dollars', () => {
  test('are whole micro-dollars, so that the rest in a drained pool is 0', async () => {
    const market = openMarket()
    const pool = addPool(market, TOKEN, WETH, eth(30_000), eth(7))
    market.mine()
    market.remove(pool, alice, 100n)
    await write(market)
    const left = market.pool(pool)
    expect(left.reserve0 > 0n && left.reserve1 > 0n).toBe(true)
    expect(await ask('liquidityUsd marketCapUsd peakLiquidityUsd pools { nodes { liquidityUsd } }')).toMatchObject({
      liquidityUsd: 0,
      marketCapUsd: null,
      pools: { nodes: [{ liquidityUsd: 0 }] },
    })
    const { liquidityUsd } = await ask('liquidityUsd', WETH)
    expect((liquidityUsd as number) * 1e6).toBe(Math.round((liquidityUsd as number) * 1e6))
  })

  test('of a holding are worth the price, and bring less the larger it is', async () => {
    const market = openMarket()
    addPool(market, TOKEN, USDC, eth(100_000), usdc(100_000))
    market.transfer(TOKEN, alice, bob, eth(25_000))
    await write(market)
    const { topHolders } = (await ask(
      'topHolders { address valueUsd sellableUsd wallet { portfolio { valueUsd sellableUsd } } }',
    )) as {
      topHolders: { address: string }[]
    }
    const held = topHolders.find(({ address }) => address === bob)
    const worth = { valueUsd: 25_000, sellableUsd: expect.closeTo(20_000, 4) }
    expect(held).toMatchObject({ ...worth, wallet: { portfolio: [worth] } })
  })

  test('of a holding are nothing while the newest check says that nobody can sell, and its cost is an open loss', async () => {
    const market = openMarket()
    const pool = addPool(market, TOKEN, USDC, eth(100_000), usdc(100_000))
    market.transfer(USDC, alice, bob, usdc(1_000))
    market.mine()
    market.swap(pool, bob, USDC, usdc(1_000))
    await write(market)
    const check = (sellable: boolean | null) =>
      database.pool.query(
        `INSERT INTO token_safety (token_id, checked_block, checked_at, sellable, marks, insiders, contracts, report)
         SELECT id, 1, now(), $2, 0, '{}', '{}', '' FROM token WHERE address = $1
         ON CONFLICT (token_id) DO UPDATE SET sellable = excluded.sellable`,
        [TOKEN, sellable],
      )
    const readBob = async () => {
      const { topHolders } = (await ask(`topHolders { address valueUsd sellableUsd wallet { netWorthUsd sellableUsd
        pnl { openUsd pricedShare } portfolio { valueUsd sellableUsd openUsd } } }`)) as {
        topHolders: { address: string }[]
      }
      return topHolders.find(({ address }) => address === bob)
    }
    for (const sellable of [null, true]) {
      await check(sellable)
      expect(await readBob()).toMatchObject({ valueUsd: expect.closeTo(1_000 * 1.01, -2) })
    }
    await check(false)
    const nothing = { valueUsd: 0, sellableUsd: 0 }
    expect(await readBob()).toMatchObject({
      ...nothing,
      wallet: {
        netWorthUsd: 0,
        sellableUsd: 0,
        pnl: { openUsd: -1_000, pricedShare: 1 },
        portfolio: [{ ...nothing, openUsd: -1_000 }],
      },
    })
  })
})
