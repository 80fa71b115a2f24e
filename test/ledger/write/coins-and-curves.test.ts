// Pools of coins (Curve, Balancer, Fluid) and launch curves, written by the real writer. The tests hold reserves,
// prices, trades and their traders, and a token that graduates from its curve to a pair.
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Address, ZERO_ADDRESS } from '../../../src/base/address.ts'
import { coinPool } from '../../../src/chain/contracts/coin-pool.ts'
import type { ChainReader } from '../../../src/chain/contracts/reader.ts'
import type { Preset } from '../../../src/chain/presets/preset.ts'
import { acquireWriter } from '../../../src/database/writer-lock.ts'
import { addressOf, createMarket, type Market, marketPreset, USDC, WETH, wallet } from '../../support/blocks.ts'
import { createTestDatabase } from '../../support/database.ts'
import { appendFinal, appendPrefetched, dumpTables, openWriter, startAnew } from '../../support/writing.ts'

const VAULT = addressOf('vault', 1)
const REGISTRY = addressOf('registry', 1)
const FLUID = addressOf('fluid', 1)
const CORE = addressOf('core', 1)
const VENUE = addressOf('venue', 1)
const LAUNCHER = addressOf('launcher', 1)
const PORTAL = addressOf('portal', 1)
const TOKEN = addressOf('token', 1)
const SHARES = addressOf('shares', 1)
const ID = `${SHARES}${'0'.repeat(23)}1` as Address
const POOL = addressOf('pool', 7)
const [alice, bob, bot] = [wallet(1), wallet(2), wallet(3)]
const E18 = 10n ** 18n
const E6 = 10n ** 6n
const SUPPLY = 1_000_000_000n * E18
const OFFERED = 800_000_000n * E18

const preset: Preset = {
  ...marketPreset,
  factories: [
    ...marketPreset.factories,
    { address: VAULT, kind: 'balancer_v2', launchpad: 'balancer_v2' },
    { address: REGISTRY, kind: 'curve', launchpad: 'curve' },
    { address: FLUID, kind: 'fluid', launchpad: 'fluid' },
    { address: CORE, kind: 'ekubo', launchpad: 'ekubo' },
    { address: VENUE, kind: 'four_meme', launchpad: 'four_meme' },
    { address: PORTAL, kind: 'flap', launchpad: 'flap' },
    { address: LAUNCHER, kind: 'clanker', launchpad: 'clanker' },
  ],
}

const database = await createTestDatabase()
const rows = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await database.pool.query<Row>(text, values)).rows
const tokenRow = async () =>
  (
    await rows<Record<string, unknown>>(
      `SELECT t.*, w.address AS deployer FROM token t LEFT JOIN wallet w ON w.id = t.deployer_id WHERE t.address = $1`,
      [TOKEN],
    )
  )[0]
const poolRows = () =>
  rows<Record<string, unknown>>('SELECT * FROM pool WHERE kind IN ($1, $2) ORDER BY id', ['coins', 'curve'])
const EVENTS = `SELECT e.type, e.direction, w.address AS wallet, e.attribution, e.quantity, e.amount_usd FROM event e
  JOIN wallet w ON w.id = e.wallet_id JOIN token t ON t.id = e.token_id
  WHERE t.address = '${TOKEN}' AND e.block_number > 0 ORDER BY n`

/** WETH at 2,000 USDC in a pair, and TOKEN minted to Alice. */
function openMarket(): Market {
  const market = createMarket()
  market.token(USDC, { decimals: 6 })
  market.token(WETH)
  market.token(TOKEN)
  market.token(SHARES)
  market.mint(USDC, alice, 4_000_000n * E6)
  market.mint(USDC, bob, 100_000n * E6)
  market.wrap(alice, 2_000n * E18)
  const pair = market.createPool(alice, WETH, USDC)
  const amounts = [1_000n * E18, 2_000_000n * E6] as const
  const [amount0, amount1] = market.pool(pair).token0 === WETH ? amounts : ([amounts[1], amounts[0]] as const)
  market.add(pair, alice, amount0, amount1)
  return market
}

const write = async (market: Market) =>
  appendFinal(await openWriter(database, market.reader, { preset }), market.blocks)

