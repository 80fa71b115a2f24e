import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { createSweep } from '../../src/alerts/sweep.ts'
import type { RiskFlag } from '../../src/base/vocabulary.ts'
import type { TokenFilter } from '../../src/fields/filter.ts'
import { createAlertWorld, START, type TokenSetting } from '../support/alerts.ts'
import { createTestClock, type TestClock } from '../support/clock.ts'
import { createTestDatabase } from '../support/database.ts'
import { passes } from '../support/filter-oracle.ts'

const database = await createTestDatabase()
const world = createAlertWorld(database)
const MINUTE = 60
const MINUTE_MS = 60_000
let clock: TestClock
let sweep: ReturnType<typeof createSweep>
let owner: { accountId: number; keyId: number }

beforeEach(async () => {
  await world.reset()
  clock = createTestClock()
  sweep = createSweep({ database, clock, maxLag: 10 })
  owner = await world.account()
})

describe('a sweep', () => {
  const bounds = { pairs: 2, starting: 3, initial: 2 }

  test('begins so many new alerts at a time, and each reports the most liquid tokens that match it from the start', async () => {
    sweep = createSweep({ database, clock, maxLag: 10, bounds })
    await world.block(1, START, { 1: { liquidityUsd: 100 }, 2: { liquidityUsd: 300 }, 3: { liquidityUsd: 200 } })
    for (const id of ['a', 'b', 'c', 'd']) await world.alert(id, owner, { minLiquidityUsd: 50 })
    const begun = async () => (await world.messages()).map(({ alertId, tokens }) => [alertId, [...tokens].sort()])
    expect((await sweep.run())?.began).toBe(6)
    expect(await begun()).toEqual([
      ['a', [2, 3]],
      ['b', [2, 3]],
      ['c', [2, 3]],
    ])
    expect((await sweep.run())?.began).toBe(2)
    expect(await begun()).toContainEqual(['d', [2, 3]])
  })

  test('with few pairs in memory finds the same as with all', async () => {
    sweep = createSweep({ database, clock, maxLag: 10, bounds: { ...bounds, starting: 100 } })
    await world.block(1, START, { 1: {}, 2: {}, 3: { liquidityUsd: 90 }, 4: {}, 5: { liquidityUsd: 90 } })
    for (const id of ['a', 'b', 'c']) await world.alert(id, owner, { minLiquidityUsd: 50 })
    await sweep.run()
    clock.advance(20 * MINUTE_MS)
    const rich = { liquidityUsd: 60 }
    await world.block(2, START + 20 * MINUTE, {
      1: rich,
      2: rich,
      3: { liquidityUsd: 1 },
      4: rich,
      5: { liquidityUsd: 1 },
    })
    expect(await sweep.run()).toMatchObject({ began: 9, ceased: 6 })
    const newest = (await world.messages()).slice(-3).map(({ tokens }) => [...tokens].sort())
    expect(newest).toEqual([
      [1, 2, 4],
      [1, 2, 4],
      [1, 2, 4],
    ])
  })
})

