// The numbers of docs/definitions.md and docs/scores.md, computed a second way from the demo chain's events.
import { beforeAll, expect, test } from 'vitest'
import { RELAYER_ACTS } from '../../src/book/rows/new-rows.ts'
import type { TestDatabase } from '../support/database.ts'
import { createDemoDatabase, demoRecording, readDemoTruth } from '../support/demo.ts'
import { openGraph, SOMEBODY } from '../support/graph.ts'

let database: TestDatabase
// biome-ignore lint/suspicious/noExplicitAny: an answer is whatever was asked
let ask: (query: string) => Promise<any>
beforeAll(async () => {
  database = await createDemoDatabase()
  const graph = await openGraph(database)
  ask = async (query) => (await graph.execute(query, {}, SOMEBODY)).data
})

interface Input {
  name: string
  value: number | null
}

test('tradingHours7d are the hours of the clock with a swap, of the 168 that end with that of the score', async () => {
  const { tokens } =
    await ask(`{ tokens(first: 200) { nodes { address score { dimensions { washTradeScore } explanation { measuredAt
    dimensions { inputs { name value } } } } } } }`)
  const { rows } = await database.pool.query<{ address: string; hours: number[] }>(
    `SELECT t.address, array_agg(DISTINCT floor(date_part('epoch', e.time) / 3600)::int) AS hours
      FROM event e JOIN token t ON t.id = e.token_id WHERE e.direction IS NOT NULL GROUP BY 1`,
  )
  const hoursOf = new Map(rows.map(({ address, hours }) => [address, hours]))
  let judged = 0
  for (const { address, score } of tokens.nodes) {
    const { measuredAt, dimensions } = score.explanation
    const inputs: Input[] = dimensions.flatMap(({ inputs }: { inputs: Input[] }) => inputs)
    const told = inputs.find(({ name }) => name === 'tradingHours7d')?.value
    if (told === undefined || told === null) continue
    if (score.dimensions.washTradeScore > 0) {
      // Hours in which washers alone traded are none.
      expect(told, address).toBeLessThan(hoursOf.get(address)?.length ?? 0)
      continue
    }
    const current = new Date(measuredAt).getTime() / 3_600_000
    const traded = (hoursOf.get(address) ?? []).filter((hour) => hour <= current && hour > current - 168)
    expect(told, address).toBe(traded.length)
    judged += 1
  }
  expect(judged).toBeGreaterThan(40)
})

test('the profit of every wallet is the sum of that of its positions and of its shares of pools', async () => {
  type Part = { openUsd: number | null; realisedUsd: number; costUsd: number }
  let providers = 0
  let judged = 0
  for (let offset = 0; ; offset += 50) {
    const { wallets } =
      await ask(`{ wallets(first: 50, offset: ${offset}, orderBy: { field: realised_usd }) { total nodes {
      address pnl { openUsd realisedUsd } positions(status: all, first: 200) { total nodes { openUsd realisedUsd costUsd } }
      liquidityPositions { pool { address } valueUsd uncostedUsd openUsd realisedUsd costUsd sharePct isLocked } } } }`)
    for (const { address, pnl, positions, liquidityPositions } of wallets.nodes) {
      expect(positions.total).toBeLessThanOrEqual(200)
      const parts: Part[] = [...positions.nodes, ...liquidityPositions]
      const total = (of: (part: Part) => number) => parts.reduce((sum, part) => sum + of(part), 0)
      // One without a price is worth nothing.
      expect(pnl.openUsd, address).toBeCloseTo(
        total(({ openUsd, costUsd }) => openUsd ?? -costUsd),
        3,
      )
      expect(pnl.realisedUsd, address).toBeCloseTo(
        total(({ realisedUsd }) => realisedUsd),
        3,
      )
      for (const { valueUsd, uncostedUsd, costUsd, openUsd } of liquidityPositions)
        expect(openUsd, address).toBeCloseTo(valueUsd - uncostedUsd - costUsd, 3)
      if (liquidityPositions.length > 0) providers += 1
      judged += 1
    }
    if (offset + 50 >= wallets.total) break
  }
  expect(judged).toBeGreaterThan(300)
  expect(providers).toBeGreaterThan(20)
})

