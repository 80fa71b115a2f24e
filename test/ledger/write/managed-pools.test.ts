// Pools that a manager holds (Uniswap V4), written by the real writer: reserves, prices, trades, providers, hooks.
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Address, ZERO_ADDRESS } from '../../../src/base/address.ts'
import { amountsOfRange, rootAtTick } from '../../../src/book/prices/tick-math.ts'
import type { PoolMetadata } from '../../../src/chain/contracts/reader.ts'
import type { Preset } from '../../../src/chain/presets/preset.ts'
import { acquireWriter } from '../../../src/database/writer-lock.ts'
import {
  addressOf,
  createQuotedMarket,
  type Market,
  marketPreset,
  ROUTER,
  USDC,
  WETH,
  wallet,
} from '../../support/blocks.ts'
import { createTestDatabase } from '../../support/database.ts'
import { appendFinal, dumpTables, openWriter, startAnew } from '../../support/writing.ts'

const MANAGER = addressOf('manager', 1)
const POSITIONS = addressOf('positions', 1)
const TOKEN = addressOf('token', 1)
const [alice, bob, smartAccount] = [wallet(1), wallet(2), wallet(3)]
const ENTRY_POINT = addressOf('entry', 1)
/** No right but to run after a swap. */
const HOOK = addressOf('hook', 1 << 6)
const POOL = `0x${'ab'.repeat(32)}` as Address
const FEE = 3000
const E18 = 10n ** 18n
/** About 1,000 tokens for one native coin. */
const TICK = 69_060

const preset: Preset = {
  ...marketPreset,
  factories: [
    ...marketPreset.factories,
    { address: MANAGER, kind: 'v4', launchpad: 'uniswap_v4', positions: POSITIONS },
  ],
}

const database = await createTestDatabase()

const rows = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await database.pool.query<Row>(text, values)).rows
const poolRow = async () => (await rows<Record<string, never>>('SELECT * FROM pool WHERE address = $1', [POOL]))[0]
const EVENTS = `SELECT e.type, e.direction, w.address AS wallet, e.quantity, e.amount_usd FROM event e
  JOIN wallet w ON w.id = e.wallet_id JOIN token t ON t.id = e.token_id
  WHERE t.address = '${TOKEN}' AND e.type < 4 ORDER BY n`

/** WETH at 2,000 USDC in a pair, and TOKEN minted. */
function openMarket(): Market {
  const { market } = createQuotedMarket(alice)
  market.token(TOKEN)
  market.mint(TOKEN, alice, 1_000_000n * E18)
  market.mine()
  return market
}

/** A pool of the native coin and TOKEN with everything in one range around the price. */
function managedPool(market: Market, hooks: Address = ZERO_ADDRESS, rights = 0, isOlder = false) {
  const state = { root: rootAtTick(TICK), liquidity: 0n }
  const range = [TICK - 6_000, TICK + 6_000] as const
  if (!isOlder)
    market.tx(alice, POSITIONS, (emit) => {
      const fields = { pool: POOL, token0: ZERO_ADDRESS, token1: TOKEN, fee: FEE, tickSpacing: 60, hooks, rights }
      emit(MANAGER, { kind: 'v4_initialize', ...fields, sqrtPriceX96: state.root })
    })
  return {
    state,
    range,
    modify(by: Address, liquidity: bigint, sender: Address = POSITIONS) {
      const [, amount1] = amountsOfRange(state.root, ...range, liquidity)
      market.tx(by, sender, (emit) => {
        emit(MANAGER, {
          kind: 'v4_modify',
          pool: POOL,
          sender,
          tickLower: range[0],
          tickUpper: range[1],
          liquidity,
          salt: 7n,
        })
        const [from, to] = liquidity > 0n ? [by, MANAGER] : [MANAGER, by]
        emit(TOKEN, { kind: 'transfer', from, to, amount: amount1 })
      })
      state.liquidity += liquidity
    },
    /** Sells native coins (in wei) for tokens, by the formulas of a range. */
    buy(by: Address, amount: bigint, sender: Address = ROUTER) {
      const paid = amount - (amount * BigInt(FEE)) / 1_000_000n
      const next = (state.liquidity * state.root * (1n << 96n)) / ((state.liquidity << 96n) + paid * state.root)
      const out = (state.liquidity * (state.root - next)) >> 96n
      state.root = next
      market.tx(by, sender, (emit) => {
        const after = { sqrtPriceX96: next, liquidity: state.liquidity, tick: tickOf(next), fee: FEE }
        emit(MANAGER, { kind: 'v4_swap', pool: POOL, sender, amount0: amount, amount1: -out, ...after })
        emit(TOKEN, { kind: 'transfer', from: MANAGER, to: by, amount: out })
      })
      return out
    },
  }
}