describe('an alert', () => {
  test('reports the tokens that match at its creation in one mail, and nothing more while they match', async () => {
    await world.block(1, START, { 1: { liquidityUsd: 100 }, 2: { liquidityUsd: 200 }, 3: { liquidityUsd: 5 } })
    await sweep.run()
    await world.alert('a', owner, { minLiquidityUsd: 50 })
    await sweep.run()
    expect(await world.messages()).toEqual([{ alertId: 'a', status: 'pending', tokens: [1, 2] }])
    expect(await world.triggeredAt('a')).toEqual(clock.now())
    clock.advance(10 * MINUTE_MS)
    await world.block(2, START + 10, { 1: { liquidityUsd: 101 } })
    await sweep.run()
    expect(await world.messages()).toHaveLength(1)
  })

  test('fires once when a token begins to match, and not while it still matches', async () => {
    await world.block(1, START, { 1: { liquidityUsd: 10 } })
    await world.alert('a', owner, { minLiquidityUsd: 50 })
    await sweep.run()
    expect(await world.triggeredAt('a')).toBeNull()
    for (const [block, liquidityUsd] of [
      [2, 60],
      [3, 70],
      [4, 55],
    ] as const) {
      await world.block(block, START + block, { 1: { liquidityUsd } })
      await sweep.run()
    }
    expect(await world.messages()).toEqual([{ alertId: 'a', status: 'pending', tokens: [1] }])
  })

  test('fires when the share of snipers falls to a bound, and when it rises over one, but not for one that becomes unknown', async () => {
    await world.block(1, START, { 1: { sniperHeldPct: 20 } })
    await world.alert('fell', owner, { maxSniperHeldPct: 5 })
    await world.alert('rose', owner, { minSniperHeldPct: 15 })
    await sweep.run()
    const told: string[][] = []
    for (const [place, sniperHeldPct] of [20, 6, null, 4.99, null, 15].entries()) {
      clock.advance(15 * MINUTE_MS)
      await world.block(place + 2, START + 15 * MINUTE * (place + 1), { 1: { sniperHeldPct } })
      const before = await world.messages()
      await sweep.run()
      told.push((await world.messages()).slice(before.length).map(({ alertId }) => alertId))
    }
    expect(told).toEqual([[], [], [], ['fell'], [], ['rose']])
  })

  test('fires again only after a token has not matched for ten minutes', async () => {
    await world.block(1, START, { 1: { liquidityUsd: 60 } })
    await world.alert('a', owner, { minLiquidityUsd: 50 })
    await sweep.run()
    const visit = async (block: number, seconds: number, liquidityUsd: number) => {
      clock.advance(20 * MINUTE_MS)
      await world.block(block, START + seconds, { 1: { liquidityUsd } })
      await sweep.run()
      return (await world.messages()).length
    }
    expect(await visit(2, 1 * MINUTE, 40)).toBe(1)
    expect(await visit(3, 10 * MINUTE, 60)).toBe(1)
    expect(await visit(4, 11 * MINUTE, 40)).toBe(1)
    expect(await visit(5, 21 * MINUTE, 60)).toBe(2)
  })

  test('sends at most one mail in five minutes; matches in between are in the next one', async () => {
    await world.block(1, START, { 1: { liquidityUsd: 60 }, 2: {}, 3: {} })
    await world.alert('a', owner, { minLiquidityUsd: 50 })
    await sweep.run()
    await world.block(2, START + 60, { 2: { liquidityUsd: 60 } })
    clock.advance(MINUTE_MS)
    await sweep.run()
    await world.block(3, START + 120, { 3: { liquidityUsd: 60 } })
    clock.advance(MINUTE_MS)
    await sweep.run()
    expect(await world.messages()).toHaveLength(1)
    clock.advance(3 * MINUTE_MS)
    await sweep.run()
    expect(await world.messages()).toEqual([
      { alertId: 'a', status: 'pending', tokens: [1] },
      { alertId: 'a', status: 'pending', tokens: [2, 3] },
    ])
  })

  test('is silent while paused, and does not report missed matches afterwards', async () => {
    await world.block(1, START, { 1: {} })
    await world.alert('a', owner, { minLiquidityUsd: 50 })
    await sweep.run()
    await world.query(`UPDATE alert SET status = 'paused'`)
    await world.block(2, START + 1, { 1: { liquidityUsd: 60 } })
    await sweep.run()
    await world.query(`UPDATE alert SET status = 'active'`)
    await sweep.run()
    expect(await world.messages()).toEqual([])
    await world.block(3, START + 2, { 2: { liquidityUsd: 60 } })
    await sweep.run()
    expect(await world.messages()).toEqual([{ alertId: 'a', status: 'pending', tokens: [2] }])
  })

  test('starts anew when its conditions are edited', async () => {
    await world.block(1, START, { 1: { liquidityUsd: 60 }, 2: { liquidityUsd: 10 } })
    await world.alert('a', owner, { minLiquidityUsd: 50 })
    await sweep.run()
    clock.advance(10 * MINUTE_MS)
    await world.query(`UPDATE alert SET conditions = '{"minLiquidityUsd": 5}'`)
    await sweep.run()
    expect(await world.messages()).toEqual([
      { alertId: 'a', status: 'pending', tokens: [1] },
      { alertId: 'a', status: 'pending', tokens: [1, 2] },
    ])
  })

  test('fires no more once it is deleted', async () => {
    await world.block(1, START, { 1: {} })
    await world.alert('a', owner, { minLiquidityUsd: 50 })
    await sweep.run()
    await world.query('DELETE FROM alert')
    await world.block(2, START + 1, { 1: { liquidityUsd: 60 } })
    expect(await sweep.run()).toMatchObject({ messages: 0 })
  })

  test("whose account's address was refused gets its mails suppressed", async () => {
    await world.query('UPDATE account SET mail_refused_at = now()')
    await world.block(1, START, { 1: { liquidityUsd: 60 } })
    await world.alert('a', owner, { minLiquidityUsd: 50 })
    await sweep.run()
    expect(await world.messages()).toEqual([{ alertId: 'a', status: 'suppressed', tokens: [1] }])
  })
})

test('a score written after its block was swept is matched without a new block', async () => {
  await world.block(1, START, { 1: { riskScore: 60 } })
  await world.alert('a', owner, { maxRiskScore: 30 })
  await sweep.run()
  await world.query('UPDATE token SET risk_score = 20 WHERE id = 1')
  await sweep.run()
  expect(await world.messages()).toEqual([{ alertId: 'a', status: 'pending', tokens: [1] }])
})

