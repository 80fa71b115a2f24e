// The board lists what PostgreSQL lists: any screen, order and page, over blocks that come and go.
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { CONFIDENCES, POWER_KINDS, RISK_FLAGS } from '../../src/base/vocabulary.ts'
import { createBoardFeed } from '../../src/board/feed.ts'
import { inTransaction } from '../../src/database/transaction.ts'
import { packMarks } from '../../src/fields/contract-marks.ts'
import type { TokenOrder, TokenScreen } from '../../src/fields/screen.ts'
import { TOKEN_MEASURES } from '../../src/fields/token.ts'
import { createHead, notifyHead } from '../../src/ledger/head.ts'
import { readTokensById } from '../../src/ledger/read/token.ts'
import { keepImages, restoreImages } from '../../src/ledger/undo.ts'
import { createTokenList, type ListStep } from '../../src/stream/token-list.ts'
import { createTestDatabase } from '../support/database.ts'
import { readingOf } from '../support/reading.ts'
import { createRandom, HEAD_NUMBER, HEAD_TIME, seedLedger, tokenAddress } from '../support/seed.ts'
import { listBySql } from '../support/token-oracle.ts'

const database = await createTestDatabase()
await seedLedger(database.pool, { tokens: 150, wallets: 20, events: 30, seed: 5 })
// Two thirds have prices in the native coin, which is token 1, or in two hubs; one hub has no price at first.
await database.pool.query(
  `UPDATE token SET unit_id = CASE id % 6 WHEN 1 THEN 2 WHEN 2 THEN 3 ELSE 1 END, price_unit = price_usd / 2000
   WHERE id > 3 AND id % 3 > 0 AND price_usd > 0`,
)
await database.pool.query('UPDATE block SET unit_ids = ARRAY[1, 2], unit_usd = ARRAY[1000, 0.3]')
// Counts around the most that 16 bits hold, and beyond.
await database.pool.query(
  `UPDATE token SET holder_count = 65530 + id, funded_holder_count = 65500 + 2 * id, funded_holder_count_1h_ago = 65490 + 3 * id,
   event_count = 100000 + id WHERE id % 5 = 0`,
)
// Half of the contracts were checked, in every way that a check can end.
for (let id = 2; id <= 150; id += 2)
  await database.pool.query(
    `INSERT INTO token_safety (token_id, checked_block, checked_at, marks, insiders, contracts, report)
     VALUES ($1, 1, now(), $2, '{}', '{}', '')`,
    [
      id,
      packMarks({
        isChecked: id % 8 > 0,
        sellable: [true, false, null][id % 3] ?? null,
        sellTaxPct: id % 5 > 1 ? (id % 7) * 1.01 : null,
        powers: id % 6 > 0 ? POWER_KINDS.filter((_, at) => (id >> at) & 1) : null,
        ownerChanged: id % 10 === 0,
      }),
    ],
  )
// What groups hold, of two thirds.
await database.pool.query(
  'UPDATE token SET sniper_held_pct = id % 50 / 4.0, fresh_held_pct = (id * 7 % 60) * 101 / 100.0 WHERE id % 3 > 0',
)
const head = await createHead(database, systemClock)
const feed = createBoardFeed({
  database,
  head,
  clock: systemClock,
  log: { debug: () => {}, warn: (...said: unknown[]) => expect(said).toBeUndefined() },
})
afterAll(async () => {
  await feed.stop()
  await head.stop()
})

const number = (column: string, share = 1) =>
  database.pool
    .query<{ value: number }>(`SELECT DISTINCT ${column}::float8 * ${share} AS value FROM token`)
    .then(({ rows }) => fc.constantFrom(...rows.map(({ value }) => value)))
