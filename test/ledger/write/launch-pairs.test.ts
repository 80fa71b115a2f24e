// Tokens that a launch venue sells at pairs of its own, for another token (Virtuals), written by the real writer.
import { describe, expect, test } from 'vitest'
import { type Address, ZERO_ADDRESS } from '../../../src/base/address.ts'
import type { Preset } from '../../../src/chain/presets/preset.ts'
import {
  addressOf,
  addSides,
  createQuotedMarket,
  type Market,
  marketPreset,
  WETH,
  wallet,
} from '../../support/blocks.ts'
import { createTestDatabase } from '../../support/database.ts'
import { appendFinal, openWriter } from '../../support/writing.ts'

const VENUE = addressOf('bonding', 1)
const ROUTER = addressOf('frouter', 1)
const PAIR = addressOf('fpair', 1)
const QUOTE = addressOf('hub', 1)
const TOKEN = addressOf('token', 1)
const [alice, bob] = [wallet(1), wallet(2)]
const E18 = 10n ** 18n
const SUPPLY = 1_000_000_000n * E18
/** Of the quote, at the start: nobody paid it. */
const VIRTUAL = 3_000n * E18

const preset: Preset = {
  ...marketPreset,
  hubs: [QUOTE],
  factories: [...marketPreset.factories, { address: VENUE, kind: 'virtuals', launchpad: 'virtuals', quote: QUOTE }],
}

const database = await createTestDatabase()

const rows = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await database.pool.query<Row>(text, values)).rows

/** WETH at 2,000 USDC, the quote at one dollar, and the token for sale at its pair. */
function launch(): Market {
  const { market } = createQuotedMarket(alice)
  for (const token of [QUOTE, TOKEN]) market.token(token)
  market.mint(QUOTE, alice, 1_000_000n * E18)
  const hub = market.createPool(alice, QUOTE, WETH)
  addSides(market, hub, alice, QUOTE, 200_000n * E18, 100n * E18)
  market.mine()
  market.tx(alice, VENUE, (emit) => {
    market.move(emit, TOKEN, ZERO_ADDRESS, PAIR, SUPPLY)
    emit(PAIR, { kind: 'pair_reserves', reserve0: SUPPLY, reserve1: VIRTUAL })
    emit(VENUE, { kind: 'pair_launched', token: TOKEN, pool: PAIR })
  })
  market.mine()
  return market
}

/** Buys at the pair by its own formula. Returns the received amount. */
function buy(market: Market, by: Address, paid: bigint, sold: bigint, raised: bigint): bigint {
  const after = (SUPPLY * VIRTUAL) / (VIRTUAL + raised + paid)
  const out = SUPPLY - sold - after
  market.tx(by, VENUE, (emit) => {
    market.move(emit, QUOTE, by, PAIR, paid)
    market.move(emit, TOKEN, PAIR, by, out)
    emit(PAIR, { kind: 'pair_swap', amount0In: 0n, amount0Out: out, amount1In: paid, amount1Out: 0n })
  })
  return out
}

const write = async (market: Market) =>
  appendFinal(await openWriter(database, market.reader, { preset }), market.blocks)
const tokenRow = async () => (await rows<Record<string, never>>('SELECT * FROM token WHERE address = $1', [TOKEN]))[0]

describe('a token that is sold at a pair of its venue', () => {
  test('has the price of the pair, and only the paid-in quote as its liquidity', async () => {
    const market = launch()
    market.transfer(QUOTE, alice, bob, 3_000n * E18)
    market.mine()
    const out = buy(market, bob, 3_000n * E18, 0n, 0n)
    market.mine()
    await write(market)
    // Half is sold: 6,000 over 500 million.
    const token = await tokenRow()
    expect(token).toMatchObject({ launchpad: 'virtuals', price_hops: 2 })
    expect(Number(token?.price_usd)).toBeCloseTo(6_000 / 500_000_000, 12)
    expect(Number(token?.liquidity_usd)).toBeCloseTo(3_000, 3)
    expect(out).toBe(SUPPLY / 2n)
    const trades = await rows(
      `SELECT t.address AS token, w.address AS wallet, e.direction, e.amount_usd AS usd FROM event e JOIN token t ON t.id = e.token_id
       JOIN wallet w ON w.id = e.wallet_id WHERE e.type = 1 ORDER BY e.n`,
    )
    expect(trades).toEqual([
      { token: TOKEN, wallet: bob, direction: 1, usd: 3_000 },
      { token: QUOTE, wallet: bob, direction: 2, usd: 3_000 },
    ])
  })

  test('goes on with the pool of the exchange when it graduates, and nobody has removed anything', async () => {
    const market = launch()
    const out = buy(market, alice, 30_000n * E18, 0n, 0n)
    market.mine()
    const pool = market.createPool(alice, TOKEN, QUOTE)
    const isFirst = market.pool(pool).token0 === TOKEN
    market.tx(alice, VENUE, (emit) => {
      market.move(emit, QUOTE, PAIR, alice, 30_000n * E18)
      market.move(emit, TOKEN, PAIR, alice, SUPPLY - out)
      emit(VENUE, { kind: 'pair_closed', token: TOKEN })
    })
    const [tokens, paid] = [SUPPLY - out, 30_000n * E18]
    market.add(pool, alice, isFirst ? tokens : paid, isFirst ? paid : tokens)
    market.mine()
    await write(market)
    const [pair] = await rows<{ reserve1: string; liquidity_usd: number }>(
      'SELECT reserve1, liquidity_usd FROM pool WHERE address = $1',
      [PAIR],
    )
    expect(pair).toEqual({ reserve1: '0', liquidity_usd: 0 })
    const token = await tokenRow()
    expect(Number(token?.price_usd)).toBeCloseTo(30_000 / Number(tokens / E18), 9)
    expect(await rows('SELECT 1 FROM pool_day WHERE removal_count > 0')).toEqual([])
  })

  test('is not known where another contract says so, or its pair logs without being announced', async () => {
    const market = launch()
    const other = addressOf('fpair', 2)
    market.tx(bob, ROUTER, (emit) => {
      emit(ROUTER, { kind: 'pair_launched', token: QUOTE, pool: other })
      emit(other, { kind: 'pair_swap', amount0In: 0n, amount0Out: E18, amount1In: E18, amount1Out: 0n })
    })
    market.mine()
    await write(market)
    expect(await rows('SELECT 1 FROM pool WHERE address = $1', [other])).toEqual([])
    expect(await rows('SELECT 1 FROM event WHERE type = 1')).toEqual([])
  })
})
