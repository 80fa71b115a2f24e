// An index that starts long after its pools were created. Its swaps, dollars and last prices must equal those of the V3
// pools' own logs from the start block on. It runs for a real day of Ethereum, and for the demo chain's last week. One
// node keeps old state, and one has pruned it. The expected values are decoded with viem.
import { decodeEventLog, parseAbi } from 'viem'
import { describe, expect, test } from 'vitest'
import { toAddress } from '../../src/base/address.ts'
import { systemClock } from '../../src/base/clock.ts'
import { leastReserves, spacingOf } from '../../src/book/prices/depth.ts'
import { createChainReader } from '../../src/chain/contracts/contracts.ts'
import type { Preset } from '../../src/chain/presets/preset.ts'
import { loadPreset } from '../../src/chain/presets/presets.ts'
import type { RawLog } from '../../src/chain/raw.ts'
import { createReplay } from '../../src/chain/replay/replay.ts'
import type { Call, Endpoint, RpcAnswer } from '../../src/chain/rpc/endpoint.ts'
import { RpcError } from '../../src/chain/rpc/error.ts'
import { createRpc } from '../../src/chain/rpc/rpc.ts'
import { createSource } from '../../src/chain/source/source.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { demoRecording } from '../support/demo.ts'
import { indexToHead } from '../support/live.ts'
import { createMainnetDay, hasMainnetDay, readMainnetDay } from '../support/mainnet-day.ts'

const ABI = parseAbi([
  'event Swap(address indexed sender, address indexed to, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)',
])

interface Told {
  swaps: number
  /** Raw units that went in or out. */
  volume0: bigint
  volume1: bigint
  /** Token 1 per token 0, raw. */
  ratio: number
}

/** Sums up the Swap logs of Uniswap V3, by pool. */
function readSwaps(logs: readonly Pick<RawLog, 'address' | 'topics' | 'data'>[]): Map<string, Told> {
  const pools = new Map<string, Told>()
  for (const { address, topics, data } of logs) {
    const decoded = decode(topics, data)
    if (!decoded) continue
    const { swaps, volume0, volume1 } = pools.get(address) ?? { swaps: 0, volume0: 0n, volume1: 0n }
    const { amount0, amount1, sqrtPriceX96 } = decoded
    const abs = (amount: bigint) => (amount < 0n ? -amount : amount)
    const ratio = (Number(sqrtPriceX96) / 2 ** 96) ** 2
    pools.set(address, { swaps: swaps + 1, volume0: volume0 + abs(amount0), volume1: volume1 + abs(amount1), ratio })
  }
  return pools
}

function decode(topics: readonly string[], data: string) {
  try {
    return decodeEventLog({ abi: ABI, topics: topics as [`0x${string}`], data: data as `0x${string}`, strict: true })
      .args
  } catch {
    return null
  }
}

/** Indexes the node's blocks from the preset's start block on. */
async function index(node: Endpoint, preset: Preset): Promise<TestDatabase> {
  const database = await createTestDatabase()
  const rpc = createRpc({ endpoints: [node], clock: systemClock, chainId: preset.chainId })
  const source = createSource({ rpc, preset, clock: systemClock })
  await indexToHead(database, { source, reader: createChainReader(rpc, preset), preset })
  return database
}

/** A pool as indexed: its swaps, its tokens, and the price of its base token. */
async function readPool({ pool }: TestDatabase, address: string) {
  const { rows } = await pool.query<{
    swaps: number
    quantity: number
    usd: number
    price: number
    priceUsd: number
    volume24h: number
    quote: string
    baseIs0: boolean
    /** Raw units of one whole token. */
    unit0: number
    unit1: number
  }>(
    `SELECT count(e.n)::int AS swaps, sum(e.quantity) AS quantity, sum(e.amount_usd) AS usd, p.price,
       b.price_usd AS "priceUsd", (b.volume_24h_micro_usd / 1e6)::float8 AS "volume24h", q.address AS quote,
       p.base_id = p.token0_id AS "baseIs0", 10::float8 ^ t0.decimals AS unit0, 10::float8 ^ t1.decimals AS unit1
     FROM pool p JOIN token b ON b.id = p.base_id JOIN token q ON q.id = p.quote_id
     JOIN token t0 ON t0.id = p.token0_id JOIN token t1 ON t1.id = p.token1_id
     JOIN event e ON e.pool_id = p.id AND e.type = 1
     WHERE p.address = $1 GROUP BY p.id, b.id, q.id, t0.id, t1.id`,
    [address],
  )
  if (!rows[0]) throw new Error(`no swap of ${address} is indexed`)
  return rows[0]
}

