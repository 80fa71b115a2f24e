// The definitions of docs/definitions.md, counted again from the demo's raw logs by code that shares nothing with the
// index. It covers every token whose only pools are V2 against the wrapped coin.
import { beforeAll, expect, test } from 'vitest'
import preset from '../../src/chain/presets/demo.json' with { type: 'json' }
import { createDemoDatabase, demoRecording } from '../support/demo.ts'
import { openGraph, SOMEBODY } from '../support/graph.ts'

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const PAIR_CREATED = '0x0d3648bd0f6ba80134a33ba9275ac585d9d315f0ad8355cddefde31afa28d0e9'
const SYNC = '0x1c411e9a96e071241c2f21f7726b17ae89e3cab4c78be50e062b03a9fffbbad1'
const ZERO = `0x${'0'.repeat(40)}`
const { wrappedNative, burnAddresses } = preset
const lockers = preset.lockers.map(({ address }) => address)

const { blocks, contracts } = demoRecording()
const addressOf = (word = '') => `0x${word.slice(-40)}`
const wordOf = (data: string, at: number) => BigInt(`0x${data.slice(2 + 64 * at, 66 + 64 * at)}`)

interface Pool {
  token: string
  isTokenFirst: boolean
  token0Held: bigint
  token1Held: bigint
}

/** By token: what each address holds. Pools by their address. */
const held = new Map<string, Map<string, bigint>>()
const pools = new Map<string, Pool>()
const factories = new Set(preset.factories.filter(({ kind }) => kind === 'v2').map(({ address }) => address))
const elsewhere = new Set<string>()
for (const { logs } of blocks)
  for (const { address, topics, data } of logs) {
    const [topic = '', first, second] = topics
    if (topic === PAIR_CREATED && factories.has(address)) {
      const pair = [addressOf(first), addressOf(second)]
      const token = pair.find((one) => one !== wrappedNative) ?? ''
      if (!pair.includes(wrappedNative)) for (const one of pair) elsewhere.add(one)
      const pool = { token, isTokenFirst: pair[0] === token, token0Held: 0n, token1Held: 0n }
      pools.set(addressOf(data.slice(0, 66)), pool)
    } else if (topic === SYNC) {
      const pool = pools.get(address)
      if (pool) Object.assign(pool, { token0Held: wordOf(data, 0), token1Held: wordOf(data, 1) })
    } else if (topic === TRANSFER && topics.length === 3) {
      const balances = held.get(address) ?? new Map<string, bigint>()
      held.set(address, balances)
      const move = (who: string, by: bigint) => balances.set(who, (balances.get(who) ?? 0n) + by)
      move(addressOf(first), -BigInt(data))
      move(addressOf(second), BigInt(data))
    }
  }

const whole = (raw: bigint, decimals: number) => Number(raw) / 10 ** decimals
const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)
const kept = (balances: Map<string, bigint>, who: readonly string[]) =>
  who.reduce((total, one) => total + (balances.get(one) ?? 0n), 0n)

interface Told {
  address: string
  symbol: string
  decimals: number | null
  priceUsd: number | null
  lastPriceUsd: number | null
  marketCapUsd: number | null
  liquidityUsd: number
  depth2PctUsd: number | null
  holderCount: number
  supply: number | null
  riskFlags: string[]
  pools: { nodes: { address: string }[] }
  score: { explanation: { dimensions: { inputs: { name: string; value: number | null }[] }[] } }
}
let tokens: Told[]
let coinUsd = 0

beforeAll(async () => {
  const graph = await openGraph(await createDemoDatabase())
  const { data } = await graph.execute(
    `{ tokens(first: 60) { nodes { address symbol decimals priceUsd lastPriceUsd marketCapUsd liquidityUsd depth2PctUsd
      holderCount supply riskFlags pools { nodes { address } } score { explanation { dimensions { inputs { name value } } } } } } }`,
    {},
    SOMEBODY,
  )
  const all = (data as { tokens: { nodes: Told[] } }).tokens.nodes
  coinUsd = all.find(({ address }) => address === wrappedNative)?.priceUsd ?? 0
  tokens = all.filter(({ address, pools: { nodes: own } }) => {
    return (
      own.length > 0 &&
      own.every((pool) => pools.has(pool.address)) &&
      address !== wrappedNative &&
      !elsewhere.has(address)
    )
  })
})

test('price, market cap, liquidity and depth follow from the last reserves of the pools', () => {
  let judged = 0
  for (const told of tokens) {
    const { decimals, symbol, address } = told
    const [own, ...more] = told.pools.nodes.flatMap((pool) => pools.get(pool.address) ?? [])
    if (decimals === null || told.priceUsd === null || own === undefined || more.length > 0) continue
    const [token, coins] = own.isTokenFirst ? [own.token0Held, own.token1Held] : [own.token1Held, own.token0Held]
    const inCoins = whole(coins, 18) / whole(token, decimals)
    // What a coin cost when the pool last changed.
    const thenUsd = (told.lastPriceUsd ?? 0) / inCoins
    const balances = held.get(address) ?? new Map<string, bigint>()
    const minted = -(balances.get(ZERO) ?? 0n)
    /** Dollars have six digits after the point, prices nine that mean something. */
    const near = (mine: number, theirs: number | null, dust = 2e-6) =>
      expect(Math.abs(mine - (theirs ?? 0)), `${symbol}: ${mine}, told ${theirs}`).toBeLessThan(dust + 1e-7 * mine)
    near(inCoins * coinUsd, told.priceUsd, 0)
    near(whole(minted, decimals), told.supply)
    const gone =
      kept(
        balances,
        burnAddresses.filter((one) => one !== ZERO),
      ) + kept(balances, lockers)
    // Hardly any tokens of a pulled pool can be sold at its price, because the pool can pay only its reserves.
    const most = told.riskFlags.includes('liquidity_pulled') ? whole(coins, 18) * coinUsd : Number.POSITIVE_INFINITY
    near(Math.min(whole(minted - gone, decimals) * inCoins * coinUsd, most), told.marketCapUsd)
    near(2 * whole(coins, 18) * thenUsd, told.liquidityUsd)
    near((Math.sqrt(1.02) - 1) * whole(coins, 18) * thenUsd, told.depth2PctUsd)
    judged++
  }
  expect(judged).toBeGreaterThanOrEqual(20)
})

test('holders are the addresses with a balance, and the exit share is the largest share of the pools in a free hand', () => {
  for (const {
    address,
    symbol,
    holderCount,
    pools: { nodes: own },
    score,
  } of tokens) {
    const balances = [...(held.get(address) ?? [])].filter(([who, raw]) => who !== ZERO && raw > 0n)
    expect(holderCount, symbol).toBe(balances.length)
    const inputs = score.explanation.dimensions.flatMap(({ inputs }) => inputs)
    const told = inputs.find(({ name }) => name === 'exitShare')?.value ?? 0
    const [pool] = own
    if (own.length !== 1 || pool === undefined) continue
    const shares = held.get(pool.address) ?? new Map<string, bigint>()
    const all = Number(-(shares.get(ZERO) ?? 0n))
    const isFree = (who: string) => !burnAddresses.includes(who) && !lockers.includes(who) && !(who in contracts)
    const largest = Math.max(0, ...[...shares].filter(([who]) => isFree(who)).map(([, raw]) => Number(raw)))
    expect(Math.abs(told - (all > 0 ? largest / all : 0)), symbol).toBeLessThan(2e-6)
  }
  expect(sum(tokens.map(({ holderCount }) => holderCount))).toBeGreaterThan(1_000)
})
