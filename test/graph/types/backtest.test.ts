import { parse } from 'graphql'
import { afterAll, describe, expect, test } from 'vitest'
import { createSweep } from '../../../src/alerts/sweep.ts'
import { systemClock } from '../../../src/base/clock.ts'
import { createAssess } from '../../../src/graph/cost/budget.ts'
import { schema } from '../../../src/graph/run/schema.ts'
import { createAlertWorld } from '../../support/alerts.ts'
import { createTestDatabase } from '../../support/database.ts'
import { openGraph, SOMEBODY } from '../../support/graph.ts'

const database = await createTestDatabase()
const world = createAlertWorld(database)
const sweep = createSweep({ database, clock: systemClock, maxLag: 10 })
const [HOUR, DAY] = [3_600, 86_400]
/** A round hour, so that candles end where prices are asked for. */
const BEGIN = 489_000 * HOUR

// Tokens 1 to 3 begin to match in block 2, token 4 an hour before the newest block.
await world.block(1, BEGIN, { 1: {}, 2: {}, 3: {}, 4: {} })
await sweep.run()
const rich = { liquidityUsd: 60 }
await world.block(2, BEGIN + DAY, { 1: rich, 2: rich, 3: rich })
await sweep.run()
await world.block(3, BEGIN + 4 * DAY, { 4: rich })
await sweep.run()
await world.block(4, BEGIN + 4 * DAY + HOUR)
const hour = (token: number, time: number, low: number, close: number) =>
  world.query(
    `INSERT INTO token_hour (token_id, hour, open_usd, high_usd, low_usd, close_usd, volume_micro_usd, buy_count, sell_count, liquidity_usd, holder_count)
     VALUES ($1, $2, $4, $4, $3, $4, 0, 0, 0, 0, 0)`,
    [token, time / HOUR, low, close],
  )
const five = (token: number, time: number, low: number, close: number) =>
  world.query(
    `INSERT INTO token_five_minutes (token_id, slot, open_usd, high_usd, low_usd, close_usd, volume_micro_usd, buy_count, sell_count, liquidity_usd, holder_count)
     VALUES ($1, $2, $4, $4, $3, $4, 0, 0, 0, 0, 0)`,
    [token, time / 300, low, close],
  )
// The lows of the candles that hold the match are of the time before it.
await hour(1, BEGIN + DAY, 0.01, 1.2)
await five(1, BEGIN + DAY, 0.02, 0.9)
await five(1, BEGIN + DAY + 300, 0.5, 1.2)
await hour(1, BEGIN + DAY + 23 * HOUR, 1.4, 1.5)
await hour(2, BEGIN + DAY, 0.4, 0.4)
await hour(2, BEGIN + 3 * DAY, 0.1, 0.3)
// The price of token 3 is gone after an hour.
await hour(3, BEGIN + DAY, 1, 1)
await hour(3, BEGIN + DAY + HOUR, 0, 0)
await world.query(`UPDATE token SET risk_flags = '{liquidity_pulled}' WHERE id = 3`)

const graph = await openGraph(database)
afterAll(() => graph.head.stop())
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers by path
const ask = async (query: string): Promise<any> => (await graph.execute(query, {}, SOMEBODY)).data

const MATCH = `tokenSymbol blockNumber exact priceUsd priceAfter1hUsd priceAfter24hUsd priceAfter7dUsd changeAfter24hPct worstFallPct
  pulled sellable`

