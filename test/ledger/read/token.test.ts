import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { matches, type TokenFilter } from '../../../src/base/filter.ts'
import { SORT_ORDERS } from '../../../src/base/screen.ts'
import { RISK_FLAGS, type RiskFlag, TOKEN_SORTS } from '../../../src/base/vocabulary.ts'
import { readHead } from '../../../src/ledger/head.ts'
import type { Reading } from '../../../src/ledger/read/consistent-read.ts'
import { countTokens, listTokens, type TokenRow } from '../../../src/ledger/read/token.ts'
import { createTestDatabase } from '../../support/database.ts'
import { HEAD_TIME, seedLedger } from '../../support/seed.ts'

const database = await createTestDatabase()
const seeded = await seedLedger(database.pool, { tokens: 120, wallets: 20, events: 30 })
const reading: Reading = {
  head: await readHead(database.pool),
  query: async (statement) => (await database.pool.query(statement)).rows,
  source: () => database.pool,
}
const all = seeded.tokens.filter((token) => token.indexed)

const factsOf = (token: (typeof all)[number]) => ({
  liquidityUsd: Number(token.liquidity_usd),
  marketCapUsd: Number(token.market_cap_usd),
  riskScore: Number(token.risk_score),
  riskFlags: token.risk_flags as RiskFlag[],
  fundedHolderCount: Number(token.funded_holder_count),
  fundedHolderCount1hAgo: Number(token.funded_holder_count_1h_ago),
  createdAtMs: Date.parse(String(token.created_at)),
  nowMs: HEAD_TIME * 1000,
})

/** Bounds near the values of tokens, and exactly at them, so that "inclusive" is tested, too. */
const bound = (pick: (token: ReturnType<typeof factsOf>) => number) =>
  fc.option(fc.constantFrom(...all.map((token) => pick(factsOf(token)))), { nil: undefined })
const filters: fc.Arbitrary<TokenFilter> = fc
  .record({
    minLiquidityUsd: bound((t) => t.liquidityUsd),
    maxMarketCapUsd: bound((t) => t.marketCapUsd),
    minMarketCapUsd: bound((t) => t.marketCapUsd),
    maxRiskScore: bound((t) => t.riskScore),
    excludeFlags: fc.option(fc.subarray([...RISK_FLAGS]), { nil: undefined }),
    minHolderGrowth1hPct: bound(
      (t) => (100 * (t.fundedHolderCount - t.fundedHolderCount1hAgo)) / Math.max(t.fundedHolderCount1hAgo, 1),
    ),
    maxAgeHours: bound((t) => (t.nowMs - t.createdAtMs) / 3_600_000),
  })
  .map((filter) => Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)))

describe('the list of tokens', () => {
  it('the list has exactly the tokens that the filter matches, and counts them', async () => {
    await fc.assert(
      fc.asyncProperty(filters, async (filter) => {
        const page = await listTokens(reading, filter, SORT_ORDERS.newest, { offset: 0, limit: 200 })
        const expected = all.filter((token) => matches(filter, factsOf(token))).map((token) => token.address)
        expect(page.items.map((token) => token.address).sort()).toEqual(expected.sort())
        expect(page.total).toBe(expected.length)
        expect(await countTokens(reading, filter)).toBe(expected.length)
      }),
      { numRuns: 150 },
    )
  })

  const ORDERS: Record<(typeof TOKEN_SORTS)[number], (token: TokenRow) => number[]> = {
    trending: (t) => [-t.trendingScore, -t.liquidityUsd],
    newest: (t) => [-t.createdAt.getTime()],
    liquidity: (t) => [-t.liquidityUsd],
    volume: (t) => [-t.volume24hUsd],
    risk_asc: (t) => [t.riskScore, -t.liquidityUsd],
  }
  it.each(TOKEN_SORTS)(
    'the list is ordered by %s, then by address, and its pages neither overlap nor skip a token',
    async (sort) => {
      const pages = await Promise.all(
        [0, 25, 50, 75, 100, 125].map((offset) => listTokens(reading, {}, SORT_ORDERS[sort], { offset, limit: 25 })),
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
    const { items } = await listTokens(reading, {}, SORT_ORDERS.newest, { offset: 0, limit: 1 })
    expect(items[0]).toMatchObject({ ageHours: 5, volume24hUsd: Number(all[0]?.volume_24h_micro_usd) / 1e6 })
  })
})
