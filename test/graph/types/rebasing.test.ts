// Holdings of a token that changes balances without Transfers are marked in GraphQL, since their amounts are sums of Transfers.
import { afterAll, expect, it } from 'vitest'
import { createTestDatabase } from '../../support/database.ts'
import { openGraph, SOMEBODY } from '../../support/graph.ts'
import { createReport, storeReport } from '../../support/safety-report.ts'
import { HEAD_NUMBER, HEAD_TIME, seedLedger, tokenAddress } from '../../support/seed.ts'

const database = await createTestDatabase()
await seedLedger(database.pool)
const graph = await openGraph(database)
afterAll(() => graph.head.stop())
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers by path
const ask = async (query: string): Promise<any> => graph.execute(query, {}, SOMEBODY)

const check = (token: number, moved: number) =>
  storeReport(
    database.pool,
    token,
    createReport({ block: HEAD_NUMBER, at: HEAD_TIME, balancesDiffer: { asked: 10, differ: 0, moved } }),
  )
const WANTED = { [tokenAddress(2)]: true, [tokenAddress(3)]: false, [tokenAddress(4)]: null }

it('each holding of a token whose balances change without transfers says so, and an unchecked one is null', async () => {
  await check(2, 6)
  await check(3, 5)
  for (const [token, rebasing] of Object.entries(WANTED)) {
    const { data, errors } = await ask(`{ token(address: "${token}") { holders(first: 1) { nodes { rebasing
      wallet { positions(first: 200) { nodes { tokenAddress rebasing } } } } } } }`)
    expect(errors).toBeUndefined()
    const [holder] = data.token.holders.nodes
    expect(holder.rebasing).toBe(rebasing)
    expect(holder.wallet.positions.nodes).toContainEqual({ tokenAddress: token, rebasing })
  }
})
