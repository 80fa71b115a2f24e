import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { CONFIDENCES, RISK_FLAGS } from '../../src/base/vocabulary.ts'
import { readTokenPage } from '../../src/board/list.ts'
import { ageHours, holderGrowthPct } from '../../src/fields/formulas.ts'
import { SORT_ORDERS, type TokenOrder, type TokenScreen } from '../../src/fields/screen.ts'
import { createHead } from '../../src/ledger/head.ts'
import { capAtHead } from '../../src/ledger/present.ts'
import { createReader } from '../../src/ledger/read/consistent-read.ts'
import type { TokenRow } from '../../src/ledger/read/token.ts'
import { openBoard } from '../support/board.ts'
import { createTestDatabase } from '../support/database.ts'
import { passes, type ScreenFacts } from '../support/filter-oracle.ts'
import { readingOf } from '../support/reading.ts'
import { createRandom, HEAD_TIME, seedLedger } from '../support/seed.ts'

const database = await createTestDatabase()
const seeded = await seedLedger(database.pool, { tokens: 120, wallets: 20, events: 30 })
const head = await createHead(database, systemClock)
const feed = await openBoard(database, head)
afterAll(async () => {
  await feed.stop()
  await head.stop()
})
const list = (screen: TokenScreen, order: readonly TokenOrder[], page: { offset: number; limit: number }) =>
  readTokenPage(feed, readingOf(database.pool, head.current()), { screen, order, asOf: null, ...page })
const all = seeded.tokens.filter((token) => token.indexed)

const { rows: facts } = await database.pool.query<ScreenFacts>(
  `SELECT t.address, t.symbol, t.name, t.launchpad, coalesce(s.confidence, 'low') AS confidence, t.risk_flags AS "riskFlags",
     coalesce((SELECT c.marks FROM token_safety c WHERE c.token_id = t.id), 0) AS "contractMarks",
     t.liquidity_usd AS "liquidityUsd", ${capAtHead('t')} AS "marketCapUsd", t.volume_24h_micro_usd::float8 / 1e6 AS "volume24hUsd",
     t.risk_score AS "riskScore", t.holder_count AS "holderCount", t.funded_holder_count AS "fundedHolderCount",
     t.funded_holder_count_1h_ago AS "fundedHolderCount1hAgo", date_part('epoch', t.created_at) * 1000 AS "createdAtMs", $1::float8 AS "nowMs"
   FROM token t LEFT JOIN token_score s ON s.token_id = t.id WHERE t.indexed`,
  [HEAD_TIME * 1000],
)

/** Bounds at the values of tokens, so that "inclusive" is tested, too. */
const at = (pick: (token: ScreenFacts) => number) => fc.constantFrom(...facts.map(pick))
const age = (token: ScreenFacts) => ageHours(token.createdAtMs, token.nowMs)
const plain = {
  minLiquidityUsd: at((t) => t.liquidityUsd),
  maxLiquidityUsd: at((t) => t.liquidityUsd),
  maxMarketCapUsd: at((t) => t.marketCapUsd),
  minMarketCapUsd: at((t) => t.marketCapUsd),
  minVolume24hUsd: at((t) => t.volume24hUsd),
  minRiskScore: at((t) => t.riskScore),
  maxRiskScore: at((t) => t.riskScore),
  minHolders: at((t) => t.holderCount),
  maxHolders: at((t) => t.holderCount),
  minHolderGrowth1hPct: at((t) => holderGrowthPct(t.fundedHolderCount, t.fundedHolderCount1hAgo)),
  minAgeHours: at(age),
  maxAgeHours: at(age),
  excludeFlags: fc.subarray([...RISK_FLAGS]),
  includeFlags: fc.subarray([...RISK_FLAGS], { minLength: 1 }),
  launchpads: fc.subarray([...new Set(facts.map((t) => t.launchpad)), 'none'], { minLength: 1 }),
  minConfidence: fc.constantFrom(...CONFIDENCES),
  addresses: fc.subarray(
    facts.map((t) => t.address),
    { maxLength: 60 },
  ),
  search: fc.oneof(
    fc.constantFrom(...facts.flatMap((t) => [t.symbol.toUpperCase(), t.name.slice(1, 4), t.address.slice(0, 41)])),
    fc.constantFrom('0x', '%', '_x'),
  ),
}
const { screen: screens } = fc.letrec<{ screen: TokenScreen }>((tie) => {
  const part = tie('screen')
  const parts = fc.array(part, { minLength: 1, maxLength: 2 })
  const leaf = fc.oneof(...Object.entries(plain).map(([field, value]) => value.map((given) => ({ [field]: given }))))
  const nested = [parts.map((and) => ({ and })), parts.map((or) => ({ or })), part.map((not) => ({ not }))]
  const both = fc.tuple(leaf, fc.oneof(leaf, ...nested)).map(([one, other]) => ({ ...one, ...other }))
  return { screen: fc.oneof({ maxDepth: 2 }, leaf, both, ...nested) }
})