/** What a vault logs of a pool of TOKEN and USDC. */
function vaultPool(market: Market) {
  const change = (by: Address, amounts: [bigint, bigint], fees: [bigint, bigint] = [0n, 0n]) =>
    market.tx(by, VAULT, (emit) => {
      for (const [at, token] of [TOKEN, USDC].entries()) {
        const amount = amounts[at] as bigint
        if (amount > 0n) market.move(emit, token, by, VAULT, amount)
        else if (amount < 0n) market.move(emit, token, VAULT, by, -amount)
      }
      emit(VAULT, { kind: 'coins_change', pool: ID, provider: by, coins: [TOKEN, USDC], amounts, fees })
    })
  return {
    open: () =>
      market.tx(alice, VAULT, (emit) => emit(VAULT, { kind: 'coins_listed', pool: ID, coins: [TOKEN, USDC] })),
    change,
    /** Buys TOKEN for USDC. */
    buy: (by: Address, paid: bigint, got: bigint) =>
      market.tx(by, VAULT, (emit) => {
        emit(VAULT, {
          kind: 'coins_swap',
          pool: ID,
          coinIn: null,
          coinOut: null,
          tokenIn: USDC,
          tokenOut: TOKEN,
          amountIn: paid,
          amountOut: got,
          fee: null,
          isUnderlying: false,
        })
        market.move(emit, USDC, by, VAULT, paid)
        market.move(emit, TOKEN, VAULT, by, got)
      }),
  }
}

