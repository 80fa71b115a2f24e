// What a token is worth, from its pools and its supply, as rows and as GraphQL shows them.
import { beforeAll, describe, expect, test } from 'vitest'
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
import { createTestDatabase, type TestDatabase } from '../../support/database.ts'
import { openGraph, SOMEBODY } from '../../support/graph.ts'
import { appendFinal, openWriter } from '../../support/writing.ts'

const [alice, bob] = [wallet(1), wallet(2)]
const TOKEN = addressOf('token', 1)
const usdc = (n: number) => BigInt(Math.round(n * 1e6))
const eth = (n: number) => BigInt(Math.round(n * 1e6)) * 10n ** 12n

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})

/** WETH at 2,000 USDC in a deep pair, and TOKEN, of which alice has a million. */
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

  test('leaves out what was burned and what lies with a locker; the fully diluted value leaves out the burned alone', async () => {
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
    expect(await ask(FIELDS)).toMatchObject({
      fdvUsd: null,
      capToLiquidity: null,
      supply: null,
      burned: null,
      locked: null,
      circulatingSupply: null,
    })
  })
})