test('shares of a pool that a locker keeps stand among the liquidity of who locked them', async () => {
  const { wallet } =
    await ask(`{ wallets(first: 1) { total } wallet: wallets(first: 200, orderBy: { field: realised_usd }) {
    nodes { portfolio(limit: 1) { valueUsd } liquidityPositions { isLocked sharePct valueUsd costUsd pool { address } } } } }`)
  const locked = wallet.nodes.flatMap(({ liquidityPositions }: { liquidityPositions: { isLocked: boolean }[] }) =>
    liquidityPositions.filter(({ isLocked }) => isLocked),
  )
  expect(locked.length).toBeGreaterThan(0)
  for (const { sharePct, pool } of locked) {
    expect(sharePct).toBeGreaterThan(0)
    expect(sharePct).toBeLessThanOrEqual(100.000001)
    expect(pool.address).toMatch(/^0x/)
  }
})

test('a wallet was first seen before or with its first event, and never without one of its own', async () => {
  const { rows } = await database.pool.query<{ late: number; all: number }>(
    `SELECT count(*) FILTER (WHERE w.first_seen_at > e.first)::int AS late, count(*)::int AS all FROM wallet w
      CROSS JOIN LATERAL (SELECT min(time) AS first FROM event WHERE wallet_id = w.id OR counterparty_id = w.id) e
      WHERE w.indexed AND e.first IS NOT NULL`,
  )
  expect(rows[0]?.late).toBe(0)
  expect(rows[0]?.all).toBeGreaterThan(300)
})

test('dumped are the tokens that their developers sold, and not those with mere additions of their liquidity', async () => {
  const dumped = new Set(
    readDemoTruth()
      .tokens.filter(({ story }) => story === 'slow_dump')
      .map(({ address }) => address),
  )
  expect(dumped.size).toBeGreaterThan(1)
  const { tokens } = await ask(`{ tokens(first: 200) { nodes { address symbol deployer { score { explanation {
    dimensions { inputs { name value } } } } } } } }`)
  for (const { address, symbol, deployer } of tokens.nodes) {
    const inputs: Input[] = (deployer?.score.explanation?.dimensions ?? []).flatMap(
      ({ inputs }: { inputs: Input[] }) => inputs,
    )
    const told = inputs.find(({ name }) => name === 'dumpedTokens')?.value ?? 0
    expect([symbol, told > 0]).toEqual([symbol, dumped.has(address)])
  }
})

test('the size of trades beside the rest of a pulled pool is not shown: they are older than the pull', async () => {
  const { tokens } = await ask('{ tokens(first: 200) { nodes { symbol riskFlags reasons { text } } } }')
  const pulled = tokens.nodes.filter(({ riskFlags }: { riskFlags: string[] }) => riskFlags.includes('liquidity_pulled'))
  expect(pulled.length).toBeGreaterThanOrEqual(5)
  for (const { symbol, reasons } of pulled)
    for (const { text } of reasons) expect(text, symbol).not.toMatch(/average trade/)
})

test('a leaderboard by profit has no wallet that pulled liquidity, whatever its first class, unless it is asked for', async () => {
  const list = (filter: string) =>
    ask(
      `{ wallets(filter: { kinds: [account] ${filter} }, orderBy: { field: realised_usd }, first: 100) { nodes { classifications } } }`,
    )
  const isPuller = ({ classifications }: { classifications: string[] }) => classifications.includes('rug_puller')
  const [all, honest] = [await list('excludeClassifications: []'), await list('')]
  expect(all.wallets.nodes.some(isPuller)).toBe(true)
  expect((await list('classifications: [rug_puller]')).wallets.nodes.every(isPuller)).toBe(true)
  expect(honest.wallets.nodes.length).toBeGreaterThan(50)
  expect(honest.wallets.nodes.filter(isPuller)).toEqual([])
})

