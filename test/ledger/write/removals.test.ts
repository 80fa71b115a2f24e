// Liquidity that counts as removed for good, written by the real writer: not liquidity that the same transaction moves
// elsewhere.
import { describe, expect, test } from 'vitest'
import type { Address } from '../../../src/base/address.ts'
import { rootAtTick } from '../../../src/book/prices/tick-math.ts'
import { addressOf, createQuotedMarket, type Emit, type Market, WETH, wallet } from '../../support/blocks.ts'
import { createTestDatabase } from '../../support/database.ts'
import { appendFinal, openWriter } from '../../support/writing.ts'

const TOKEN = addressOf('token', 1)
const MIGRATOR = addressOf('migrator', 1)
const alice = wallet(1)
const E18 = 10n ** 18n
const POOLED = 100n * E18

const database = await createTestDatabase()

/** WETH at 2,000 USDC, and TOKEN in a pair and in a V3 pool with WETH. Alice holds all liquidity. */
function openMarket() {
  const { market } = createQuotedMarket(alice, { coins: 3_000n })
  market.token(TOKEN)
  market.mint(TOKEN, alice, 1_000_000n * E18)
  const pair = market.createPool(alice, TOKEN, WETH)
  market.add(pair, alice, POOLED, POOLED)
  const ranged = market.createPool(alice, TOKEN, WETH, 'v3')
  market.tx(alice, ranged, (emit) => emit(ranged, { kind: 'v3_initialize', sqrtPriceX96: rootAtTick(0), tick: 0 }))
  market.mine()
  return { market, pair, ranged }
}

const range = (tickLower: number, tickUpper: number, liquidity: bigint, amount: bigint, base = amount) => ({
  owner: alice,
  tickLower,
  tickUpper,
  liquidity,
  ...(TOKEN < WETH ? { amount0: base, amount1: amount } : { amount0: amount, amount1: base }),
})

function addRange(market: Market, emit: Emit, pool: Address, amount: bigint, base = amount) {
  if (base > 0n) market.move(emit, TOKEN, alice, pool, base)
  if (amount > 0n) market.move(emit, WETH, alice, pool, amount)
  emit(pool, { kind: 'v3_mint', ...range(-600, 600, E18, amount, base) })
}

function removeRange(market: Market, emit: Emit, pool: Address, amount: bigint) {
  emit(pool, { kind: 'v3_burn', ...range(-887220, 887220, E18, amount) })
  market.move(emit, TOKEN, pool, alice, amount)
  market.move(emit, WETH, pool, alice, amount)
}

/** All of the pair's liquidity that alice has, within a transaction. */
function removePair(market: Market, emit: Emit, pair: Address) {
  const shares = market.balance(pair, alice)
  const { token0, token1, reserve0, reserve1 } = market.pool(pair)
  const supply = market.supply(pair)
  const [amount0, amount1] = [(reserve0 * shares) / supply, (reserve1 * shares) / supply]
  market.move(emit, pair, alice, pair, shares)
  market.move(emit, token0, pair, alice, amount0)
  market.move(emit, token1, pair, alice, amount1)
  emit(pair, { kind: 'v2_sync', reserve0: reserve0 - amount0, reserve1: reserve1 - amount1 })
  emit(pair, { kind: 'v2_burn', to: alice, amount0, amount1 })
}

const written = async (market: Market) => {
  await appendFinal(await openWriter(database, market.reader), market.blocks)
  const { rows } = await database.pool.query<{ address: Address; kept: number; removals: number; pulled: number }>(
    `SELECT p.address, d.kept_fraction AS kept, d.removal_count AS removals, w.pulled_count AS pulled
     FROM pool_day d JOIN pool p ON p.id = d.pool_id JOIN token b ON b.id = p.base_id, wallet w
     WHERE w.address = '${alice}' AND b.address = '${TOKEN}' ORDER BY p.id`,
  )
  return rows
}

/** The protocol takes this much of the pool's fees: a log that is not read (CollectProtocol), and two transfers. */
function collectProtocol(market: Market, pool: Address, amount: bigint) {
  market.tx(wallet(3), addressOf('fee adapter', 1), (emit) => {
    market.move(emit, TOKEN, pool, addressOf('jar', 1), amount)
    market.move(emit, WETH, pool, addressOf('jar', 1), amount)
  })
  market.mine()
}