/** Expects the indexed pool to equal its logs. */
async function expectTold(database: TestDatabase, address: string, { swaps, volume0, volume1, ratio }: Told) {
  const row = await readPool(database, address)
  const [whole0, whole1] = [Number(volume0) / row.unit0, Number(volume1) / row.unit1]
  const price = (ratio * row.unit0) / row.unit1
  expect(row.swaps).toBe(swaps)
  expect(row.quantity / (row.baseIs0 ? whole0 : whole1)).toBeCloseTo(1, 9)
  expect(row.price / (row.baseIs0 ? price : 1 / price)).toBeCloseTo(1, 12)
  expect(row.priceUsd).toBeGreaterThan(0)
  return { ...row, quoted: row.baseIs0 ? whole1 : whole0 }
}

describe('the demo chain, indexed from its fourth week on,', () => {
  const recording = demoRecording()
  const head = recording.blocks.length - 1
  // Both pools of the native coin trade in it: until one does, nothing that is quoted in the coin has a price.
  const preset = { ...loadPreset(recording.chainId), startBlock: 5_707 }
  const told = readSwaps(recording.blocks.slice(preset.startBlock).flatMap(({ logs }) => logs))

  /** A node that has only the state of the newest block. */
  const forget = (node: Endpoint): Endpoint => ({
    name: 'pruned',
    send: async (calls) => {
      const answers = await node.send(calls)
      return answers.map((answer, i): RpcAnswer => {
        const { method, params } = calls[i] as Call
        const isOld = method === 'eth_call' && params[1] !== 'latest' && Number(params[1]) < head
        return isOld ? { error: new RpcError('pruned', 'missing trie node') } : answer
      })
    },
  })

  test.each([
    ['remembers old state', (node: Endpoint) => node],
    ['has forgotten it', forget],
  ])('agrees with its V3 logs through a node that %s', async (_, behind) => {
    const database = await index(behind(createReplay(recording)), preset)
    expect(told.size).toBe(3)
    for (const [address, swaps] of told) {
      const { quote, quoted, usd } = await expectTold(database, address, swaps)
      if (quote === preset.stablecoins[0]) expect(usd).toBeCloseTo(quoted, 5)
    }
  })

  test('never shows more liquidity in a swap than the pool holds', async () => {
    const reader = createChainReader(createRpc({ endpoints: [createReplay(recording)], clock: systemClock }), preset)
    let shown = 0
    for (const [block, { logs }] of recording.blocks.entries()) {
      const [log, another] = logs.filter(({ address }) => told.has(address))
      const swap = log && !another ? decode(log.topics, log.data) : null
      if (!log || !swap) continue
      const pool = (await reader.readPools([toAddress(log.address)], block)).get(toAddress(log.address))
      const least = leastReserves(spacingOf({ fee: pool?.fee ?? null, tickSpacing: null }), swap)
      expect(least[0] + least[1]).toBeGreaterThan(0n)
      expect(least[0]).toBeLessThanOrEqual(pool?.reserve0 ?? 0n)
      expect(least[1]).toBeLessThanOrEqual(pool?.reserve1 ?? 0n)
      shown += 1
    }
    expect(shown).toBeGreaterThan(100)
  })
})

describe.skipIf(!hasMainnetDay)('a real day of Ethereum (skipped where ../shared/data is absent)', () => {
  test('is indexed as its busiest V3 pool logged it, through a node without any old state', async () => {
    const preset = loadPreset(1)
    const day = readMainnetDay()
    expect(Math.floor(day[0].timestamp / 86_400)).toBe(Math.floor(day[1].timestamp / 86_400))
    const told = [...readSwaps(day.flatMap(({ receipts }) => receipts.flatMap(({ logs }) => logs)))]
    const [address, swaps] = told.sort(([, a], [, b]) => b.swaps - a.swaps)[0] as [string, Told]
    expect(swaps.swaps).toBeGreaterThanOrEqual(6)
    const database = await index(createMainnetDay(day, preset, address), { ...preset, startBlock: day[0].number })
    const { usd, quoted, price, priceUsd, volume24h } = await expectTold(database, address, swaps)
    expect([usd, volume24h]).toEqual([expect.closeTo(quoted, 5), expect.closeTo(quoted, 5)])
    expect(priceUsd).toBe(price)
  })
})
