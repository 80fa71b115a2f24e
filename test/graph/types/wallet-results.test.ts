// What wallets of the demo earned in the newest days, against their totals.
import { afterAll, describe, expect, test } from 'vitest'
import { createDemoDatabase } from '../../support/demo.ts'
import { openGraph, SOMEBODY } from '../../support/graph.ts'

const RESULT = '{ realisedUsd closedPositionCount wonPositionCount winRate }'
const QUERY = `{ wallets(first: 200, orderBy: { field: trade_count }) { nodes {
  address firstSeen realisedUsd closedPositionCount wonPositionCount results { d7 ${RESULT} d30 ${RESULT} } } } }`

interface Result {
  realisedUsd: number
  closedPositionCount: number
  wonPositionCount: number
  winRate: number | null
}
interface Wallet extends Omit<Result, 'winRate'> {
  address: string
  firstSeen: string
  results: { d7: Result | null; d30: Result | null }
}

const DAY = 86_400_000

const database = await createDemoDatabase()
const graph = await openGraph(database)
afterAll(() => graph.head.stop())
const now = graph.head.current().time.getTime()
const today = now - (now % DAY)
// biome-ignore lint/suspicious/noExplicitAny: the answer has the form of the query
const ask = async (query: string): Promise<any> => (await graph.execute(query, {}, SOMEBODY)).data
const readWallets = async (): Promise<Wallet[]> => (await ask(QUERY)).wallets.nodes
const totalsOf = ({ realisedUsd, closedPositionCount, wonPositionCount }: Omit<Result, 'winRate'>) => ({
  realisedUsd: Math.round(realisedUsd * 100) / 100,
  closedPositionCount,
  wonPositionCount,
})

describe('the results of 7 and 30 days', () => {
  test('are the totals of a younger wallet, and those of 7 days are a part of those of 30', async () => {
    let [young, parts] = [0, 0]
    for (const wallet of await readWallets()) {
      const [d7, d30] = [wallet.results.d7 as Result, wallet.results.d30 as Result]
      if (Date.parse(wallet.firstSeen) >= today - 29 * DAY) {
        expect([wallet.address, totalsOf(d30)]).toEqual([wallet.address, totalsOf(wallet)])
        young += wallet.closedPositionCount > 0 ? 1 : 0
      }
      expect(d7.closedPositionCount).toBeLessThanOrEqual(d30.closedPositionCount)
      expect(d7.wonPositionCount).toBeLessThanOrEqual(d30.wonPositionCount)
      if (d7.closedPositionCount > 0 && d7.closedPositionCount < d30.closedPositionCount) parts += 1
    }
    expect(young).toBeGreaterThan(5)
    expect(parts).toBeGreaterThan(5)
  })

  test('have a win rate of the positions that were closed in them, and none without such', async () => {
    const results = (await readWallets()).flatMap(({ results: { d7, d30 } }) => [d7 as Result, d30 as Result])
    for (const { closedPositionCount: closed, wonPositionCount: won, winRate } of results)
      expect(winRate).toEqual(closed === 0 ? null : expect.closeTo(won / closed, 8))
    expect(results.some(({ winRate }) => winRate === null)).toBe(true)
    expect(results.some(({ winRate }) => winRate !== null && winRate > 0 && winRate < 1)).toBe(true)
  })

  test('are null where the index has not all of their days, and never zero', async () => {
    const set = (time: string) => database.pool.query(`UPDATE chain SET wallet_days_since = ${time}`)
    await set(`to_timestamp(${(today - 6 * DAY + 1_000) / 1_000})`)
    for (const { results } of await readWallets()) expect(results).toEqual({ d7: null, d30: null })
    await set(`to_timestamp(${(today - 6 * DAY) / 1_000})`)
    for (const { results } of await readWallets()) expect([results.d7 === null, results.d30]).toEqual([false, null])
    await set('NULL')
    for (const { results } of await readWallets()) expect(results).toEqual({ d7: null, d30: null })
    await set('to_timestamp(0)')
  })
})