describe('a pool of two coins', () => {
  test('that a vault holds: its logs add up to the reserves, and its last trade is the price', async () => {
    const market = openMarket()
    market.mint(TOKEN, alice, SUPPLY)
    const pool = vaultPool(market)
    pool.open()
    market.mine()
    pool.change(alice, [400_000n * E18, 100_000n * E6])
    pool.buy(bob, 1_000n * E6, 4_000n * E18)
    pool.change(alice, [-1_000n * E18, -100n * E6], [0n, 5n * E6])
    market.mine()
    await write(market)
    expect(await rows(EVENTS)).toMatchObject([
      { type: 2, wallet: alice },
      { type: 1, direction: 1, wallet: bob, quantity: 4_000, amount_usd: 1_000 },
      { type: 3, wallet: alice },
    ])
    const [row] = await poolRows()
    expect(row).toMatchObject({
      address: ID,
      factory: VAULT,
      reserve0: `${395_000n * E18}`,
      reserve1: `${100_895n * E6}`,
    })
    expect(row?.price).toBeCloseTo(0.25, 12)
    const token = await tokenRow()
    expect(token).toMatchObject({ launchpad: 'balancer_v2' })
    expect(token?.price_usd).toBeCloseTo(0.25, 12)
  })

  test('that a core of all pools holds: fees leave and enter the reserves, and make no event', async () => {
    const market = openMarket()
    market.mint(TOKEN, alice, SUPPLY)
    const [lock, extension] = [addressOf('lock', 1), addressOf('extension', 1)]
    const id = `0x${'ab'.repeat(32)}` as Address
    const common = { pool: id, provider: lock, coins: [] }
    market.tx(alice, CORE, (emit) =>
      emit(CORE, {
        kind: 'v4_initialize',
        pool: id,
        token0: TOKEN,
        token1: USDC,
        fee: 3000,
        tickSpacing: 0,
        hooks: extension,
        rights: 0b0110_0000,
        sqrtPriceX96: 0n,
      }),
    )
    market.mine()
    market.tx(alice, lock, (emit) => {
      market.move(emit, TOKEN, alice, CORE, 400_000n * E18)
      market.move(emit, USDC, alice, CORE, 100_000n * E6)
      emit(CORE, { kind: 'coins_change', ...common, amounts: [400_000n * E18, 100_000n * E6], fees: [] })
    })
    market.tx(bob, lock, (emit) => {
      const swap = { coinIn: 1, coinOut: 0, tokenIn: null, tokenOut: null, fee: null, isUnderlying: false }
      emit(CORE, { kind: 'coins_swap', pool: id, ...swap, amountIn: 1_000n * E6, amountOut: 4_000n * E18 })
      market.move(emit, USDC, bob, CORE, 1_000n * E6)
      market.move(emit, TOKEN, CORE, bob, 4_000n * E18)
    })
    market.tx(alice, lock, (emit) => {
      market.move(emit, USDC, CORE, alice, 3n * E6)
      emit(CORE, { kind: 'coins_change', ...common, amounts: [], fees: [0n, 3n * E6] })
      emit(CORE, { kind: 'coins_change', ...common, amounts: [], fees: [-1n * E18, 0n] })
    })
    market.mine()
    await write(market)
    expect(await rows(EVENTS)).toMatchObject([
      { type: 2, wallet: alice },
      { type: 1, direction: 1, wallet: bob, quantity: 4_000, amount_usd: 1_000 },
    ])
    const [row] = await poolRows()
    expect(row).toMatchObject({
      address: id,
      hooks: extension,
      fee: 3000,
      reserve0: `${396_001n * E18}`,
      reserve1: `${100_997n * E6}`,
    })
    expect(row?.price).toBeCloseTo(0.25, 12)
  })

  test('that holds its coins: its balances are the reserves', async () => {
    const market = openMarket()
    market.mint(TOKEN, alice, SUPPLY)
    market.tx(alice, REGISTRY, (emit) => emit(REGISTRY, { kind: 'coins_listed', pool: POOL, coins: [TOKEN, WETH] }))
    market.mine()
    market.tx(alice, POOL, (emit) => {
      market.move(emit, TOKEN, alice, POOL, 200_000n * E18)
      market.move(emit, WETH, alice, POOL, 200n * E18)
      const amounts = [200_000n * E18, 200n * E18]
      emit(POOL, { kind: 'coins_change', pool: null, provider: alice, coins: [], amounts, fees: [] })
    })
    const swap = { tokenIn: null, tokenOut: null, fee: null, pool: null }
    market.tx(alice, POOL, (emit) => {
      market.move(emit, WETH, alice, POOL, E18)
      market.move(emit, TOKEN, POOL, alice, 1_000n * E18)
      const amounts = { coinIn: 1, coinOut: 0, amountIn: E18, amountOut: 1_000n * E18 }
      emit(POOL, { kind: 'coins_swap', ...swap, ...amounts, isUnderlying: false })
      // A trade of underlying coins, a third coin, and a coin for itself are no trades of these two.
      emit(POOL, { kind: 'coins_swap', ...swap, ...amounts, isUnderlying: true })
      emit(POOL, { kind: 'coins_swap', ...swap, ...amounts, coinIn: 2, isUnderlying: false })
      emit(POOL, { kind: 'coins_swap', ...swap, ...amounts, coinIn: 0, isUnderlying: false })
    })
    market.mine()
    await write(market)
    expect((await poolRows())[0]).toMatchObject({ reserve0: `${199_000n * E18}`, reserve1: `${201n * E18}` })
    expect(await rows(EVENTS)).toMatchObject([
      { type: 2 },
      { type: 1, direction: 1, quantity: 1_000, amount_usd: 2_000 },
    ])
    expect((await tokenRow())?.price_usd).toBeCloseTo(2, 9)
  })

  test('whose coins lie elsewhere has trades, but prices nothing', async () => {
    const market = openMarket()
    market.mint(TOKEN, alice, SUPPLY)
    market.tx(alice, FLUID, (emit) =>
      emit(FLUID, {
        kind: 'pool_opened',
        token0: TOKEN,
        token1: USDC,
        fee: null,
        stable: false,
        pool: POOL,
      }),
    )
    const pair = market.createPool(alice, TOKEN, USDC)
    const amounts = [100_000n * E18, 100_000n * E6] as const
    const isZero = market.pool(pair).token0 === TOKEN
    market.add(pair, alice, isZero ? amounts[0] : amounts[1], isZero ? amounts[1] : amounts[0])
    market.mine()
    market.tx(bob, POOL, (emit) =>
      emit(POOL, {
        kind: 'coins_swap',
        pool: null,
        coinIn: 1,
        coinOut: 0,
        tokenIn: null,
        tokenOut: null,
        amountIn: 5_000n * E6,
        amountOut: 1_000n * E18,
        fee: null,
        isUnderlying: false,
      }),
    )
    market.mine()
    await write(market)
    expect(await rows(EVENTS)).toMatchObject([
      { type: 1, direction: 1, wallet: bob, quantity: 1_000, amount_usd: 5_000 },
    ])
    const token = await tokenRow()
    expect(token?.price_usd).toBeCloseTo(1, 9)
    expect(token).toMatchObject({ price_pool_count: 1, liquidity_usd: 200_000 })
  })

  test('that a stranger announces, or of more than eight coins, has no row', async () => {
    const market = openMarket()
    market.mint(TOKEN, alice, SUPPLY)
    const many = Array.from({ length: 9 }, (_, at) => addressOf('token', at + 1))
    market.tx(alice, VAULT, (emit) => {
      emit(bob, { kind: 'coins_listed', pool: POOL, coins: [TOKEN, USDC] })
      emit(VAULT, { kind: 'coins_listed', pool: ID, coins: many })
    })
    market.mine()
    await write(market)
    expect(await poolRows()).toEqual([])
  })
})