describe('fees that the protocol takes from a V3 pool', () => {
  test.each([
    ['a tenth', POOLED / 10n],
    ['nearly all', (POOLED * 97n) / 100n],
  ])('are no removed liquidity, also where they are %s of what it holds', async (_, fees) => {
    const { market, ranged } = openMarket()
    market.tx(alice, MIGRATOR, (emit) => addRange(market, emit, ranged, POOLED))
    market.mine()
    collectProtocol(market, ranged, fees)
    market.tx(alice, MIGRATOR, (emit) => removeRange(market, emit, ranged, POOLED / 1000n))
    market.mine()
    const days = await written(market)
    expect(days.every(({ pulled, kept }) => pulled === 0 && kept > 0.9)).toBe(true)
    const { rows } = await database.pool.query<{ reserve: number; events: number; removals: number }>(
      `SELECT (CASE WHEN t.address = '${WETH}' THEN p.reserve0 ELSE p.reserve1 END / 1e18)::float8 AS reserve,
         (SELECT count(*)::int FROM event e WHERE e.pool_id = p.id AND e.type IN (2, 3)) AS events,
         (SELECT count(*)::int FROM wallet WHERE pulled_count > 0) AS removals
       FROM pool p JOIN token t ON t.id = p.token0_id WHERE p.address = '${ranged}'`,
    )
    const left = Number(POOLED - fees - POOLED / 1000n) / 1e18
    expect(rows).toEqual([{ reserve: left, events: 2, removals: 0 }])
  })
})

describe('liquidity that leaves a pool', () => {
  test('and does not come back in the transaction counts as removed, and as pulled by its owner', async () => {
    const { market, pair } = openMarket()
    market.tx(alice, MIGRATOR, (emit) => removePair(market, emit, pair))
    market.mine()
    const [day] = await written(market)
    expect(day).toMatchObject({ address: pair, removals: 1, pulled: 1 })
    expect(day?.kept).toBeLessThan(1e-9)
  })

  test('leaves a market cap of what the pool can still pay, until its puller brings it back', async () => {
    const { market } = createQuotedMarket(alice, { coins: 3_000n })
    const [bob, rare] = [wallet(2), addressOf('token', 2)]
    market.token(rare)
    for (const one of [alice, bob]) market.mint(rare, one, 500n * E18)
    market.mint(WETH, bob, POOLED)
    const pair = market.createPool(alice, rare, WETH)
    market.add(pair, alice, POOLED, POOLED)
    market.add(pair, bob, 4n * E18, 4n * E18)
    market.mine()
    const writer = await openWriter(database, market.reader)
    const capOf = async () => {
      await appendFinal(writer, market.blocks)
      const { rows } = await database.pool.query<{ cap: number; pullers: number }>(
        'SELECT market_cap_usd AS cap, puller_count AS pullers FROM token WHERE address = $1',
        [rare],
      )
      return { pullers: rows[0]?.pullers, cap: Math.round((rows[0]?.cap ?? 0) / 100) * 100 }
    }
    const whole = 2_000 * 1_000
    expect(await capOf()).toEqual({ pullers: 0, cap: whole })
    market.tx(alice, MIGRATOR, (emit) => removePair(market, emit, pair))
    market.mine()
    expect(await capOf()).toEqual({ pullers: 1, cap: 8_000 })
    market.add(pair, alice, 60n * E18, 60n * E18)
    market.mine()
    expect(await capOf()).toEqual({ pullers: 0, cap: whole })
  })

  test('and goes into another range of the pool in the same transaction is moved, not removed', async () => {
    const { market, ranged } = openMarket()
    market.tx(alice, MIGRATOR, (emit) => addRange(market, emit, ranged, POOLED))
    market.mine()
    market.tx(alice, MIGRATOR, (emit) => {
      removeRange(market, emit, ranged, POOLED)
      addRange(market, emit, ranged, POOLED)
    })
    market.mine()
    expect((await written(market)).map(({ removals, pulled }) => ({ removals, pulled }))).toEqual([
      { removals: 0, pulled: 0 },
      { removals: 0, pulled: 0 },
    ])
  })

  test('and goes into another pool of the token in the same transaction is migrated, not removed', async () => {
    const { market, pair, ranged } = openMarket()
    market.tx(alice, MIGRATOR, (emit) => {
      removePair(market, emit, pair)
      addRange(market, emit, ranged, POOLED)
    })
    market.mine()
    expect((await written(market)).map(({ removals, pulled }) => ({ removals, pulled }))).toEqual([
      { removals: 0, pulled: 0 },
      { removals: 0, pulled: 0 },
    ])
  })

  test('and comes back in part counts as removed by the rest', async () => {
    const { market, ranged } = openMarket()
    market.tx(alice, MIGRATOR, (emit) => addRange(market, emit, ranged, POOLED))
    market.mine()
    market.tx(alice, MIGRATOR, (emit) => {
      removeRange(market, emit, ranged, POOLED)
      addRange(market, emit, ranged, POOLED / 4n)
    })
    market.mine()
    const days = await written(market)
    expect(days.find(({ address }) => address === ranged)).toMatchObject({ kept: 0.25, removals: 1 })
  })

  test('is removed when only the token itself comes back, because its creator has any amount of it', async () => {
    const { market, ranged } = openMarket()
    market.tx(alice, MIGRATOR, (emit) => addRange(market, emit, ranged, POOLED))
    market.mine()
    market.tx(alice, MIGRATOR, (emit) => {
      removeRange(market, emit, ranged, POOLED)
      addRange(market, emit, ranged, 0n, 900n * E18)
    })
    market.mine()
    const days = await written(market)
    expect(days.find(({ address }) => address === ranged)).toMatchObject({ kept: 0, removals: 1 })
  })
})