const [liquidity, cap, volume, risk, holders] = await Promise.all([
  number('liquidity_usd'),
  number('market_cap_usd * 0.5'),
  number('volume_24h_micro_usd', 1e-6),
  number('risk_score'),
  number('holder_count'),
])
const age = fc.integer({ min: 0, max: 160 }).map((n) => n * 5)
const share = fc.integer({ min: 0, max: 60 }).map((n) => (n * 101) / 100)
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined, freq: 2 })
const leaf = fc.record({
  minLiquidityUsd: maybe(liquidity),
  maxLiquidityUsd: maybe(liquidity),
  minMarketCapUsd: maybe(cap),
  maxMarketCapUsd: maybe(cap),
  minVolume24hUsd: maybe(volume),
  minRiskScore: maybe(risk),
  maxRiskScore: maybe(risk),
  minHolders: maybe(holders),
  maxHolders: maybe(holders),
  minHolderGrowth1hPct: maybe(fc.integer({ min: -100, max: 1_000 })),
  minAgeHours: maybe(age),
  maxAgeHours: maybe(age),
  excludeFlags: maybe(fc.subarray([...RISK_FLAGS])),
  includeFlags: maybe(fc.subarray([...RISK_FLAGS], { minLength: 1 })),
  launchpads: maybe(fc.subarray(['uniswap_v2', 'uniswap_v3', 'nowhere'], { minLength: 1 })),
  minConfidence: maybe(fc.constantFrom(...CONFIDENCES)),
  contractChecked: maybe(fc.boolean()),
  sellable: maybe(fc.boolean()),
  minSellTaxPct: maybe(fc.integer({ min: 0, max: 7 }).map((n) => n * 1.01)),
  maxSellTaxPct: maybe(fc.integer({ min: 0, max: 7 }).map((n) => n * 1.01)),
  minSniperHeldPct: maybe(share),
  maxSniperHeldPct: maybe(share),
  minFreshHeldPct: maybe(share),
  maxFreshHeldPct: maybe(share),
  excludePowers: maybe(fc.subarray([...POWER_KINDS], { maxLength: 2 })),
  includePowers: maybe(fc.subarray([...POWER_KINDS], { minLength: 1 })),
  ownerChanged: maybe(fc.boolean()),
  search: maybe(
    fc.constantFrom('t1', 'T2', 'token 1', 'Evil', '\u202e', '0x00', '0x00000000000000000000000000000000000a000', 'zz'),
  ),
  addresses: maybe(fc.array(fc.integer({ min: 1, max: 160 }).map(tokenAddress), { maxLength: 9 })),
})
/** Mostly few bounds, so that something is left, and what hangs together by and, or and not. */
const screens: fc.Arbitrary<TokenScreen> = fc.letrec<{ screen: object; leaf: object }>((tie) => ({
  screen: fc.oneof(
    { depthSize: 'small' },
    tie('leaf'),
    fc.record({ and: fc.array(tie('screen'), { minLength: 1, maxLength: 2 }) }),
    fc.record({ or: fc.array(tie('screen'), { minLength: 1, maxLength: 3 }) }),
    fc.tuple(tie('leaf'), tie('screen')).map(([own, not]) => ({ ...own, not })),
  ),
  leaf: fc
    .tuple(leaf, fc.subarray(Object.keys(leaf), { maxLength: 0 }), fc.array(fc.nat(28), { maxLength: 3 }))
    .map(([all, , picked]) =>
      Object.fromEntries(Object.entries(all).filter(([, value], at) => value !== undefined && picked.includes(at))),
    ),
})).screen
const orders: fc.Arbitrary<TokenOrder[]> = fc.array(
  fc.record({ measure: fc.constantFrom(...TOKEN_MEASURES), descending: fc.boolean() }),
  { maxLength: 3 },
)
const pages = fc.record({ page: fc.integer({ min: 1, max: 8 }), limit: fc.constantFrom(1, 7, 50, 200) })

const listNow = (screen: TokenScreen, order: readonly TokenOrder[], page: { offset: number; limit: number }) =>
  listBySql(database.pool, head.current(), screen, order, page)

/** The board at the newest block; fails where there is none. */
async function boardNow() {
  await head.refresh()
  await feed.settle()
  const board = await feed.at(head.current())
  if (!board) throw new Error('the board is not at the newest block')
  return board
}

async function expectSame(runs: number) {
  const board = await boardNow()
  await fc.assert(
    fc.asyncProperty(screens, orders, pages, async (screen, order, page) => {
      const listed = board.list({ screen, order, offset: (page.page - 1) * page.limit, limit: page.limit })
      const expected = await listNow(screen, order, { offset: (page.page - 1) * page.limit, limit: page.limit })
      expect(listed).toEqual(expected)
      const rows = await readTokensById(readingOf(database.pool, head.current()), listed.ids)
      expect(rows.map(({ id }) => id).sort()).toEqual([...listed.ids].sort())
      expect(rows.filter((row) => !board.agrees(row.id, row))).toEqual([])
    }),
    { numRuns: runs },
  )
}

const random = createRandom(9)
const iso = (seconds: number) => new Date(seconds * 1_000).toISOString()
const hashOf = (height: number, fork: number) => `0x${(height * 1_000 + fork).toString(16).padStart(64, '0')}`