/** Raw logs that change balances, by topic: the topics of who gives and who gets. */
const MOVES: Readonly<Record<string, readonly number[]>> = {
  // Transfer, Deposit and Withdrawal.
  '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef': [1, 2],
  '0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c': [1],
  '0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65': [1],
}

test('a holder is one since the first log that changed its balance', async () => {
  const first = new Map<string, number>()
  for (const { time, logs } of demoRecording().blocks)
    for (const { address, topics, data } of logs)
      for (const at of /^0x0*$/.test(data) ? [] : (MOVES[topics[0] ?? ''] ?? [])) {
        const key = `${address} 0x${topics[at]?.slice(26)}`
        if (!first.has(key)) first.set(key, time)
      }
  const { rows } = await database.pool.query<{ token: string; wallet: string; since: number }>(
    `SELECT t.address AS token, w.address AS wallet, date_part('epoch', p.first_at)::int AS since FROM position p
      JOIN token t ON t.id = p.token_id JOIN wallet w ON w.id = p.wallet_id
      WHERE t.indexed AND t.kind = 'erc20' AND p.balance > 0`,
  )
  expect(rows.length).toBeGreaterThan(2_000)
  const wrong = rows.filter(({ token, wallet, since }) => first.get(`${token} ${wallet}`) !== since)
  expect(wrong).toEqual([])
})

test('the cap of a hollow token is half of its liquidity, which follows the quote since its last change', async () => {
  const { tokens } = await ask(
    '{ tokens(first: 200) { nodes { symbol marketCapUsd fdvUsd liquidityUsd priceUsd lastPriceUsd } } }',
  )
  const hollow = tokens.nodes.filter(
    ({ fdvUsd, priceUsd }: Record<string, number | null>) => fdvUsd === null && priceUsd !== null,
  )
  expect(hollow.map(({ symbol }: { symbol: string }) => symbol)).toContain('RUGD')
  for (const { symbol, marketCapUsd, liquidityUsd, priceUsd, lastPriceUsd } of hollow)
    expect(marketCapUsd, symbol).toBeCloseTo((liquidityUsd / 2) * (priceUsd / lastPriceUsd), 2)
})

interface Profit {
  address: string
  pnl: { coverage: number; confidence: string; confidenceGaps: string[] }
}

/** Every indexed wallet's answer. */
const readProfits = async (): Promise<Profit[]> => {
  const profits: Profit[] = []
  for (let offset = 0; ; offset += 50) {
    const { wallets } = await ask(
      `{ wallets(first: 50, offset: ${offset}, orderBy: { field: realised_usd }) { total nodes { address pnl { coverage confidence confidenceGaps } } } }`,
    )
    profits.push(...wallets.nodes)
    if (offset + 50 >= wallets.total) return profits
  }
}

test('the coverage of a profit counts what pools paid out for shares among the sales', async () => {
  const { rows } = await database.pool.query<{ address: string; known: number; out: number; traded: number }>(
    `SELECT w.address, sum(p.sold_known_usd) AS known, sum(p.sold_usd + coalesce(p.left_cost_usd, 0)) AS out,
        coalesce(sum(p.sold_usd + coalesce(p.left_cost_usd, 0)) FILTER (WHERE t.kind <> 'lp'), 0) AS traded
      FROM position p JOIN wallet w ON w.id = p.wallet_id JOIN token t ON t.id = p.token_id WHERE w.indexed GROUP BY 1`,
  )
  const sumsOf = new Map(rows.map((row) => [row.address, row]))
  let withShares = 0
  for (const { address, pnl } of await readProfits()) {
    const { known = 0, out = 0, traded = 0 } = sumsOf.get(address) ?? {}
    expect(pnl.coverage, address).toBeCloseTo(out > 0 ? Math.min(1, known / out) : 1, 6)
    if (out > traded) withShares += 1
  }
  expect(withShares).toBeGreaterThan(10)
})

