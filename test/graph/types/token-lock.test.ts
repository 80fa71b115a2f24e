import { parse } from 'graphql'
import { afterAll, expect, it } from 'vitest'
import { createAssess } from '../../../src/graph/cost/budget.ts'
import { schema } from '../../../src/graph/run/schema.ts'
import { createTestDatabase } from '../../support/database.ts'
import { openGraph, SOMEBODY } from '../../support/graph.ts'
import { HEAD_TIME, seedLedger, tokenAddress, walletAddress } from '../../support/seed.ts'

const database = await createTestDatabase()
await seedLedger(database.pool)
const graph = await openGraph(database)
afterAll(() => graph.head.stop())
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers by path
const ask = async (query: string): Promise<any> => graph.execute(query, {}, SOMEBODY)

const DAY = 86_400
const HOUR = Math.floor(HEAD_TIME / 3_600) * 3_600
const iso = (seconds: number) => new Date(seconds * 1_000).toISOString()

/** Token 1 is the liquidity token of every pool here. Wallet 7 is a locker with a twentieth of it, wallet 8 a locker without any. */
const SUPPLY = 10n ** 24n
await database.pool.query(`UPDATE position SET balance = $1 WHERE token_id = 1 AND wallet_id = 7`, [
  String(SUPPLY / 20n),
])
await database.pool.query('UPDATE position SET balance = 0 WHERE token_id = 1 AND wallet_id = 8')
const lock = (locker: number, number: number, owner: number | null, part: bigint, ends: number) =>
  database.pool.query('INSERT INTO token_lock VALUES ($1, $2, 1, $3, $4, to_timestamp($5))', [
    ...[locker, number, owner, String(SUPPLY / part), ends],
  ])
await lock(7, 1, 9, 100n, HOUR + 30 * DAY + 1)
await lock(7, 2, null, 50n, HOUR + 30 * DAY)
await lock(7, 3, 10, 4n, HOUR + 900 * DAY)
await lock(7, 4, 10, 100n, HOUR + 901 * DAY)
await lock(7, 5, 9, 10n ** 20n, HOUR - DAY)
await lock(8, 1, 9, 4n, HOUR + 40 * DAY)

it('a pool lists the locks of its shares, the soonest to end first, and no more than their locker holds', async () => {
  const { data } = await ask(`{ token(address: "${tokenAddress(2)}") { pools { nodes {
    locks { locker owner sharePct endsAt counts } first: locks(limit: 1) { endsAt } } } } }`)
  const [pool] = data.token.pools.nodes
  const of = (owner: number | null, sharePct: number, ends: number, counts: boolean) => ({
    ...{ locker: walletAddress(7), owner: owner === null ? null : walletAddress(owner) },
    ...{ sharePct: expect.closeTo(sharePct, 9), endsAt: iso(ends), counts },
  })
  expect(pool.locks).toEqual([
    of(9, 1e-18, HOUR - DAY, false),
    of(null, 2, HOUR + 30 * DAY, false),
    of(9, 1, HOUR + 30 * DAY + 1, true),
    of(10, 2, HOUR + 900 * DAY, true),
  ])
  expect(pool.first).toEqual([{ endsAt: iso(HOUR - DAY) }])
})

it('locks count as list items in the budget, and are read in one statement for all pools', async () => {
  const query =
    'query ($limit: Int!) { tokens(first: $limit) { nodes { pools { nodes { locks(limit: 1) { endsAt } } } } } }'
  const statements = await graph.count(() => graph.execute(query, { limit: 28 }, SOMEBODY))
  expect(statements).toBe(3)
  // Each of the fifty pools is an item, and each of its locks.
  const dear = parse(`{ token(address: "${tokenAddress(1)}") { pools { nodes { locks(limit: 200) { endsAt } } } } }`)
  expect(createAssess(schema)(dear, {}, null).budget?.items).toBe(50 * (1 + 50))
})