/** A block whose tokens change as a writer and then the scores would change them, a new token included. */
async function mine(fork: number): Promise<void> {
  const number = head.current().number + 1
  const ids = Array.from({ length: 1 + Math.floor(random() * 12) }, () => 1 + Math.floor(random() * 148))
  const unique = [...new Set(ids)]
  const next = (await database.pool.query<{ id: number }>('SELECT max(id) + 1 AS id FROM token')).rows[0]?.id ?? 0
  await inTransaction(database.pool, async (client) => {
    for (const statement of keepImages(number, 'token', [[...unique, next]])) await client.query(statement)
    await client.query(
      `UPDATE token SET updated_block = $2, sniper_held_pct = nullif(round(random() * 40), 0), liquidity_usd = round(random() * 40) * 10, risk_score = round(random() * 10) * 10,
       holder_count = holder_count + 1, volume_24h_micro_usd = round(random() * 1e9), trending_score = round(random() * 5),
       risk_flags = CASE WHEN random() < 0.3 THEN '{wash_trading}'::text[] ELSE '{}' END WHERE id = ANY ($1)`,
      [unique, number],
    )
    await client.query(
      `INSERT INTO token SELECT (jsonb_populate_record(NULL::token, to_jsonb(t) || jsonb_build_object('id', $1::int,
       'address', '0x' || lpad(to_hex($1::int + 4096 * $3::int), 40, '0'), 'updated_block', $2::int, 'indexed', true))).* FROM token t WHERE id = 1`,
      [next, number, fork],
    )
    await client.query(
      `INSERT INTO block SELECT (jsonb_populate_record(NULL::block, to_jsonb(b) || jsonb_build_object('number', $1::int, 'hash', $2::text,
       'unit_ids', ARRAY[1, 2, 3], 'unit_usd', ARRAY[CASE WHEN $1::int % 3 > 0 THEN 500 + 250 * ($1::int % 7) ELSE b.unit_usd[1] END,
         0.1 * ($1::int % 4), CASE WHEN $1::int % 5 > 1 THEN 7 ELSE coalesce(b.unit_usd[3], 0) END], 'time', $3::text, 'token_count', b.token_count + 1, 'last_token_id', $4::int))).* FROM block b ORDER BY b.number DESC LIMIT 1`,
      [number, hashOf(number, fork), iso(HEAD_TIME + (number - HEAD_NUMBER) * 12), next],
    )
  })
  await head.refresh()
}

/** Scores within the newest block, and their notice. */
async function rescore(): Promise<void> {
  const { number } = head.current()
  const ids = [...new Set(Array.from({ length: 9 }, () => 1 + Math.floor(random() * 148)))]
  await inTransaction(database.pool, async (client) => {
    for (const statement of keepImages(number, 'token', [ids])) await client.query(statement)
    await client.query(
      `UPDATE token SET updated_block = $2, risk_score = round(random() * 10) * 10 WHERE id = ANY ($1)`,
      [ids, number],
    )
  })
  await notifyHead(database.pool)
  await head.refresh()
}

/** Takes the chain back, as the ledger's rollback does. */
async function goBack(to: number): Promise<void> {
  await inTransaction(database.pool, async (client) => {
    await restoreImages(client, to)
    await client.query('DELETE FROM undo WHERE block_number > $1', [to])
    await client.query('DELETE FROM block WHERE number > $1', [to])
  })
  await head.refresh()
}