describe('a pool of three coins', () => {
  const DEALS = `SELECT t.address AS token, e.type, e.direction, w.address AS wallet, e.quantity, e.amount_usd, p.address AS pool FROM event e
    JOIN wallet w ON w.id = e.wallet_id JOIN token t ON t.id = e.token_id JOIN pool p ON p.id = e.pool_id
    WHERE p.kind = 'coins' ORDER BY n`

  /** TOKEN trades at a dollar in a pair, since the pool itself prices nothing. */
  function openPriced(): { market: Market; pair: Address } {
    const market = openMarket()
    market.mint(TOKEN, alice, SUPPLY)
    const pair = market.createPool(alice, TOKEN, USDC)
    const isZero = market.pool(pair).token0 === TOKEN
    const amounts = [200_000n * E18, 200_000n * E6] as const
    market.add(pair, alice, isZero ? amounts[0] : amounts[1], isZero ? amounts[1] : amounts[0])
    market.mine()
    return { market, pair }
  }

  const named = { coinIn: null, coinOut: null, fee: null, isUnderlying: false }
  const placed = { tokenIn: null, tokenOut: null, fee: null, isUnderlying: false, pool: null }

  /** Two trades, in which the log tells the coins by their places. */
  function tradeByPlace(market: Market) {
    market.tx(bob, POOL, (emit) => {
      market.move(emit, USDC, bob, POOL, 500n * E6)
      market.move(emit, TOKEN, POOL, bob, 400n * E18)
      const amounts = { amountIn: 500n * E6, amountOut: 400n * E18 }
      emit(POOL, { kind: 'coins_swap', ...placed, coinIn: 2, coinOut: 0, ...amounts })
    })
    market.tx(bob, POOL, (emit) => {
      market.move(emit, TOKEN, bob, POOL, 100n * E18)
      market.move(emit, WETH, POOL, bob, E18 / 20n)
      const amounts = { amountIn: 100n * E18, amountOut: E18 / 20n }
      emit(POOL, { kind: 'coins_swap', ...placed, coinIn: 0, coinOut: 1, ...amounts })
    })
    market.mine()
  }

  function openByPlace() {
    const { market, pair } = openPriced()
    market.mint(TOKEN, POOL, 1_000n * E18)
    market.tx(alice, REGISTRY, (emit) => {
      market.move(emit, WETH, alice, POOL, 10n * E18)
      emit(REGISTRY, { kind: 'coins_listed', pool: POOL, coins: [TOKEN, WETH, USDC] })
      market.move(emit, USDC, alice, POOL, 50n * E6)
      const amounts = [1_000n * E18, 10n * E18, 50n * E6]
      emit(POOL, { kind: 'coins_change', pool: null, provider: alice, coins: [], amounts, fees: [] })
    })
    market.mine()
    return { market, pair }
  }

  const ADDED = [
    { token: TOKEN, type: 2, wallet: alice, quantity: 1_000, amount_usd: 1_000, pool: POOL },
    { token: WETH, type: 2, wallet: alice, quantity: 10, amount_usd: 20_000, pool: POOL },
    { token: USDC, type: 2, wallet: alice, quantity: 50, amount_usd: 50, pool: `${POOL}-0-2` },
  ]
  const BY_PLACE = [
    { token: TOKEN, direction: 1, wallet: bob, quantity: 400, amount_usd: 500, pool: `${POOL}-0-2` },
    { token: TOKEN, direction: 2, wallet: bob, quantity: 100, amount_usd: 100, pool: POOL },
  ]

  test('whose log tells coins by their places has a row for each two, and each swap is a trade of the two', async () => {
    const { market } = openByPlace()
    tradeByPlace(market)
    await write(market)
    // Each coin that was added is an event of its own, with its own value.
    expect(await rows(DEALS)).toMatchObject([...ADDED, ...BY_PLACE])
    const pools = await poolRows()
    expect(pools.map(({ address }) => address)).toEqual([POOL, `${POOL}-0-2`, `${POOL}-1-2`])
    // Its reserve counts for none of the three: two rows would count a coin twice.
    expect(pools.map(({ liquidity_usd }) => liquidity_usd)).toEqual([0, 0, 0])
    expect(await tokenRow()).toMatchObject({ price_pool_count: 1, liquidity_usd: 400_000 })
  })

  test('whose log names coins has the same, in blocks that are prefetched or not', async () => {
    const lock = await acquireWriter({ database })
    onTestFinished(() => lock.release())
    const { market } = openPriced()
    market.tx(alice, VAULT, (emit) => emit(VAULT, { kind: 'coins_listed', pool: ID, coins: [TOKEN, USDC, WETH] }))
    market.mint(TOKEN, VAULT, 1_000n * E18)
    market.mine()
    for (const [tokenIn, tokenOut] of [
      [USDC, TOKEN],
      [WETH, TOKEN],
      [USDC, WETH],
    ] as const) {
      market.tx(bob, VAULT, (emit) => {
        const amounts = {
          amountIn: tokenIn === WETH ? E18 / 20n : 100n * E6,
          amountOut: tokenOut === WETH ? E18 / 20n : 90n * E18,
        }
        emit(VAULT, { kind: 'coins_swap', ...named, pool: ID, tokenIn, tokenOut, ...amounts })
      })
      market.mine()
    }
    await appendFinal(await startAnew(lock, market.reader, { preset }), market.blocks)
    expect(await rows(DEALS)).toMatchObject([
      { token: TOKEN, direction: 1, quantity: 90, amount_usd: 100, pool: ID },
      { token: TOKEN, direction: 1, quantity: 90, amount_usd: 100, pool: `${ID}-${[TOKEN, WETH].sort().join('-')}` },
      { token: WETH, direction: 1, quantity: 0.05, amount_usd: 100, pool: `${ID}-${[USDC, WETH].sort().join('-')}` },
    ])
    const together = await dumpTables(database.pool)
    const writer = await startAnew(lock, market.reader, { preset })
    await appendPrefetched(writer, market.blocks)
    expect(await dumpTables(database.pool)).toEqual(together)
  })

  test('that is older than the start block is known from its registry', async () => {
    const { market, pair } = openByPlace()
    // A trade in its pair gives TOKEN a price.
    market.swap(pair, alice, USDC, 100n * E6)
    market.mine()
    tradeByPlace(market)
    const factories = new Map(preset.factories.map((factory) => [factory.address as string, factory]))
    const pool = coinPool({ factories, wrappedNative: WETH }, REGISTRY, POOL, [TOKEN, WETH, USDC])
    const readPools: ChainReader['readPools'] = async (addresses, block) =>
      new Map([
        ...(await market.reader.readPools(addresses, block)),
        ...(addresses.includes(POOL) ? [[POOL, pool] as const] : []),
      ])
    const startBlock = market.blocks.length - 2
    const writer = await openWriter(database, { ...market.reader, readPools }, { preset, startBlock })
    await appendFinal(writer, market.blocks.slice(startBlock))
    expect((await rows<{ pool: string }>(DEALS)).map(({ pool }) => pool)).toEqual(BY_PLACE.map(({ pool }) => pool))
  })
})