test('a token that grows too old stops matching, and is not reported again when it changes', async () => {
  await world.block(1, START + 3_000, { 1: { liquidityUsd: 60 } })
  await world.alert('a', owner, { maxAgeHours: 1 })
  await sweep.run()
  await world.block(2, START + 7_200)
  await sweep.run()
  clock.advance(10 * MINUTE_MS)
  await world.block(3, START + 7_300, { 1: { liquidityUsd: 70 } })
  await sweep.run()
  expect(await world.messages()).toHaveLength(1)
})

describe('a reorganisation', () => {
  test('that undoes a match before the mail is sent cancels the mail and the trigger time', async () => {
    await world.block(1, START, { 1: {} })
    await world.alert('a', owner, { minLiquidityUsd: 50 })
    await sweep.run()
    await world.block(2, START + 1, { 1: { liquidityUsd: 60 } }, '0x2a')
    await sweep.run()
    expect(await world.triggeredAt('a')).not.toBeNull()
    await world.block(2, START + 1, { 1: {} }, '0x2b')
    await sweep.run()
    expect(await world.messages()).toEqual([{ alertId: 'a', status: 'cancelled', tokens: [] }])
    expect(await world.triggeredAt('a')).toBeNull()
    await world.block(3, START + 2, { 1: { liquidityUsd: 60 } })
    await sweep.run()
    expect(await world.messages()).toContainEqual({ alertId: 'a', status: 'pending', tokens: [1] })
  })

  test('changes nothing if the token also matches on the new blocks', async () => {
    await world.block(1, START, { 1: {} })
    await world.alert('a', owner, { minLiquidityUsd: 50 })
    await sweep.run()
    await world.block(2, START + 1, { 1: { liquidityUsd: 60 } }, '0x2a')
    await sweep.run()
    await world.block(2, START + 1, { 1: { liquidityUsd: 65 } }, '0x2b')
    await sweep.run()
    await world.block(2, START + 1, { 1: { liquidityUsd: 66 } }, '0x2c')
    await sweep.run()
    expect(await world.messages()).toEqual([{ alertId: 'a', status: 'pending', tokens: [1] }])
  })

  test('that removes a token cancels its pending mail', async () => {
    await world.block(1, START)
    await world.alert('a', owner, {})
    await sweep.run()
    await world.block(2, START + 1, { 1: {} }, '0x2a')
    await sweep.run()
    await world.forget(1)
    await world.block(2, START + 1, {}, '0x2b')
    await sweep.run()
    expect(await world.messages()).toEqual([{ alertId: 'a', status: 'cancelled', tokens: [] }])
  })
})

test('a message that a failover lost is written again with the same id, and other tokens or another message have another', async () => {
  const readIds = async () =>
    (await database.pool.query<{ id: string }>('SELECT id FROM alert_message ORDER BY created_at')).rows.map(
      ({ id }) => id,
    )
  const tell = async (tokens: Record<number, object>) => {
    await world.reset()
    const account = await world.account()
    await world.block(1, START, tokens)
    await world.alert('a', account, {})
    await createSweep({ database, clock, maxLag: 10 }).run()
    return readIds()
  }
  const [first] = await tell({ 1: {}, 2: {} })
  clock.advance(20_000)
  expect(await tell({ 1: { liquidityUsd: 5 }, 2: {} })).toEqual([first])
  expect(await tell({ 1: {}, 2: {}, 3: {} })).not.toContain(first)
  // A second message of the alert, and one after a cancelled one.
  await tell({ 1: {}, 2: {} })
  await world.query(`UPDATE alert_notice SET message_id = NULL`)
  await world.query(`UPDATE alert SET last_message_at = NULL`)
  clock.advance(10 * MINUTE_MS)
  await world.block(2, START + 60)
  await createSweep({ database, clock, maxLag: 10 }).run()
  expect((await readIds()).length).toBe(2)
  expect(new Set(await readIds()).size).toBe(2)
})

test('nothing is matched while the index is far behind the head of the chain', async () => {
  await world.alert('a', owner, {})
  await world.block(1, START, { 1: {} })
  await world.query('UPDATE chain SET source_head = 100')
  await sweep.run()
  expect(await world.messages()).toEqual([])
})