const L = 10n ** 22n
const tickOf = (root: bigint) => Math.floor((2 * Math.log(Number(root) / 2 ** 96)) / Math.log(1.0001))
const write = async (market: Market) =>
  appendFinal(await openWriter(database, market.reader, { preset }), market.blocks)

describe('a pool of a manager', () => {
  test('prices its token in the native coin, and holds what its ranges are worth', async () => {
    const market = openMarket()
    const pool = managedPool(market)
    pool.modify(alice, L)
    market.mine()
    pool.buy(bob, E18)
    market.mine()
    await write(market)
    const row = await poolRow()
    const [amount0, amount1] = amountsOfRange(pool.state.root, ...pool.range, L)
    expect(Number(BigInt(row?.reserve0 ?? 0) - amount0)).toBeLessThan(1e6)
    expect(Number(BigInt(row?.reserve1 ?? 0) - amount1)).toBeLessThan(1e6)
    const price = 1 / (Number(pool.state.root) / 2 ** 96) ** 2
    expect(Number(row?.price)).toBeCloseTo(price, 12)
    const [token] = await rows<{ price_usd: number; launchpad: string }>(
      'SELECT price_usd, launchpad FROM token WHERE address = $1',
      [TOKEN],
    )
    expect(token?.price_usd).toBeCloseTo(price * 2_000, 8)
    expect(token?.launchpad).toBe('uniswap_v4')
  })

  test('gives its trades and liquidity events to the signer, and no transfer besides', async () => {
    const market = openMarket()
    const pool = managedPool(market)
    pool.modify(alice, L)
    const bought = pool.buy(bob, E18)
    pool.modify(alice, -L / 2n)
    market.mine()
    await write(market)
    expect(await rows(EVENTS)).toMatchObject([
      { type: 2, wallet: alice },
      { type: 1, direction: 1, wallet: bob, quantity: Number(bought) / 1e18, amount_usd: 2_000 },
      { type: 3, wallet: alice },
    ])
    const transfers = await rows(
      `SELECT 1 FROM event e JOIN token t ON t.id = e.token_id WHERE t.address = $1 AND e.type = 4
      AND e.block_number = 1`,
      [TOKEN],
    )
    expect(transfers).toEqual([])
    const shares = await rows(
      `SELECT w.address, p.balance FROM position p JOIN wallet w ON w.id = p.wallet_id JOIN token t ON t.id = p.token_id
       WHERE t.address = $1 AND p.balance > 0`,
      [POOL],
    )
    expect(shares).toEqual([{ address: alice, balance: `${L / 2n}` }])
  })

  test('gives a trade inside an ERC-4337 operation to its sender, and keeps who signed', async () => {
    const market = openMarket()
    const pool = managedPool(market)
    pool.modify(alice, L)
    market.mine()
    market.tx(bob, ENTRY_POINT, (emit) => {
      const after = { sqrtPriceX96: pool.state.root, liquidity: L, tick: TICK, fee: FEE }
      emit(MANAGER, { kind: 'v4_swap', pool: POOL, sender: ROUTER, amount0: E18, amount1: -E18, ...after })
      emit(ENTRY_POINT, { kind: 'user_operation', sender: smartAccount })
    })
    market.mine()
    await write(market)
    expect(
      await rows(
        `${EVENTS.replace('w.address AS wallet', 'w.address AS wallet, e.attribution, s.address AS signer').replace('JOIN token', 'LEFT JOIN wallet s ON s.id = e.signer_id JOIN token')}`,
      ),
    ).toMatchObject([
      { type: 2, wallet: alice, attribution: null, signer: null },
      { type: 1, wallet: smartAccount, attribution: 1, signer: bob },
    ])
  })

  test('belongs to the hook where the hook itself provides, and the swaps that it sends are no trades', async () => {
    const market = openMarket()
    const pool = managedPool(market, HOOK)
    pool.modify(alice, L, HOOK)
    pool.buy(bob, E18 / 10n, HOOK)
    market.mine()
    await write(market)
    expect(await rows(EVENTS)).toMatchObject([{ type: 2, wallet: HOOK }])
    expect(await poolRow()).toMatchObject({ hooks: HOOK })
  })

  test('has no trade of a swap that the hook of another pool of the transaction sends', async () => {
    const market = openMarket()
    const pool = managedPool(market)
    pool.modify(alice, L)
    const hooked = `0x${'cd'.repeat(32)}` as Address
    market.tx(alice, POSITIONS, (emit) => {
      const fields = { token0: ZERO_ADDRESS, token1: TOKEN, fee: FEE, tickSpacing: 200, hooks: HOOK, rights: 0 }
      emit(MANAGER, { kind: 'v4_initialize', pool: hooked, ...fields, sqrtPriceX96: pool.state.root })
    })
    market.mine()
    market.tx(bob, ROUTER, (emit) => {
      const after = { sqrtPriceX96: pool.state.root, liquidity: L, tick: TICK, fee: FEE }
      const swap = (of: Address, sender: Address, tokens: bigint) => {
        const amounts = { amount0: tokens / 1_000n, amount1: -tokens }
        emit(MANAGER, { kind: 'v4_swap', pool: of, sender, ...amounts, ...after })
      }
      swap(hooked, ROUTER, 5n * E18)
      swap(POOL, HOOK, E18)
      swap(POOL, ROUTER, 3n * E18)
      emit(TOKEN, { kind: 'transfer', from: MANAGER, to: bob, amount: 8n * E18 })
    })
    market.mine()
    await write(market)
    expect(await rows(EVENTS)).toMatchObject([
      { type: 2 },
      { type: 1, wallet: bob, quantity: 5 },
      { type: 1, wallet: bob, quantity: 3 },
    ])
  })

  test('has no price and no liquidity where its hooks settle swaps by a curve of their own', async () => {
    const market = openMarket()
    const pool = managedPool(market, HOOK, 1 << 3)
    pool.modify(alice, L)
    pool.buy(bob, E18)
    market.mine()
    await write(market)
    expect(await poolRow()).toMatchObject({ reserve0: '0', reserve1: '0', price: 0, liquidity_usd: 0 })
    const [token] = await rows('SELECT price_usd FROM token WHERE address = $1', [TOKEN])
    expect(token).toEqual({ price_usd: 0 })
  })

  test('is empty, never below zero, after all liquidity was taken', async () => {
    const market = openMarket()
    const pool = managedPool(market)
    pool.modify(alice, L)
    for (let i = 0; i < 5; i++) pool.buy(bob, E18)
    pool.modify(alice, -L)
    market.mine()
    await write(market)
    const row = await poolRow()
    for (const reserve of [row?.reserve0, row?.reserve1].map((text) => Number(text))) {
      expect(reserve).toBeGreaterThanOrEqual(0)
      expect(reserve).toBeLessThan(1e6)
    }
  })

  test('of another contract that logs as a manager is not believed', async () => {
    const market = openMarket()
    market.tx(bob, ROUTER, (emit) => {
      const fields = {
        pool: POOL,
        token0: USDC,
        token1: TOKEN,
        fee: FEE,
        tickSpacing: 60,
        hooks: ZERO_ADDRESS,
        rights: 0,
      }
      emit(ROUTER, { kind: 'v4_initialize', ...fields, sqrtPriceX96: 1n << 96n })
    })
    market.mine()
    await write(market)
    expect(await poolRow()).toBeUndefined()
  })

  test('that is older than the start block has no amounts of its changes while nobody knows its price: before its first swap', async () => {
    const market = openMarket()
    const pool = managedPool(market, ZERO_ADDRESS, 0, true)
    pool.modify(alice, L)
    market.mine()
    pool.buy(bob, E18)
    pool.modify(alice, L)
    market.mine()
    const older: PoolMetadata = {
      kind: 'v4',
      factory: MANAGER,
      launchpad: 'uniswap_v4',
      token0: WETH,
      token1: TOKEN,
      fee: FEE,
      stable: false,
      hooks: null,
      hookRights: 0,
      tickSpacing: 60,
      reserve0: 0n,
      reserve1: 0n,
      sqrtPriceX96: null,
      shares: 0n,
    }
    const { reader, blocks } = market
    const readPools: typeof reader.readPools = async (addresses) =>
      new Map(addresses.map((address) => [address, address === POOL ? older : null]))
    const writer = await openWriter(database, { ...reader, readPools }, { preset })
    for (const block of blocks) await appendFinal(writer, [block])
    const [amount0] = amountsOfRange(pool.state.root, ...pool.range, L)
    const events = await rows<{ type: number; quantity: number }>(EVENTS)
    expect(events.map(({ type }) => type)).toEqual([1, 2])
    expect(Number(BigInt((await poolRow())?.reserve0 ?? 0)) / Number(amount0)).toBeLessThan(2)
    const shares = await rows(
      `SELECT p.balance FROM position p JOIN token t ON t.id = p.token_id JOIN wallet w ON w.id = p.wallet_id
       WHERE t.address = $1 AND w.address = $2`,
      [POOL, alice],
    )
    expect(shares).toEqual([{ balance: `${2n * L}` }])
  })

  test('gives the same rows however its blocks are batched', async () => {
    const market = openMarket()
    const pool = managedPool(market)
    market.mine()
    pool.modify(alice, L)
    market.mine()
    pool.buy(bob, E18)
    market.mine()
    pool.modify(alice, -L / 3n)
    market.mine()
    const lock = await acquireWriter({ database })
    onTestFinished(() => lock.release())
    await appendFinal(await startAnew(lock, market.reader, { preset }), market.blocks)
    const atOnce = await dumpTables(database.pool)
    const writer = await startAnew(lock, market.reader, { preset })
    for (const block of market.blocks) await appendFinal(writer, [block])
    expect(await dumpTables(database.pool)).toEqual(atOnce)
  })
})