test('a profit of liquidity alone is of medium confidence, and that of a wallet without either is low', async () => {
  const { rows } = await database.pool.query<{ address: string; swaps: boolean; shares: boolean; pulled: boolean }>(
    `SELECT w.address, bool_or(t.kind <> 'lp' AND p.bought_usd + p.sold_usd > 0) AS swaps,
        bool_or(t.kind = 'lp' AND (p.bought_usd + p.sold_usd > 0 OR p.realised_usd <> 0 OR p.cost_quantity > 0)) AS shares,
        bool_or(coalesce(p.pulled_usd, 0) > 0) AS pulled
      FROM position p JOIN wallet w ON w.id = p.wallet_id JOIN token t ON t.id = p.token_id WHERE w.indexed GROUP BY 1`,
  )
  const factsOf = new Map(rows.map((row) => [row.address, row]))
  const seen = { shares: 0, nothing: 0 }
  for (const { address, pnl } of await readProfits()) {
    const { swaps = false, shares = false, pulled = false } = factsOf.get(address) ?? {}
    if (swaps || pulled || pnl.coverage < 0.5) continue
    expect([address, pnl.confidence], address).toEqual([address, shares ? 'medium' : 'low'])
    expect(pnl.confidenceGaps, address).toContain('no_trades')
    seen[shares ? 'shares' : 'nothing'] += 1
  }
  expect(seen.shares).toBeGreaterThan(10)
  expect(seen.nothing).toBeGreaterThan(10)
})

test('a wallet is indexed once it is the wallet or the counterparty of an event, held an indexed token, or relays', async () => {
  const { rows } = await database.pool.query<{ address: string; indexed: boolean; named: boolean }>(
    `SELECT w.address, w.indexed, EXISTS (SELECT FROM event e WHERE e.wallet_id = w.id OR e.counterparty_id = w.id)
        OR EXISTS (SELECT FROM position p JOIN token t ON t.id = p.token_id WHERE p.wallet_id = w.id AND t.indexed)
        OR coalesce(w.relayed_count, 0) >= ${RELAYER_ACTS} AS named
      FROM wallet w`,
  )
  expect(rows.filter(({ indexed, named }) => indexed !== named)).toEqual([])
  expect(rows.filter(({ indexed }) => !indexed).length).toBeGreaterThan(0)
})

test('of shares whose token was received the base side has no cost, whatever part of the pool it is', async () => {
  const { rows } = await database.pool.query<{
    address: string
    pool: string
    free: number
    quote: number
    base: number
    kind: string
  }>(
    `SELECT w.address, l.address AS pool, p.free_shares / p.cost_quantity AS free, l.kind,
        (CASE WHEN l.quote_id = l.token0_id THEN l.reserve0 ELSE l.reserve1 END)::float8 / 10 ^ q.decimals AS quote,
        (CASE WHEN l.quote_id = l.token0_id THEN l.reserve1 ELSE l.reserve0 END)::float8 / 10 ^ b.decimals * l.price AS base
      FROM position p JOIN wallet w ON w.id = p.wallet_id JOIN pool l ON l.lp_token_id = p.token_id
      JOIN token q ON q.id = l.quote_id JOIN token b ON b.id = l.base_id
      WHERE p.free_shares > 0 AND p.cost_quantity > 0 AND l.liquidity_usd > 0 AND w.indexed`,
  )
  const kinds = new Set<string>()
  for (const { address, pool, free, quote, base, kind } of rows) {
    const { wallet } = await ask(
      `{ wallet(address: "${address}") { liquidityPositions(limit: 100) { pool { address poolId } valueUsd uncostedUsd } } }`,
    )
    const shown = wallet.liquidityPositions.find((each: { pool: { address: string; poolId: string | null } }) =>
      [each.pool.address, each.pool.poolId].includes(pool),
    )
    const counted = kind === 'v2' ? quote : Math.min(base, 3 * quote)
    expect(shown.uncostedUsd, `${address} ${pool}`).toBeCloseTo(
      (shown.valueUsd * free * counted) / (quote + counted),
      3,
    )
    kinds.add(kind)
  }
  expect([...kinds]).toEqual(expect.arrayContaining(['v2', 'v3', 'v4']))
})