test('two concurrent sweepers write each match once, and either can continue', async () => {
  const other = createSweep({ database, clock, maxLag: 10 })
  await world.block(1, START, { 1: {}, 2: {}, 3: {} })
  await world.alert('a', owner, { minLiquidityUsd: 50 })
  await Promise.all([sweep.run(), other.run()])
  for (const block of [2, 3, 4]) {
    clock.advance(10 * MINUTE_MS)
    await world.block(block, START + block, { [block - 1]: { liquidityUsd: 60 } })
    await Promise.all([sweep.run(), other.run(), sweep.run().then(() => other.run())])
  }
  expect((await world.messages()).map((message) => message.tokens)).toEqual([[1], [2], [3]])
})

/** The native coin and a hub. */
const UNITS = [1_000_000, 1_000_001]

test('for any tokens and filters, an alert reports exactly the tokens that begin to match GET /tokens', async () => {
  const setting: fc.Arbitrary<TokenSetting> = fc.record({
    liquidityUsd: fc.constantFrom(0, 50, 100),
    marketCapUsd: fc.constantFrom(0, 50, 100),
    unit: fc.constantFrom(...UNITS, 0),
    riskScore: fc.constantFrom(10, 30, 60),
    riskFlags: fc.constantFrom<RiskFlag[]>([], ['wash_trading'], ['sybil_cluster']),
    sniperHeldPct: fc.constantFrom(null, 0, 5, 20),
    fundedHolderCount: fc.constantFrom(5, 10),
    fundedHolderCount1hAgo: fc.constantFrom(5, 10),
  })
  // 0: the unit has no price.
  const unitUsd = fc.constantFrom(0, 0.5, 1, 2)
  const filter: fc.Arbitrary<TokenFilter> = fc.record(
    {
      minLiquidityUsd: fc.constantFrom(50, 100),
      maxMarketCapUsd: fc.constantFrom(0, 50),
      minMarketCapUsd: fc.constantFrom(50, 100),
      maxRiskScore: fc.constantFrom(10, 30),
      excludeFlags: fc.constantFrom<RiskFlag[]>(['wash_trading'], ['sybil_cluster', 'wash_trading']),
      includeFlags: fc.constantFrom<RiskFlag[]>(['wash_trading'], ['sybil_cluster', 'wash_trading']),
      maxSniperHeldPct: fc.constantFrom(5, 10),
      minSniperHeldPct: fc.constantFrom(0, 10),
      minHolderGrowth1hPct: fc.constantFrom(0, 100),
      maxAgeHours: fc.constantFrom(1, 2),
    },
    { requiredKeys: [] },
  )
  const HOUR = 3_600
  await fc.assert(
    fc.asyncProperty(
      fc.array(filter, { minLength: 1, maxLength: 6 }),
      fc.array(fc.tuple(fc.dictionary(fc.constantFrom('1', '2', '3'), setting), fc.tuple(unitUsd, unitUsd)), {
        maxLength: 5,
      }),
      async (filters, blocks) => {
        await world.reset()
        clock = createTestClock()
        sweep = createSweep({ database, clock, maxLag: 10 })
        owner = await world.account()
        for (const [place, one] of filters.entries()) await world.alert(`a${place}`, owner, one)
        const tokens = new Map<string, TokenSetting>()
        const matching = new Set<string>()
        const expected: string[] = []
        for (const [place, [changes, usd]] of blocks.entries()) {
          // Half an hour between blocks: longer than the ten minutes until an alert can fire again.
          const time = START + (place + 1) * (HOUR / 2)
          for (const [id, token] of Object.entries(changes)) tokens.set(id, token)
          await world.block(place + 1, time, changes, undefined, { ids: UNITS, usd })
          clock.advance(HOUR * 500)
          await sweep.run()
          for (const [id, token] of tokens) {
            for (const [alert, one] of filters.entries()) {
              const pair = `a${alert} ${id}`
              const facts = {
                // No condition of an alert reads these.
                ...{ address: id, symbol: '', name: '', launchpad: '', volume24hUsd: 0, holderCount: 0 },
                confidence: 'low' as const,
                liquidityUsd: 0,
                riskScore: 60,
                riskFlags: [],
                contractMarks: 0,
                fundedHolderCount: 0,
                fundedHolderCount1hAgo: 0,
                ...token,
                sniperHeldPct: token.sniperHeldPct ?? Number.NaN,
                marketCapUsd: (token.marketCapUsd ?? 0) * (!token.unit ? 1 : (usd[UNITS.indexOf(token.unit)] ?? 0)),
              }
              const holds = passes(one, { ...facts, createdAtMs: START * 1_000, nowMs: time * 1_000 })
              if (holds && !matching.has(pair)) expected.push(pair)
              if (holds) matching.add(pair)
              else matching.delete(pair)
            }
          }
        }
        const told = (await world.messages()).flatMap((message) =>
          message.tokens.map((id) => `${message.alertId} ${id}`),
        )
        expect(told.sort()).toEqual(expected.sort())
      },
    ),
    { numRuns: 20 },
  )
})
