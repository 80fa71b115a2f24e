// Pages of holders against a plain sort, where many hold exactly the same.
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { MOST_TIED } from '../../../src/ledger/read/holder.ts'
import { createTestDatabase } from '../../support/database.ts'
import { openGraph, SOMEBODY } from '../../support/graph.ts'
import { seedLedger, tokenAddress } from '../../support/seed.ts'

const database = await createTestDatabase()
await seedLedger(database.pool, { tokens: 6, wallets: 80, events: 40 })
// Addresses in another order than that of the wallets' numbers, and many equal balances.
await database.pool.query(`UPDATE wallet SET address = '0x' || substr(md5(id::text) || md5(address), 1, 40)`)
await database.pool.query(
  `UPDATE position SET balance = 1 + (hashint4(wallet_id) & 3) WHERE token_id = 1 AND balance > 0`,
)
await database.pool.query(
  'UPDATE token SET holder_count = (SELECT count(*) FROM position WHERE token_id = 1 AND balance > 0) WHERE id = 1',
)
const graph = await openGraph(database)
afterAll(() => graph.head.stop())

async function readPage(offset: number, limit: number): Promise<string[]> {
  const { data } = await graph.execute(
    `{ token(address: "${tokenAddress(1)}") { holders(offset: ${offset}, first: ${limit}) { nodes { address } } } }`,
    {},
    SOMEBODY,
  )
  const { token } = data as { token: { holders: { nodes: { address: string }[] } } }
  return token.holders.nodes.map(({ address }) => address)
}

async function readAll(): Promise<string[]> {
  const { rows } = await database.pool.query<{ address: string; balance: string }>(
    'SELECT w.address, p.balance FROM position p JOIN wallet w ON w.id = p.wallet_id WHERE p.token_id = 1 AND p.balance > 0',
  )
  const order = (a: (typeof rows)[number], b: (typeof rows)[number]) =>
    Number(BigInt(b.balance) - BigInt(a.balance)) || (a.address < b.address ? -1 : 1)
  return rows.sort(order).map(({ address }) => address)
}

test('equal holders stand in the order of their addresses, on pages of any size', async () => {
  const all = await readAll()
  expect(all.length).toBeGreaterThan(60)
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 90 }), fc.integer({ min: 0, max: 90 }), async (limit, offset) => {
      expect(await readPage(offset, limit)).toEqual(all.slice(offset, offset + limit))
    }),
    { numRuns: 40 },
  )
})

test('more equal holders than are put in order still stand on one page each', async () => {
  const copies = (table: string, where: string, changes: string) =>
    database.pool.query(
      `INSERT INTO ${table} SELECT copy.* FROM ${table} old, generate_series(1000, 1000 + $1::int) n,
         jsonb_populate_record(NULL::${table}, to_jsonb(old) || jsonb_build_object(${changes})) copy WHERE ${where}`,
      [MOST_TIED],
    )
  await copies('wallet', 'old.id = 7', `'id', n, 'address', '0x' || md5(n::text) || '00000000'`)
  await copies('"position"', 'old.token_id = 1 AND old.wallet_id = 7', `'wallet_id', n, 'balance', 9`)
  await database.pool.query('UPDATE token SET holder_count = holder_count + $1 + 1 WHERE id = 1', [MOST_TIED])
  const pages = await Promise.all([0, 200, 400].map((offset) => readPage(offset, 200)))
  expect(new Set(pages.flat()).size).toBe(600)
})
