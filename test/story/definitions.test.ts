// The numbers of docs/definitions.md and docs/scores.md, computed a second way from the demo chain's events.
import { beforeAll, expect, test } from 'vitest'
import type { TestDatabase } from '../support/database.ts'
import { createDemoDatabase, readDemoTruth } from '../support/demo.ts'
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
      liquidityPositions { pool { address } valueUsd openUsd realisedUsd costUsd sharePct isLocked } } } }`)
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
