import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ageHours, holderGrowthPct } from '../../../src/base/filter.ts'
import { presentCap, toUsdByUnit } from '../../../src/base/present.ts'
import { SORT_ORDERS, type TokenScreen } from '../../../src/base/screen.ts'
import { passes, type ScreenFacts } from '../../../src/base/screen-match.ts'
import { CONFIDENCES, RISK_FLAGS, TOKEN_SORTS } from '../../../src/base/vocabulary.ts'
import { readHead } from '../../../src/ledger/head.ts'
import type { Reading } from '../../../src/ledger/read/consistent-read.ts'
import { countTokens, listTokens, type TokenRow } from '../../../src/ledger/read/token.ts'
import { readChangedFacts } from '../../../src/ledger/read/token-facts.ts'
import { createTestDatabase } from '../../support/database.ts'
import { HEAD_TIME, seedLedger } from '../../support/seed.ts'

const database = await createTestDatabase()
const seeded = await seedLedger(database.pool, { tokens: 120, wallets: 20, events: 30 })
const reading: Reading = {
  head: await readHead(database.pool),
  query: async (statement) => (await database.pool.query(statement)).rows,
  send: (statement, values) => database.pool.query(statement as string, values),
  besides: (statement, values) => database.pool.query(statement as string, values),
}
const all = seeded.tokens.filter((token) => token.indexed)

const read = await readChangedFacts(database.pool, { sinceBlock: 0, ids: [], afterId: 0 })
const facts = read.facts.map(
  (row): ScreenFacts => ({
    ...row,
    marketCapUsd: presentCap(row, toUsdByUnit(reading.head.units)),
    nowMs: HEAD_TIME * 1000,
  }),
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
        const page = await listTokens(reading, screen, SORT_ORDERS.newest, { offset: 0, limit: 200 })
        const expected = facts.filter((token) => passes(screen, token)).map((token) => token.address)
        expect(page.items.map((token) => token.address).sort()).toEqual(expected.sort())
        expect(page.total).toBe(expected.length)
        expect(await countTokens(reading, screen)).toBe(expected.length)
      }),
      { numRuns: 200 },
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
