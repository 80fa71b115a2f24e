// A list that is put together from rows that are kept ready is byte for byte what running the route's document gives, in REST's words.
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { NOBODY } from '../../src/access/guard.ts'
import { systemClock } from '../../src/base/clock.ts'
import { RISK_FLAGS, TOKEN_SORTS } from '../../src/base/vocabulary.ts'
import { createBoardFeed } from '../../src/board/feed.ts'
import { createRowTexts } from '../../src/board/kept-rows.ts'
import { inTransaction } from '../../src/database/transaction.ts'
import { createGraph } from '../../src/graph/graph.ts'
import { createRowWriter } from '../../src/graph/row-writer.ts'
import { createHead } from '../../src/ledger/head.ts'
import { saveSummary } from '../../src/ledger/scores/summary.ts'
import { keepImages, restoreImages } from '../../src/ledger/undo.ts'
import { TOKENS } from '../../src/rest/documents.ts'
import { toRestTokenPage } from '../../src/rest/shape.ts'
import { silentLog } from '../support/access.ts'
import { createTestDatabase } from '../support/database.ts'
import { seedLedger } from '../support/seed.ts'

const database = await createTestDatabase()
await seedLedger(database.pool, { tokens: 90, wallets: 12, events: 30, seed: 3 })
// Names are written by strangers.
await database.pool.query(`UPDATE token SET name = E'"}],\\u2028\\\\ <b>🦊' || name WHERE id % 7 = 0`)
// A third is worth what the native coin is worth, times something, and a sixth what a hub is.
await database.pool.query(
  'UPDATE token SET unit_id = CASE id % 3 WHEN 0 THEN 4 ELSE 2 END, price_unit = 0.37, price_usd = 700 WHERE id % 2 = 0',
)
await database.pool.query('UPDATE block SET unit_ids = ARRAY[2, 4], unit_usd = ARRAY[1900.5, 0.7]')
const head = await createHead(database, systemClock)
const board = createBoardFeed({ database, head, clock: systemClock, log: silentLog })
const graph = createGraph({ board, database, prisma: database.prisma, head, clock: systemClock, log: silentLog })
await board.settle()
afterAll(async () => {
  await board.stop()
  await head.stop()
})

const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined, freq: 2 })
const requests = fc
  .record({
    sort: maybe(fc.constantFrom(...TOKEN_SORTS)),
    page: maybe(fc.integer({ min: 1, max: 9 })),
    limit: maybe(fc.constantFrom(1, 7, 50, 200)),
    minLiquidityUsd: maybe(fc.integer({ min: 0, max: 400 })),
    maxRiskScore: maybe(fc.integer({ min: 0, max: 100 })),
    excludeFlags: maybe(fc.subarray([...RISK_FLAGS])),
    minHolderGrowth1hPct: maybe(fc.integer({ min: -50, max: 500 })),
    maxAgeHours: maybe(fc.integer({ min: 0, max: 900 })),
  })
  .map((all) => Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)))

async function expectSame(numRuns: number) {
  await head.refresh()
  await board.settle()
  let written = 0
  await fc.assert(
    fc.asyncProperty(requests, async (variables) => {
      const list = await graph.readList(TOKENS, variables)
      const { data } = await graph.execute(TOKENS, variables, NOBODY)
      if (!list) return
      written += 1
      expect(list.body).toBe(JSON.stringify(toRestTokenPage(data.answer as Record<string, unknown>)))
      expect(list.head).toEqual(head.current())
    }),
    { numRuns },
  )
  expect(written).toBe(numRuns)
}

/** A block that changes these tokens, as a writer would. */
async function mine(changed: string) {
  await inTransaction(database.pool, async (client) => {
    await client.query(
      `INSERT INTO block SELECT (jsonb_populate_record(NULL::block, to_jsonb(b) || jsonb_build_object('number', b.number + 1,
       'unit_usd', ARRAY[b.unit_usd[1] + 1000.25, b.unit_usd[2] * 1.1], 'hash', md5(b.number::text), 'time', b.time + interval '7 seconds'))).*
       FROM block b ORDER BY b.number DESC LIMIT 1`,
    )
    const { rows } = await client.query<{ id: number }>(`SELECT id FROM token WHERE ${changed}`)
    const ids = rows.map(({ id }) => id)
    for (const statement of keepImages(head.current().number + 1, 'token', [ids])) await client.query(statement)
    await client.query(
      `UPDATE token SET updated_block = $2, volume_24h_micro_usd = volume_24h_micro_usd + 5e6, holder_count = holder_count + 1
       WHERE id = ANY ($1)`,
      [ids, head.current().number + 1],
    )
  })
}

async function notify() {
  const heard = new Promise((resolve) => head.onChange(resolve))
  await database.pool.query(`SELECT pg_notify('assay_head', 'x')`)
  await heard
}

describe('a list from rows that are kept ready', () => {
  it('is what the document gives, for any request', () => expectSame(120))

  it('is so after a block that changed some tokens, and one that changed none', async () => {
    for (const changed of ['id % 3 = 0', 'false']) {
      await mine(changed)
      await expectSame(40)
    }
  })

  it('is so after a model wrote a summary', async () => {
    const { rows } = await database.pool.query<{ block: number }>(
      'SELECT block_number AS block FROM token_score WHERE token_id = 4',
    )
    await saveSummary(
      database.pool,
      { tokenId: 4, fingerprint: '', summary: 'Written by a model.' },
      rows[0]?.block ?? -1,
    )
    await notify()
    const { data } = await graph.execute(TOKENS, { limit: 200 }, NOBODY)
    expect(JSON.stringify(data.answer)).toContain('Written by a model.')
    await expectSame(30)
  })

  it('is so after the chain went back', async () => {
    const { number } = head.current()
    await mine('id % 5 = 0')
    await expectSame(40)
    await inTransaction(database.pool, async (client) => {
      await restoreImages(client, number)
      await client.query('DELETE FROM block WHERE number > $1', [number])
    })
    await expectSame(40)
  })

  it('needs no statement once its rows are known', async () => {
    await graph.readList(TOKENS, { limit: 50 })
    const query = database.requestPool.query
    const connect = database.requestPool.connect
    const refuse = () => {
      throw new Error('a statement')
    }
    Object.assign(database.requestPool, { query: refuse, connect: refuse })
    try {
      expect((await graph.readList(TOKENS, { limit: 50 }))?.body).toContain('"total":88')
    } finally {
      Object.assign(database.requestPool, { query, connect })
    }
  })
})

describe('the texts of rows', () => {
  const text = (id: number) => [`${id}`.padEnd(100)]

  it('hold no more bytes than they may', () => {
    const texts = createRowTexts(10_000)
    for (let id = 1; id < 100; id += 1) texts.set(id, text(id), 0)
    expect(texts.bytes()).toBeLessThanOrEqual(10_000)
    expect([texts.get(1), texts.get(99)]).toEqual([undefined, text(99)])
  })

  it('keep none that was read before some row changed', () => {
    const texts = createRowTexts()
    const revision = texts.revision()
    texts.letGo([5])
    texts.set(5, text(5), revision)
    expect(texts.get(5)).toBeUndefined()
  })

  it('are not written for a field that needs more than the row', () => {
    const field = (name: string, more: object = {}) =>
      [{ kind: 'Field', name: { kind: 'Name', value: name }, ...more }] as never
    expect(() => createRowWriter('Token', field('nothing'), [])).toThrow('not a plain field')
    expect(() => createRowWriter('Token', field('score', { selectionSet: {} }), [])).toThrow('not a plain field')
  })
})
