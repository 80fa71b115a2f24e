// Numbers of single tokens and wallets of the demo chain, each worked out by hand from its raw logs.
import { beforeAll, expect, test } from 'vitest'
import { createDemoDatabase, demoRecording } from '../support/demo.ts'
import { openGraph, SOMEBODY } from '../support/graph.ts'

// biome-ignore lint/suspicious/noExplicitAny: an answer is whatever was asked
let ask: (query: string) => Promise<any>
beforeAll(async () => {
  const graph = await openGraph(await createDemoDatabase())
  ask = async (query) => (await graph.execute(query, {}, SOMEBODY)).data
})

/** The token of the demo with this symbol and the longest past. */
async function tokenOf(symbol: string, fields: string) {
  const { tokens } = await ask(
    `{ tokens(limit: 200, orderBy: { field: CREATED_AT, direction: ASC }) { items { symbol ${fields} } } }`,
  )
  return tokens.items.find((token: { symbol: string }) => token.symbol === symbol)
}

test('a contract that moves its tokens after it was called leaves the holders that mean it', async () => {
  const fields = 'fundedHolderCount holderGrowth1hPct'
  expect(await tokenOf('HAVEN', fields)).toMatchObject({ fundedHolderCount: 43 })
  // Its 39th left within the hour.
  expect(await tokenOf('IRIS', fields)).toMatchObject({ fundedHolderCount: 38, holderGrowth1hPct: -2.5641 })
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
  expect(await tokenOf('dUSD', 'listedAt pools { createdAt }')).toMatchObject({ listedAt: '2025-10-09T08:54:20.000Z' })
})