describe('the list of tokens', () => {
  it('the list has exactly the tokens that pass its filter one by one, and counts them', async () => {
    expect(facts).toHaveLength(all.length)
    await fc.assert(
      fc.asyncProperty(screens, async (screen) => {
        const page = await list(screen, SORT_ORDERS.newest, { offset: 0, limit: 200 })
        const expected = facts.filter((token) => passes(screen, token)).map((token) => token.address)
        expect(page.items.map((token) => token.address).sort()).toEqual(expected.sort())
        expect(page.total).toBe(expected.length)
      }),
      { numRuns: 200 },
    )
  })

  const ORDERS: Record<keyof typeof SORT_ORDERS, (token: TokenRow) => number[]> = {
    trending: (t) => [-t.trendingScore, -t.liquidityUsd],
    newest: (t) => [-t.createdAt.getTime()],
    liquidity: (t) => [-t.liquidityUsd],
    volume: (t) => [-t.volume24hUsd],
    risk_asc: (t) => [t.riskScore, -t.liquidityUsd],
  }
  it.each(Object.keys(ORDERS) as (keyof typeof ORDERS)[])(
    'the list is ordered by %s, then by address, and its pages neither overlap nor skip a token',
    async (sort) => {
      const pages = await Promise.all(
        [0, 25, 50, 75, 100, 125].map((offset) => list({}, SORT_ORDERS[sort], { offset, limit: 25 })),
      )
      const items = pages.flatMap((page) => page.items)
      expect(new Set(items.map((token) => token.id)).size).toBe(all.length)
      expect(pages[5]).toMatchObject({ total: all.length, items: [] })
      const key = (token: TokenRow) => [...ORDERS[sort](token), token.address]
      for (const [index, token] of items.slice(1).entries()) {
        const [a, b] = [key(items[index] as TokenRow), key(token)]
        const at = a.findIndex((value, position) => value !== b[position])
        expect((a[at] as number) < (b[at] as number)).toBe(true)
      }
    },
  )

  it('the list has age, growth and volume as of the head block', async () => {
    const { items } = await list({}, SORT_ORDERS.newest, { offset: 0, limit: 1 })
    expect(items[0]).toMatchObject({ ageHours: 5, volume24hUsd: Number(all[0]?.volume_24h_micro_usd) / 1e6 })
  })
})

describe('a page whose rows have newer scores than the board', () => {
  const random = createRandom(4)
  const readAtOneBlock = createReader({ primary: database, watch: head, prepare: (reading) => reading })
  const question = { order: SORT_ORDERS.risk_asc, offset: 0, limit: 200, asOf: null }

  it('holds to its filter and order in the numbers that it shows', async () => {
    for (let round = 0; round < 20; round += 1) {
      // Scores of some tokens, before the notice of them.
      await database.pool.query(
        `UPDATE token SET risk_score = round(random() * 100), risk_flags = CASE WHEN random() < 0.3 THEN '{wash_trading}'::text[] ELSE '{}' END
         WHERE id % 7 = $1`,
        [Math.floor(random() * 7)],
      )
      const screen: TokenScreen = { maxRiskScore: 20 + 60 * random(), excludeFlags: ['wash_trading'] }
      const { items, total } = await list(screen, SORT_ORDERS.risk_asc, question)
      expect(total).toBe(items.length)
      expect(items.every((token) => token.riskScore <= (screen.maxRiskScore ?? 0))).toBe(true)
      expect(items.flatMap((token) => token.riskFlags)).not.toContain('wash_trading')
      const key = (token: TokenRow) => [token.riskScore, -token.liquidityUsd] as const
      for (const [at, token] of items.slice(1).entries()) {
        const [[risk, depth], [nextRisk, nextDepth]] = [key(items[at] as TokenRow), key(token)]
        expect(risk < nextRisk || (risk === nextRisk && depth <= nextDepth)).toBe(true)
      }
    }
  })

  it('is taken at the newest block where the board has moved on from that of the answer', async () => {
    const { number } = head.current()
    await database.pool.query(
      `INSERT INTO block SELECT (jsonb_populate_record(b, jsonb_build_object('number', number + 1, 'hash', 'next'))).*
       FROM block b ORDER BY number DESC LIMIT 1`,
    )
    await feed.reread([1])
    expect(head.current().number).toBe(number)
    const answer = await readAtOneBlock(async (reading) => ({
      block: reading.head.number,
      page: await readTokenPage(feed, reading, { screen: {}, ...question }),
    }))
    expect(answer.block).toBe(number + 1)
    expect(answer.page.items).toHaveLength(all.length)
  })

  it('is of a block that the process has not heard of, where its snapshot is', async () => {
    let runs = 0
    const answer = await readAtOneBlock(async (reading) => {
      runs += 1
      if (runs < 3) reading.outdate()
      if (runs === 2)
        await database.pool.query(
          `INSERT INTO block SELECT (jsonb_populate_record(b, jsonb_build_object('number', number + 1, 'hash', 'last'))).*
           FROM block b ORDER BY number DESC LIMIT 1`,
        )
      const page = runs < 3 ? null : await readTokenPage(feed, reading, { screen: {}, ...question })
      return { hash: reading.head.hash, total: page?.total }
    })
    expect(answer).toEqual({ hash: 'last', total: all.length })
  })
})