describe('a backtest', () => {
  test('lists tokens that began to match, newest first, with their outcome; an unknown one is null', async () => {
    const { backtest } = await ask(`{ backtest(filter: { minLiquidityUsd: 50 }) { matches { ${MATCH} } } }`)
    const match = (tokenSymbol: string, more: object) => ({
      ...{
        tokenSymbol,
        blockNumber: 2,
        exact: true,
        priceUsd: 1,
        priceAfter7dUsd: null,
        sellable: null,
        pulled: false,
      },
      ...more,
    })
    const unknown = { priceAfter1hUsd: null, priceAfter24hUsd: null, changeAfter24hPct: null, worstFallPct: null }
    const [newest, ...others] = backtest.matches
    expect(newest).toEqual(match('T4', { blockNumber: 3, ...unknown }))
    expect(others.toReversed()).toEqual([
      match('T1', { priceAfter1hUsd: 1.2, priceAfter24hUsd: 1.5, changeAfter24hPct: 50, worstFallPct: -50 }),
      match('T2', { priceAfter1hUsd: 0.4, priceAfter24hUsd: 0.4, changeAfter24hPct: -60, worstFallPct: -90 }),
      match('T3', { ...unknown, priceAfter1hUsd: 1, worstFallPct: 0, pulled: true }),
    ])
  })

  test('sums up all matches, and counts those without a price and those too young separately', async () => {
    const { backtest } =
      await ask(`{ backtest(filter: { minLiquidityUsd: 50 }) { summary matchCount followedCount pulledCount
      unsellableCount pricedAfter24hCount unpricedAfter24hCount medianChangeAfter24hPct medianWorstFallPct keptSince exactSince
      matches(limit: 1) { tokenSymbol } } }`)
    const iso = (seconds: number) => new Date(seconds * 1_000).toISOString()
    expect(backtest).toEqual({
      summary:
        '4 matches, 1 pulled, median -5 % after a day (2 with a price), 1 without a price after a day, 1 began less than a day ago.',
      ...{ matchCount: 4, followedCount: 4, pulledCount: 1, unsellableCount: 0 },
      ...{ pricedAfter24hCount: 2, unpricedAfter24hCount: 1, medianChangeAfter24hPct: -5, medianWorstFallPct: -50 },
      ...{ keptSince: iso(BEGIN), exactSince: iso(BEGIN), matches: [{ tokenSymbol: 'T4' }] },
    })
  })

  test('looks at the time that is asked for', async () => {
    const from = new Date((BEGIN + 2 * DAY) * 1_000).toISOString()
    const { later, earlier } = await ask(`{
      later: backtest(filter: { minLiquidityUsd: 50 }, from: "${from}") { from matchCount }
      earlier: backtest(filter: { minLiquidityUsd: 50 }, to: "${from}") { to matchCount } }`)
    expect([later, earlier]).toEqual([
      { from, matchCount: 1 },
      { to: from, matchCount: 3 },
    ])
  })

  test('says that nothing began to match', async () => {
    const { backtest } = await ask('{ backtest(filter: { minLiquidityUsd: 1e9 }) { summary medianChangeAfter24hPct } }')
    expect(backtest).toEqual({ summary: 'No token would have begun to match.', medianChangeAfter24hPct: null })
  })

  test('refuses fields that are no condition of an alert, and a time that ends before it begins', async () => {
    const refusal = (args: string) => ask(`{ backtest(${args}) { total: matchCount } }`).catch(({ message }) => message)
    expect(await refusal('filter: { minHolders: 3 }')).toContain('filter.minHolders is no condition of an alert')
    expect(await refusal('filter: {}, from: "2025-10-11", to: "2025-10-10"')).toContain('from must not be after')
  })

  test('of a time that is not kept says so', async () => {
    const { backtest } = await ask(
      '{ backtest(filter: {}, to: "2020-01-01") { summary matchCount matches { exact } } }',
    )
    expect(backtest).toEqual({ summary: 'Nothing is kept of that time.', matchCount: 0, matches: [] })
  })

  test('counts as five requests, whatever it answers', () => {
    const requests = (query: string) => createAssess(schema)(parse(query), {}, null).budget?.requests
    expect(requests('{ backtest(filter: {}) { summary } }')).toBe(5)
    expect(requests(`{ backtest(filter: {}) { matches(limit: 200) { ${MATCH} } } }`)).toBe(5)
    expect(requests('{ a: backtest(filter: {}) { summary } b: backtest(filter: {}) { summary } }')).toBe(10)
  })

  test('ends when nobody waits for it any more', async () => {
    const leaving = new AbortController()
    const answer = graph.execute('{ backtest(filter: {}) { summary } }', {}, SOMEBODY, undefined, leaving.signal)
    leaving.abort()
    await expect(answer).rejects.toThrow()
  })
})
