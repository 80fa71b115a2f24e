// What docs/definitions.md and docs/scores.md say a number is, computed a second way from what the demo chain's events say.
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
    await ask(`{ tokens(limit: 200) { items { address score { dimensions { washTradeScore } explanation { measuredAt
    dimensions { inputs { name value } } } } } } }`)
  const { rows } = await database.pool.query<{ address: string; hours: number[] }>(
    `SELECT t.address, array_agg(DISTINCT floor(date_part('epoch', e.time) / 3600)::int) AS hours
      FROM event e JOIN token t ON t.id = e.token_id WHERE e.direction IS NOT NULL GROUP BY 1`,
  )
  const hoursOf = new Map(rows.map(({ address, hours }) => [address, hours]))
  let judged = 0
  for (const { address, score } of tokens.items) {
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

test('the open profit of a wallet is the sum of that of its positions, where one without a price is worth nothing', async () => {
  const { wallets } =
    await ask(`{ wallets(limit: 60, orderBy: { field: REALISED_USD, direction: DESC }) { items { address
    pnl { openUsd } positions(limit: 200) { items { openUsd costUsd token { launchpad } } }
    events(type: liquidity_add, limit: 1) { total } } } }`)
  let judged = 0
  for (const { address, pnl, positions, events } of wallets.items) {
    // Shares of pools are no positions of a token, and their open profit is in the wallet's.
    if (events.total > 0) continue
    const sum = positions.items.reduce(
      (total: number, { openUsd, costUsd }: { openUsd: number | null; costUsd: number }) =>
        total + (openUsd ?? -costUsd),
      0,
    )
    expect(pnl.openUsd, address).toBeCloseTo(sum, 4)
    judged += 1
  }
  expect(judged).toBeGreaterThan(20)
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

test('dumped are the tokens that their developers sold, and not those of which they only provided liquidity', async () => {
  const dumped = new Set(
    readDemoTruth()
      .tokens.filter(({ story }) => story === 'slow_dump')
      .map(({ address }) => address),
  )
  expect(dumped.size).toBeGreaterThan(1)
  const { tokens } = await ask(`{ tokens(limit: 200) { items { address symbol deployer { score { explanation {
    dimensions { inputs { name value } } } } } } } }`)
  for (const { address, symbol, deployer } of tokens.items) {
    const inputs: Input[] = (deployer?.score.explanation?.dimensions ?? []).flatMap(
      ({ inputs }: { inputs: Input[] }) => inputs,
    )
    const told = inputs.find(({ name }) => name === 'dumpedTokens')?.value ?? 0
    expect([symbol, told > 0]).toEqual([symbol, dumped.has(address)])
  }
})

test('of a pulled pool it is not told how large trades are beside what was left: they were made before', async () => {
  const { tokens } = await ask('{ tokens(limit: 200) { items { symbol riskFlags reasons { text } } } }')
  const pulled = tokens.items.filter(({ riskFlags }: { riskFlags: string[] }) => riskFlags.includes('liquidity_pulled'))
  expect(pulled.length).toBeGreaterThanOrEqual(5)
  for (const { symbol, reasons } of pulled)
    for (const { text } of reasons) expect(text, symbol).not.toMatch(/average trade/)
})
