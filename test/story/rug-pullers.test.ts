// The wallets of the demo that pulled a token's liquidity: named so, and their money is no skill.
import { afterAll, expect, test } from 'vitest'
import { createDemoDatabase } from '../support/demo.ts'
import { openGraph, SOMEBODY } from '../support/graph.ts'

const database = await createDemoDatabase()
const graph = await openGraph(database)
afterAll(() => graph.head.stop())
// biome-ignore lint/suspicious/noExplicitAny: an answer of GraphQL, whose fields the test reads.
const ask = async (query: string): Promise<any> => (await graph.execute(query, {}, SOMEBODY)).data

test('who pulled liquidity is a rug puller before anything else, and his profit is hardly known', async () => {
  const { rows } = await database.pool.query<{ address: string }>('SELECT address FROM wallet WHERE pulled_count > 0')
  expect(rows.length).toBe(5)
  for (const { address } of rows) {
    const { wallet } = await ask(`{ wallet(address: "${address}") { classification classifications
      pnl { confidence confidenceGaps realisedUsd } score { reputationScore } } }`)
    expect(wallet.classification).toBe('rug_puller')
    expect(wallet.classifications).not.toContain('smart_money')
    expect(wallet.pnl.realisedUsd).toBeGreaterThan(0)
    expect(wallet.pnl.confidence).toBe('low')
    expect(wallet.pnl.confidenceGaps).toEqual(expect.arrayContaining(['no_trades', 'pulled_liquidity']))
    expect(wallet.score.reputationScore).toBeLessThan(50)
  }
  const { wallets } = await ask('{ wallets(filter: { classifications: [rug_puller] }) { total } }')
  expect(wallets.total).toBe(rows.length)
})