/** A sale by Four.meme: TOKEN is minted to the venue, and sold at a price that its log tells. */
function sale(market: Market) {
  let [left, raised] = [OFFERED, 0n]
  return {
    create: (creator: Address, signer: Address) =>
      market.tx(signer, VENUE, (emit) => {
        market.move(emit, TOKEN, ZERO_ADDRESS, VENUE, SUPPLY)
        emit(VENUE, { kind: 'curve_opened', token: TOKEN, creator })
      }),
    trade(trader: Address, signer: Address, isBuy: boolean, amount: bigint, paid: bigint) {
      left += isBuy ? -amount : amount
      raised += isBuy ? paid : -paid
      market.tx(signer, VENUE, (emit) => {
        if (isBuy) market.move(emit, TOKEN, VENUE, trader, amount)
        else market.move(emit, TOKEN, trader, VENUE, amount)
        const price = (paid * E18) / amount
        emit(VENUE, { kind: 'curve_swap', token: TOKEN, trader, isBuy, amount, paid, price, left, raised })
      })
    },
    /** Moves the raised amount to a pair, as wrapped coins for the venue. */
    graduate(signer: Address, pair: Address) {
      market.tx(signer, VENUE, (emit) => emit(WETH, { kind: 'deposit', to: VENUE, amount: raised }))
      const inPair = SUPPLY - OFFERED
      market.tx(signer, VENUE, (emit) => {
        market.move(emit, TOKEN, VENUE, pair, inPair)
        market.move(emit, WETH, VENUE, pair, raised)
        const isZero = market.pool(pair).token0 === TOKEN
        const [reserve0, reserve1] = isZero ? [inPair, raised] : [raised, inPair]
        emit(pair, { kind: 'v2_sync', reserve0, reserve1 })
        emit(pair, { kind: 'v2_mint', amount0: reserve0, amount1: reserve1 })
        emit(VENUE, { kind: 'curve_closed', token: TOKEN })
      })
    },
  }
}

