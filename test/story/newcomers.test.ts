// The demo's tokens of today's kinds: pools of a manager with and without hooks, positions that move, a hub, launch
// curves, a lock. Other accounts sign some of their trades, and the market's true traders are known.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toAddress } from '../../src/base/address.ts'
import { ATTRIBUTIONS } from '../../src/base/vocabulary.ts'
import { loadPreset } from '../../src/chain/presets/presets.ts'
import { DEMO_CHAIN_ID } from '../../src/chain/replay/demo.ts'
import type { TestDatabase } from '../support/database.ts'
import { createDemoDatabase, readDemoTruth } from '../support/demo.ts'
import { openGraph, SOMEBODY } from '../support/graph.ts'
import { CAST, DEAD, NEWCOMERS } from '../support/market/cast.ts'
import type { ProxyTrade } from '../support/market/world.ts'

const truth = readDemoTruth()
const addressOf = (symbol: string) => truth.tokens.find((token) => token.symbol === symbol)?.address
const YEAR_MS = 365 * 86_400_000

interface SwapRow {
  block: number
  transaction: string
  trader: string
  signer: string
  attribution: string
}

describe('the demo chain', () => {
  let database: TestDatabase
  let graph: Awaited<ReturnType<typeof openGraph>>

  beforeAll(async () => {
    database = await createDemoDatabase()
    graph = await openGraph(database)
  })
  afterAll(() => graph.head.stop())

  // biome-ignore lint/suspicious/noExplicitAny: answers are looked at by path
  const ask = async (symbol: string, fields: string): Promise<any> => {
    const { data } = await graph.execute(`{ token(address: "${addressOf(symbol)}") { ${fields} } }`, {}, SOMEBODY)
    return (data as { token: unknown }).token
  }

  test('has at least 45 tokens', () => {
    expect(truth.tokens.length).toBeGreaterThanOrEqual(45)
  })

  test('shows the rights of a pool’s hooks, and the unknown fields of one with its own curve', async () => {
    const pools = 'priceUsd pools { nodes { type hookRights feePct liquidityUsd base { symbol } } }'
    const plain = await ask('IRIS', pools)
    expect(plain.pools.nodes).toMatchObject([{ type: 'v4', hookRights: [], feePct: 0.3 }])
    const [surge, crest, prism] = [await ask('SURGE', pools), await ask('CREST', pools), await ask('PRISM', pools)]
    expect(surge.pools.nodes).toMatchObject([{ type: 'v4', hookRights: ['runs before each swap'], feePct: null }])
    expect(crest.pools.nodes).toMatchObject([
      { type: 'v4', hookRights: ['runs after each swap', 'takes a share of what a swap pays'] },
    ])
    for (const token of [plain, surge, crest, prism]) expect(token.priceUsd).toBeGreaterThan(0)
    expect(prism.pools.nodes).toHaveLength(2)
    const [own] = prism.pools.nodes.filter(({ hookRights }: { hookRights: string[] }) => hookRights.length > 0)
    expect(own).toMatchObject({ hookRights: ['runs before each swap', 'sets what a swap pays'], liquidityUsd: null })
  })

  test('gives a position to whoever holds its token: a friend, a treasury, a locker, nobody', async () => {
    const { rows } = await database.pool.query<{ owner: string }>(
      'SELECT DISTINCT w.address AS owner FROM position_token p JOIN wallet w ON w.id = p.owner_id WHERE p.liquidity > 0',
    )
    const owners = new Set(rows.map(({ owner }) => owner))
    for (const owner of [NEWCOMERS.treasury, CAST.locker, DEAD, NEWCOMERS.stewards[2]]) expect(owners).toContain(owner)
    const { treasury } = NEWCOMERS
    const nova = await ask('NOVA', 'score { explanation { dimensions { inputs { name value } } } }')
    const inputs = nova.score.explanation.dimensions.flatMap((one: { inputs: unknown[] }) => one.inputs)
    expect(inputs.find(({ name }: { name: string }) => name === 'exitShare').value).toBeCloseTo(1, 3)
    const { rows: held } = await database.pool.query(
      `SELECT p.balance > 0 AS "isHeld" FROM position p JOIN wallet w ON w.id = p.wallet_id JOIN token t ON t.id = p.token_id
       WHERE w.address = $1 AND t.kind = 'lp'`,
      [treasury],
    )
    expect(held).toEqual([{ isHeld: true }])
  })

  test('prices tokens that are quoted in a hub through the hub', async () => {
    expect(loadPreset(DEMO_CHAIN_ID).hubs).toEqual([addressOf('NEXUS')])
    const hub = await ask('NEXUS', 'priceUsd priceHops')
    expect(hub.priceHops).toBe(1)
    for (const symbol of ['WREN', 'LYNX', 'TAPIR']) {
      const { priceUsd, priceHops } = await ask(symbol, 'priceUsd priceHops')
      const { rows } = await database.pool.query<{ price: number }>(
        'SELECT p.price FROM pool p JOIN token t ON t.id = p.base_id WHERE t.address = $1',
        [addressOf(symbol)],
      )
      expect(priceHops).toBe(2)
      // The hub may have moved a little since the token's own last trade.
      const ratio = priceUsd / ((rows[0]?.price ?? 0) * hub.priceUsd)
      expect(ratio).toBeGreaterThan(0.95)
      expect(ratio).toBeLessThan(1.05)
    }
  })

  test('keeps one history of a token that graduated from its curve, and tells how far another one came', async () => {
    const fields = `launchpad priceUsd deployer { address } pools { nodes { type curveProgressPct liquidityUsd } }
      events(filter: { types: swap }, first: 200) { nodes { pool { type } } total }`
    const { pools, events, ...sprout } = await ask('SPROUT', fields)
    expect(sprout).toMatchObject({ launchpad: 'seedbed', deployer: { address: expect.stringMatching(/^0x/) } })
    expect(sprout.priceUsd).toBeGreaterThan(0)
    const kinds = new Set(events.nodes.map(({ pool }: { pool: { type: string } }) => pool.type))
    expect(kinds).toEqual(new Set(['curve', 'v2']))
    const curve = pools.nodes.find(({ type }: { type: string }) => type === 'curve')
    const pair = pools.nodes.find(({ type }: { type: string }) => type === 'v2')
    expect(curve).toMatchObject({ curveProgressPct: 100, liquidityUsd: 0 })
    expect(pair.liquidityUsd).toBeGreaterThan(10_000)
    const budlet = await ask('BUDLET', 'priceUsd pools { nodes { type curveProgressPct } }')
    expect(budlet.priceUsd).toBeGreaterThan(0)
    expect(budlet.pools.nodes).toHaveLength(1)
    expect(budlet.pools.nodes[0].curveProgressPct).toBeGreaterThan(5)
    expect(budlet.pools.nodes[0].curveProgressPct).toBeLessThan(95)
  })

  test('shows until when the liquidity of a launch is locked', async () => {
    const haven = await ask(
      'HAVEN',
      'createdAt pools { nodes { liquidityUsd locks { endsAt sharePct counts owner } } }',
    )
    const deepest = haven.pools.nodes.toSorted(
      (a: { liquidityUsd: number }, b: { liquidityUsd: number }) => b.liquidityUsd - a.liquidityUsd,
    )[0]
    const [lock] = deepest.locks
    expect(lock.counts).toBe(true)
    expect(lock.sharePct).toBeGreaterThan(90)
    const lockedMs = new Date(lock.endsAt).getTime() - new Date(haven.createdAt).getTime()
    expect(lockedMs / YEAR_MS).toBeCloseTo(1, 2)
  })

  test('says of every swap whose it was, whoever signed it', async () => {
    const { rows } = await database.pool.query<Omit<SwapRow, 'attribution'> & { attribution: number | null }>(
      `SELECT e.block_number AS block, '0x' || encode(e.tx_hash, 'hex') AS transaction, w.address AS trader,
         coalesce(s.address, w.address) AS signer, e.attribution
       FROM event e JOIN wallet w ON w.id = e.wallet_id LEFT JOIN wallet s ON s.id = e.signer_id WHERE e.type = 1`,
    )
    const swaps = rows.map((row): SwapRow => ({ ...row, attribution: ATTRIBUTIONS[row.attribution ?? 0] ?? '' }))
    const proxies = new Map(truth.proxies.map((proxy) => [proxy.transaction, proxy]))
    const wrong = swaps.filter(({ transaction, trader, signer }) => {
      const proxy = proxies.get(transaction)
      return proxy ? signer !== proxy.signer || !proxy.traders.includes(toAddress(trader)) : trader !== signer
    })
    expect(wrong).toEqual([])
    expect(swaps.length).toBeGreaterThan(6_000)
    const ways = (way: ProxyTrade['way']) => {
      const found = swaps.filter(({ transaction }) => proxies.get(transaction)?.way === way)
      return { count: found.length, attributions: new Set(found.map(({ attribution }) => attribution)) }
    }
    const told = new Set(swaps.map(({ transaction }) => transaction))
    expect(truth.proxies.filter(({ transaction }) => !told.has(transaction))).toEqual([])
    for (const [way, least] of [
      ['operation', 50],
      ['account', 3],
      ['relay', 8],
      ['settlement', 15],
    ] as const) {
      expect(ways(way).count).toBeGreaterThan(least)
      expect(ways(way).attributions).not.toContain('signer')
    }
  })
})
