// The earlier tokens of a deployer, compared one by one with the demo's rows.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readDeployerRecords } from '../../src/ledger/facts/deployers.ts'
import { createDemoDatabase } from '../support/demo.ts'
import { openGraph, SOMEBODY } from '../support/graph.ts'

const database = await createDemoDatabase()
let graph: Awaited<ReturnType<typeof openGraph>>
beforeAll(async () => {
  graph = await openGraph(database)
})
afterAll(() => graph.head.stop())

interface Deployed {
  id: number
  address: string
  deployerId: number | null
}

test("a token's record counts the earlier tokens of its deployer, and those that were pulled, in facts and in GraphQL", async () => {
  // One wallet deployed everything, and whoever opened the first pool of a token pulled it.
  await database.pool.query(`WITH first AS (
      SELECT p.base_id, p.opener_id FROM pool p JOIN position b ON b.token_id = p.base_id AND b.wallet_id = p.opener_id
      JOIN token t ON t.id = p.base_id WHERE t.indexed AND t.kind = 'erc20' ORDER BY p.base_id, p.id LIMIT 1),
    pulled AS (UPDATE position b SET pulled_usd = 500 FROM first f WHERE b.token_id = f.base_id AND b.wallet_id = f.opener_id)
    UPDATE token SET deployer_id = (SELECT min(id) FROM wallet)`)
  const { rows: tokens } = await database.pool.query<Deployed>(
    `SELECT id, address, deployer_id AS "deployerId" FROM token WHERE kind = 'erc20' AND indexed ORDER BY id`,
  )
  const { rows: pulls } = await database.pool.query<{ tokenId: number; walletId: number }>(
    'SELECT token_id AS "tokenId", wallet_id AS "walletId" FROM position WHERE pulled_usd > 0',
  )
  const { rows: pools } = await database.pool.query<{ baseId: number; openerId: number | null }>(
    'SELECT base_id AS "baseId", opener_id AS "openerId" FROM pool WHERE base_id IS NOT NULL ORDER BY id',
  )
  const isPulled = ({ id, deployerId }: Deployed) => {
    const openers = pools.filter(({ baseId }) => baseId === id).slice(0, 4)
    const makers = [deployerId, ...openers.map(({ openerId }) => openerId)]
    return pulls.some(({ tokenId, walletId }) => tokenId === id && makers.includes(walletId))
  }
  const recordOf = await readDeployerRecords(
    database.pool,
    tokens.map(({ id }) => id),
  )
  for (const { id, deployerId } of tokens) {
    const earlier = tokens.filter((one) => one.deployerId === deployerId && one.id < id).slice(-50)
    const expected = deployerId && { tokens: earlier.length, pulled: earlier.filter(isPulled).length }
    expect(recordOf(id)).toEqual(expected ?? null)
  }
  const worst = tokens.toSorted((a, b) => (recordOf(b.id)?.pulled ?? 0) - (recordOf(a.id)?.pulled ?? 0))[0]
  expect(recordOf(worst?.id ?? 0)?.pulled).toBeGreaterThan(0)
  const { data } = await graph.execute(
    `{ token(address: "${worst?.address}") { deployerRecord { tokens pulled } } }`,
    {},
    SOMEBODY,
  )
  expect(data).toEqual({ token: { deployerRecord: recordOf(worst?.id ?? 0) } })
})