describe('a launch curve', () => {
  test('prices its token from the first trade on, whose trader and creator the venue names', async () => {
    const market = openMarket()
    market.mine()
    const curve = sale(market)
    curve.create(alice, bot)
    curve.trade(bob, bob, true, 1_000_000n * E18, E18 / 10n)
    curve.trade(alice, bot, true, 3_000_000n * E18, 3n * (E18 / 10n))
    curve.trade(bob, bob, false, 500_000n * E18, E18 / 20n)
    market.mine()
    await write(market)
    const token = await tokenRow()
    expect(token).toMatchObject({ deployer: alice, launchpad: 'four_meme', indexed: true, holder_count: 3 })
    // A tenth of a coin for a million, at 2,000 dollars a coin; the sale has raised 0.35 coins.
    expect(token?.price_usd).toBeCloseTo(0.0002, 12)
    expect(token?.liquidity_usd).toBeCloseTo(700, 6)
    expect((await poolRows())[0]).toMatchObject({
      kind: 'curve',
      factory: VENUE,
      reserve0: `${796_500_000n * E18}`,
      reserve1: `${(35n * E18) / 100n}`,
    })
    expect(await rows(EVENTS)).toMatchObject([
      { type: 1, direction: 1, wallet: bob, attribution: null, quantity: 1_000_000, amount_usd: 200 },
      { type: 1, direction: 1, wallet: alice, attribution: 3, quantity: 3_000_000, amount_usd: 600 },
      { type: 1, direction: 2, wallet: bob, attribution: null, quantity: 500_000, amount_usd: 100 },
    ])
    const deployed = await rows('SELECT address, deployed_count FROM wallet WHERE deployed_count > 0')
    expect(deployed).toContainEqual({ address: alice, deployed_count: expect.any(Number) })
    expect(deployed).not.toContainEqual(expect.objectContaining({ address: bot }))
  })

  test('the token that graduates stays one token, and nobody has pulled its liquidity', async () => {
    const market = openMarket()
    market.mine()
    const curve = sale(market)
    curve.create(alice, alice)
    curve.trade(bob, bob, true, OFFERED - E18, 20n * E18)
    market.mine()
    const pair = market.createPool(bot, TOKEN, WETH)
    curve.graduate(bot, pair)
    market.mine()
    await write(market)
    const token = await tokenRow()
    // 20 coins for 200 million tokens.
    expect(token?.price_usd).toBeCloseTo((20 * 2_000) / 200_000_000, 9)
    expect(token).toMatchObject({ deployer: alice, launchpad: 'four_meme', liquidity_usd: 80_000 })
    expect((await poolRows())[0]).toMatchObject({ reserve0: '0', reserve1: '0', price: 0, liquidity_usd: 0 })
    expect(await rows('SELECT address FROM wallet WHERE pulled_count > 0')).toEqual([])
    expect(
      await rows(`SELECT 1 FROM event e JOIN token t ON t.id = e.token_id WHERE t.address = $1 AND e.type = 3`, [
        TOKEN,
      ]),
    ).toEqual([])
  })

  test('a log without the remaining amount counts the sold one', async () => {
    const market = openMarket()
    market.mine()
    const trade = { kind: 'curve_swap', token: TOKEN, trader: bob, left: null, raised: null } as const
    market.tx(bob, PORTAL, (emit) => {
      market.move(emit, TOKEN, ZERO_ADDRESS, PORTAL, SUPPLY)
      emit(PORTAL, { kind: 'curve_opened', token: TOKEN, creator: bob })
      market.move(emit, TOKEN, PORTAL, bob, 10n * E18)
      emit(PORTAL, { ...trade, isBuy: true, amount: 10n * E18, paid: E18, price: E18 / 10n })
      market.move(emit, TOKEN, bob, PORTAL, 5n * E18)
      emit(PORTAL, { ...trade, isBuy: false, amount: 5n * E18, paid: E18 / 2n, price: E18 / 10n })
    })
    market.mine()
    await write(market)
    expect((await poolRows())[0]).toMatchObject({ reserve1: `${E18 / 2n}`, launchpad: 'flap' })
  })

  test('a sale that somebody else logs is none', async () => {
    const market = openMarket()
    market.mint(TOKEN, alice, SUPPLY)
    market.tx(alice, bot, (emit) => emit(bot, { kind: 'curve_opened', token: TOKEN, creator: alice }))
    market.mine()
    await write(market)
    expect(await poolRows()).toEqual([])
  })
})

