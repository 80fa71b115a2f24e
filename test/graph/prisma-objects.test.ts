// Columns that Prisma loads for rows of hand-written statements: in one query, and of the answer's block.
import { getModel } from '@pothos/plugin-prisma'
import { GraphQLObjectType } from 'graphql'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { Statement } from '../../src/database/pipeline.ts'
import type { PrismaClient } from '../../src/database/prisma.ts'
import { schema } from '../../src/graph/run/schema.ts'
import { builder } from '../../src/graph/schema/builder.ts'
import type { Reading } from '../../src/ledger/read/consistent-read.ts'
import { readHistories } from '../../src/ledger/read/history.ts'
import { readHours } from '../../src/ledger/read/hour.ts'
import { readTokenLocks } from '../../src/ledger/read/token-lock.ts'
import { createTestDatabase } from '../support/database.ts'
import { openGraph, SOMEBODY } from '../support/graph.ts'
import { seedLedger, tokenAddress } from '../support/seed.ts'

const database = await createTestDatabase()
await seedLedger(database.pool)

/** Called before each query that Prisma sends over the pool. */
let beforePrisma = async () => {}
const watched = (prisma: PrismaClient) =>
  prisma.$extends({
    query: {
      $allModels: {
        async $allOperations({ args, query }) {
          await beforePrisma()
          return query(args)
        },
      },
    },
  }) as unknown as PrismaClient
const graph = await openGraph(database, undefined, watched)
afterAll(() => graph.head.stop())
beforeEach(() => {
  beforePrisma = async () => {}
})

/** Adds a block in which token 1 gets another name and another number of buyers. */
async function addBlock() {
  await database.pool.query(`WITH b AS (
      INSERT INTO block SELECT (jsonb_populate_record(b, jsonb_build_object('number', number + 1, 'hash', md5(number::text)))).*
      FROM block b ORDER BY number DESC LIMIT 1 RETURNING number)
    UPDATE token SET name = 'at ' || b.number, buyer_count = b.number FROM b WHERE token.id = 1`)
}

const TOKEN = `{ token(address: "${tokenAddress(1)}") { name buyerCount } }`

interface Answer {
  data: { token: { name: string; buyerCount: number } }
  head: { number: number }
}
const askToken = async () => (await graph.execute(TOKEN, {}, SOMEBODY)) as unknown as Answer

describe('a column that only Prisma reads', () => {
  it('a column that Prisma reads is of the same block as the rest, even if a block arrives just before Prisma reads it', async () => {
    let loads = 0
    beforePrisma = async () => {
      loads += 1
      if (loads === 1) await addBlock()
    }
    const { data, head } = await askToken()
    expect(data.token).toEqual({ name: `at ${head.number}`, buyerCount: head.number })
    expect(loads).toBe(2)
  })

  it('a column that Prisma reads is read in the snapshot of the rest if a block arrives during every attempt', async () => {
    let loads = 0
    beforePrisma = async () => {
      loads += 1
      await addBlock()
    }
    const { data, head } = await askToken()
    expect(data.token).toEqual({ name: `at ${head.number}`, buyerCount: head.number })
    expect(loads).toBe(3)
  })

  it('the columns that only Prisma reads are read in one query for all rows of a list', async () => {
    const query = `query ($limit: Int!) { tokens(first: $limit) { nodes {
      decimals buyerCount supply deployer { address classification } } } }`
    // The list, its columns, the wallets, and at the end the head, since Prisma's query does not tell its block.
    const few = await graph.count(() => graph.execute(query, { limit: 2 }, SOMEBODY))
    const many = await graph.count(() => graph.execute(query, { limit: 50 }, SOMEBODY))
    expect([few, many]).toEqual([4, 4])
  })
})

it('every model that the API shows has an object type in the schema', () => {
  const models = new Set(
    Object.values(schema.getTypeMap())
      .filter((type) => type instanceof GraphQLObjectType)
      .map((type) => type.extensions.pothosPrismaModel)
      .filter((model) => model !== undefined),
  )
  const nouns =
    'Token Wallet Position Event Pool TokenLock TokenHour TokenScore WalletScore ScorePoint Alert AlertMessage Account'
  expect([...models].sort()).toEqual(nouns.split(' ').sort())
})

it('rows of hours, locks and earlier scores carry the key of their model, so that another column of it can be read', async () => {
  await database.pool.query('UPDATE position SET balance = 1000 WHERE token_id = 1 AND wallet_id = 7')
  await database.pool.query(`INSERT INTO token_lock VALUES (7, 1, 1, 9, 500, now() + interval '1 year')`)
  const reading = {
    query: async ({ text, values }: Statement) => (await database.pool.query(text, values)).rows,
  } as unknown as Reading
  const ranges = Array.from({ length: 50 }, (_, at) => ({ id: at + 1, limit: 2 }))
  const rows = {
    TokenHour: await readHours(reading, ranges),
    TokenLock: await readTokenLocks(reading, ranges),
    ScorePoint: await readHistories(reading, 'token', ranges),
  }
  for (const [model, lists] of Object.entries(rows)) {
    const [row] = lists.flat()
    expect(row, model).toMatchObject(
      Object.fromEntries(getModel(model, builder).primaryKey?.fields.map((name) => [name, expect.any(Number)]) ?? []),
    )
  }
})