describe('the board', () => {
  it('lists exactly what PostgreSQL lists, for any screen, order and page', () => expectSame(150))

  it('lists nothing for an empty list of addresses, as PostgreSQL does', async () => {
    const page = { screen: { addresses: [] }, order: [], offset: 0, limit: 5 }
    expect((await boardNow()).list(page)).toEqual({ ids: [], total: 0 })
    expect(await listNow(page.screen, page.order, page)).toEqual({ ids: [], total: 0 })
  })

  it('does so at every block while blocks come, and after they were rolled back and others came', async () => {
    for (let fork = 0; fork < 4; fork += 1) {
      for (let height = 0; height < 3; height += 1) {
        await mine(fork)
        // Sometimes several blocks arrive before the board hears of one.
        if (height !== fork % 3) await expectSame(10)
      }
      await goBack(head.current().number - 1 - (fork % 3))
      if (fork % 2 === 0) await expectSame(10)
    }
    await expectSame(30)
  })

  it('reports the tokens that enter and leave a followed list, over blocks and reorganisations', async () => {
    const wanted: TokenScreen[] = [{ minLiquidityUsd: 200 }, { maxRiskScore: 50 }, { minMarketCapUsd: 400_000 }, {}]
    const tokens = createTokenList(feed)
    const readers = wanted.map((screen) => ({ screen, leaving: new AbortController() }))
    const steps = wanted.map((): ListStep[] => [])
    const following = readers.map(async ({ screen, leaving }, at) => {
      for await (const some of tokens.follow(screen, leaving.signal)) steps[at]?.push(...some)
    })
    const listAll = async () => {
      await boardNow()
      const pages = await Promise.all(wanted.map((screen) => listNow(screen, [], { offset: 0, limit: 1_000 })))
      const { rows } = await database.pool.query<{ id: number; address: string }>('SELECT id, address FROM token')
      const byId = new Map(rows.map(({ id, address }) => [id, address]))
      return pages.map(({ ids }) => new Set(ids.map((id) => byId.get(id) as string)))
    }
    const lists = await listAll()
    const expectFollowed = async () => {
      const now = await listAll()
      await expect
        .poll(() => {
          for (const [at, some] of steps.entries())
            for (const { address, change } of some.splice(0)) {
              // A token that enters was not there before; one that leaves or changes was.
              expect([address, lists[at]?.has(address)]).toEqual([address, change !== 'enters'])
              if (change === 'leaves') lists[at]?.delete(address)
              else lists[at]?.add(address)
            }
          return lists
        })
        .toEqual(now)
    }
    for (let fork = 20; fork < 26; fork += 1) {
      await mine(fork)
      await expectFollowed()
      await mine(fork)
      if (fork % 2 === 0) await expectFollowed()
      await rescore()
      if (fork % 3 > 0) await expectFollowed()
      await goBack(head.current().number - 1 - (fork % 2))
      // Sometimes the next blocks come before the board hears that the chain went back.
      if (fork % 3 === 0) await expectFollowed()
    }
    await expectFollowed()
    for (const { leaving } of readers) leaving.abort()
    await Promise.all(following)
  })

  it('lists the same tokens at an older block as at that time, to the last one', async () => {
    const board = await boardNow()
    const then = board.block()
    const questions = fc.sample(fc.tuple(screens, orders, pages), 40).map(([screen, order, { page, limit }]) => ({
      screen,
      order,
      offset: (page - 1) * limit,
      limit,
    }))
    const before = questions.map((question) => board.list(question))
    await mine(7)
    await boardNow()
    await mine(7)
    const now = await boardNow()
    if (!then) throw new Error('the board is at no block')
    expect(now).toBe(board)
    expect(questions.map((question) => now.listAt(then, question))).toEqual(before)
    await expectSame(20)
  })

  it('hears of scores that came within a block', async () => {
    await database.pool.query('UPDATE token SET risk_score = 1, updated_block = $1 WHERE id = 5', [
      head.current().number,
    ])
    await database.pool.query(`SELECT pg_notify('assay_head', 'x')`)
    await expect
      .poll(async () => {
        await feed.settle()
        const screen = { maxRiskScore: 1, minRiskScore: 1 }
        return (await boardNow()).list({ screen, order: [], offset: 0, limit: 9 }).total
      })
      .toBe((await database.pool.query('SELECT FROM token WHERE indexed AND risk_score = 1')).rowCount)
  })

  it('is loaded anew when more tokens change than are applied in one go, and then lists what PostgreSQL lists', async () => {
    const loads: unknown[] = []
    const log = { debug: (...said: unknown[]) => void loads.push(said.at(-1)), warn: () => {} }
    const small = createBoardFeed({ database, head, clock: systemClock, log, mostApplied: 3 })
    const change = async (tokens: number) => {
      const { number } = head.current()
      await database.pool.query('UPDATE token SET holder_count = 9, updated_block = $1 WHERE id <= $2', [
        number,
        tokens,
      ])
      await database.pool.query(`SELECT pg_notify('assay_head', 'x')`)
      const question = { screen: { minHolders: 9, maxHolders: 9 }, order: [], offset: 0, limit: 200 }
      const { ids } = await listNow(question.screen, [], question)
      await expect.poll(async () => (await small.at(head.current()))?.list(question).ids).toEqual(ids)
    }
    try {
      await small.settle()
      await mine(8)
      await small.settle()
      const before = loads.length
      await change(40)
      expect(loads.length).toBeGreaterThan(before)
      expect(new Set(loads)).toEqual(new Set(['board loaded']))
    } finally {
      await small.stop()
    }
  })

  it('is loaded anew when the chain goes back further than it remembers, and serves nothing until then', async () => {
    const { number } = head.current()
    await database.pool.query('UPDATE block SET hash = $2 WHERE number = $1', [number, hashOf(number, 99)])
    await database.pool.query('DELETE FROM block WHERE number < $1', [number])
    await database.pool.query('UPDATE token SET liquidity_usd = 77 WHERE id = 3')
    await expectSame(20)
  })
})
