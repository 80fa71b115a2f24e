// Numbers of single tokens and wallets of the demo chain, each worked out by hand from its raw logs.
import { beforeAll, expect, test } from 'vitest'
import type { TestDatabase } from '../support/database.ts'
import { createDemoDatabase, demoRecording } from '../support/demo.ts'
import { openGraph, SOMEBODY } from '../support/graph.ts'

let database: TestDatabase
// biome-ignore lint/suspicious/noExplicitAny: an answer is whatever was asked
let ask: (query: string) => Promise<any>
beforeAll(async () => {
  database = await createDemoDatabase()
  const graph = await openGraph(database)
  ask = async (query) => (await graph.execute(query, {}, SOMEBODY)).data
})

/** The token of the demo with this symbol and the longest past. */
async function tokenOf(symbol: string, fields: string) {
  const { tokens } = await ask(
    `{ tokens(first: 200, orderBy: { field: created_at, direction: asc }) { nodes { symbol ${fields} } } }`,
  )
  return tokens.nodes.find((token: { symbol: string }) => token.symbol === symbol)
}

test('smart accounts that an entry point calls are among the holders that mean it', async () => {
  const fields = 'fundedHolderCount holderGrowth1hPct'
  // Eight of them are senders of its operations.
  expect(await tokenOf('HAVEN', fields)).toMatchObject({ fundedHolderCount: 48 })
  // Its 44th left within the hour.
  expect(await tokenOf('IRIS', fields)).toMatchObject({ fundedHolderCount: 43, holderGrowth1hPct: -2.2727 })
})

/** The cost of a wallet's tokens, by symbol, and its realised profit. */
async function walletOf(start: string) {
  const { rows } = await database.pool.query<{ address: string }>('SELECT address FROM wallet WHERE address LIKE $1', [
    `${start}%`,
  ])
  const { wallet } = await ask(`{ wallet(address: "${rows[0]?.address}") { pnl { realisedUsd }
    portfolio { token { symbol } quantity costUsd } } }`)
  type Held = { token: { symbol: string }; quantity: number; costUsd: number }
  const held = new Map((wallet.portfolio as Held[]).map((each) => [each.token.symbol, each]))
  return { held, realisedUsd: wallet.pnl.realisedUsd as number }
}

test('tokens that left a V3 position in block 2155 cost their value of then, though they were collected 51 blocks later', async () => {
  const { held } = await walletOf('0x827ef320')
  const ion = held.get('ION')
  // Half of the removal's $2,888.91 came in ION, beside $362.71 for the rest and $1.55 of fees; 4,419,466.13 of 7,278,435.66 were sold.
  const cost = 2_888.914964 / 2 + 362.71 + 1.55
  expect(ion?.quantity).toBeCloseTo(2_858_969.527718, 5)
  expect(ion?.costUsd).toBeCloseTo((cost * 2_858_969.527718) / 7_278_435.661198, 1)
})

test('fees that a V4 position pays with a removal are a profit, and a cost of the tokens that they came in', async () => {
  const { held, realisedUsd } = await walletOf('0xa52bdf')
  // 1,449,421.37 came for 1,430,294.25 that were removed; the last collected are all that is held.
  const surge = held.get('SURGE')
  expect(surge?.quantity).toBeCloseTo(1_449_421.36952, 4)
  expect(surge?.costUsd).toBeCloseTo(283.268940033 * (1_449_421.36952 / 1_430_294.250039), 5)
  expect(realisedUsd).toBeCloseTo(1_024.018618, 5)
})

test('a trade that a hook settles by half counts whole: the paid amount, or the given one if the coins left no log', async () => {
  const { rows } = await database.pool.query<{ block_number: number; amount_usd: number; quantity: number }>(
    `SELECT e.block_number, e.amount_usd, e.quantity FROM event e JOIN token t ON t.id = e.token_id
     WHERE t.symbol = 'PRISM' AND e.block_number IN (4566, 6565) ORDER BY 1`,
  )
  const [buy, sale] = rows
  // 0.096721 coins were sent and 3,284,311.78 came; the pool's log has half of either.
  expect(buy?.amount_usd).toBeCloseTo(2 * 148.786036, 4)
  expect(buy?.quantity).toBeCloseTo(3_284_311.783363, 4)
  // 1,613,605.26 were given; the log has 806,802.63 of them, for $67.713454.
  expect(sale?.amount_usd).toBeCloseTo((67.713454 * 1_613_605.255616) / 806_802.627808, 3)
  expect(sale?.quantity).toBeCloseTo(1_613_605.255616, 4)
})

test('pricedAt of what a hub quotes is the last change of its own pool, though the hub itself changed before', async () => {
  const { address, pricedAt, priceHops } = await tokenOf('TAPIR', 'address pricedAt priceHops')
  const { blocks } = demoRecording()
  const logs = blocks.flatMap(({ time, logs }) => logs.map(({ topics }) => ({ time, topics })))
  const opened = logs.find(({ topics }) => topics.length === 4 && topics[2]?.endsWith(address.slice(2)))
  const last = logs.findLast(({ topics }) => topics[1] === opened?.topics[1])
  expect(priceHops).toBeGreaterThan(1)
  expect(pricedAt).toBe('2025-11-07T23:08:08.000Z')
  expect(new Date(pricedAt).getTime()).toBe(1_000 * Number(last?.time))
})

test('a stablecoin is listed when the first pool that it quotes is made', async () => {
  expect(await tokenOf('dUSD', 'listedAt pools { nodes { createdAt } }')).toMatchObject({
    listedAt: '2025-10-09T08:54:20.000Z',
  })
})