describe('a launch venue that opens a pool at an exchange', () => {
  const launch = (market: Market, by: Address, creator: Address | null) => {
    market.mint(TOKEN, LAUNCHER, SUPPLY, bot)
    const pair = market.createPool(bot, TOKEN, WETH)
    market.wrap(bot, 100n * E18)
    const isZero = market.pool(pair).token0 === TOKEN
    market.tx(bot, LAUNCHER, (emit) => {
      market.move(emit, TOKEN, LAUNCHER, pair, SUPPLY)
      market.move(emit, WETH, bot, pair, 10n * E18)
      const [reserve0, reserve1] = isZero ? [SUPPLY, 10n * E18] : [10n * E18, SUPPLY]
      emit(pair, { kind: 'v2_sync', reserve0, reserve1 })
      emit(by, { kind: 'launched', token: TOKEN, creator, keeper: null })
    })
    market.mine()
  }
  const deployed = () =>
    rows(
      `SELECT w.address, w.deployed_count FROM wallet w WHERE w.address = ANY($1) AND w.deployed_count > 0 ORDER BY 1`,
      [[bob, bot]],
    )

  test('names the token’s creator and where it was launched', async () => {
    const market = openMarket()
    market.mine()
    launch(market, LAUNCHER, bob)
    await write(market)
    expect(await tokenRow()).toMatchObject({ launchpad: 'clanker', deployer: bob, indexed: true })
    expect(await deployed()).toEqual([{ address: bob, deployed_count: 1 }])
  })

  test('that names no creator leaves the token to who signed', async () => {
    const market = openMarket()
    market.mine()
    launch(market, LAUNCHER, null)
    await write(market)
    expect(await tokenRow()).toMatchObject({ launchpad: 'clanker', deployer: bot })
  })

  test('is believed from its own address alone, and of no older token', async () => {
    const market = openMarket()
    market.mine()
    launch(market, bob, bob)
    market.tx(alice, LAUNCHER, (emit) =>
      emit(LAUNCHER, { kind: 'launched', token: TOKEN, creator: alice, keeper: null }),
    )
    market.mine()
    await write(market)
    expect(await tokenRow()).toMatchObject({ deployer: bot })
    expect(await deployed()).toEqual([{ address: bot, deployed_count: 1 }])
  })
})

test('one batch or a batch for each block give the same rows', async () => {
  const market = openMarket()
  market.mine()
  const curve = sale(market)
  curve.create(alice, bot)
  market.mine()
  curve.trade(bob, bot, true, 1_000_000n * E18, E18)
  market.mine()
  const pool = vaultPool(market)
  pool.open()
  market.mine()
  pool.change(bob, [100_000n * E18, 1_000n * E6])
  market.mine()
  pool.buy(alice, 100n * E6, 400n * E18)
  curve.trade(bob, bob, false, 1_000n * E18, E18 / 1000n)
  market.mine()
  const pair = market.createPool(bot, TOKEN, WETH)
  market.mine()
  curve.graduate(bot, pair)
  market.mine()
  const lock = await acquireWriter({ database })
  onTestFinished(() => lock.release())
  await appendFinal(await startAnew(lock, market.reader, { preset }), market.blocks)
  const atOnce = await dumpTables(database.pool)
  const writer = await startAnew(lock, market.reader, { preset })
  for (const block of market.blocks) await appendFinal(writer, [block])
  expect(await dumpTables(database.pool)).toEqual(atOnce)
})
