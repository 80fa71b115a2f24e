import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { createBacktest } from '../../src/alerts/backtest.ts'
import { keepDay } from '../../src/alerts/history.ts'
import { createSweep } from '../../src/alerts/sweep.ts'
import { walletsOf } from '../../src/alerts/traded.ts'
import type { Direction, PowerKind, RiskFlag } from '../../src/base/vocabulary.ts'
import { inTransaction } from '../../src/database/transaction.ts'
import { packMarks } from '../../src/fields/contract-marks.ts'
import type { TokenFilter } from '../../src/fields/filter.ts'
import { BEFORE_HISTORY, foldHistory, readHistoryRows } from '../../src/ledger/alerts/history.ts'
import { readNamedTokens, readPastTrades } from '../../src/ledger/alerts/trades.ts'
import { addressOf, createAlertWorld, START, type TokenSetting } from '../support/alerts.ts'
import { createTestClock, type TestClock } from '../support/clock.ts'
import { createTestDatabase } from '../support/database.ts'

const database = await createTestDatabase()
const world = createAlertWorld(database)
const HOUR = 3_600
const DAY = 86_400
let clock: TestClock
let sweep: ReturnType<typeof createSweep>
let owner: { accountId: number; keyId: number }

async function begin(): Promise<void> {
  await world.reset()
  clock = createTestClock()
  sweep = createSweep({ database, clock, maxLag: 10 })
  owner = await world.account()
}
beforeEach(begin)

const rowsUpTo = async (toSeconds: number) =>
  readHistoryRows((text, values) => database.pool.query(text as never, values), BEFORE_HISTORY, toSeconds * 1_000)

/** The findings of a backtest, as "token at block". */
async function backtest(filter: TokenFilter, from = START, to = START + 60 * DAY) {
  const send = (text: unknown, values?: unknown[]) => database.pool.query(text as never, values)
  const addresses = await readNamedTokens(send as never, filter.tokens ?? [])
  const trades = await readPastTrades(send as never, walletsOf(filter), from * 1_000)
  const test = createBacktest(filter, from * 1_000, { addresses, trades })
  for (const row of await rowsUpTo(to)) test.add(row)
  return test.result()
}
const listed = async (filter: TokenFilter, from?: number) =>
  (await backtest(filter, from)).matches.map(({ tokenId, blockNumber }) => `${tokenId} at ${blockNumber}`).sort()

/** The messages of an alert, except those of the first sweep, which had no former state. */
const sent = async (alert: string) => {
  const { rows } = await world.query(
    'SELECT token_id, block_number FROM alert_notice WHERE alert_id = $1 AND block_number > 1 ORDER BY id',
    [alert],
  )
  return rows.map(({ token_id, block_number }) => `${token_id} at ${block_number}`).sort()
}

const UNITS = [1_000_000, 1_000_001]
const checked = { isChecked: true, sellable: true, sellTaxPct: 0, powers: [], ownerChanged: false } as const
const MARKS = [
  packMarks(checked),
  packMarks({ ...checked, sellTaxPct: 30, powers: ['fee'], ownerChanged: true }),
  packMarks({ ...checked, sellable: false, sellTaxPct: null, powers: ['pause', 'mint'] }),
  packMarks({ ...checked, sellable: null, sellTaxPct: null, powers: null }),
]
const setting: fc.Arbitrary<TokenSetting> = fc.record({
  liquidityUsd: fc.constantFrom(0, 50, 100),
  marketCapUsd: fc.constantFrom(0, 50, 100),
  unit: fc.constantFrom(...UNITS, 0),
  riskScore: fc.constantFrom(10, 30, 60),
  riskFlags: fc.constantFrom<RiskFlag[]>([], ['wash_trading'], ['sybil_cluster']),
  fundedHolderCount: fc.constantFrom(5, 10),
  fundedHolderCount1hAgo: fc.constantFrom(5, 10),
  contractMarks: fc.constantFrom(0, ...MARKS),
})
const conditions: fc.Arbitrary<TokenFilter> = fc.record({
  minLiquidityUsd: fc.constantFrom(50, 100),
  maxMarketCapUsd: fc.constantFrom(0, 50, 51),
  minMarketCapUsd: fc.constantFrom(50, 100),
  maxRiskScore: fc.constantFrom(10, 30),
  minRiskScore: fc.constantFrom(30, 60),
  tokens: fc.constantFrom([addressOf(1)], [addressOf(2), addressOf(3)]),
  boughtBy: fc.constantFrom([addressOf(901)], [addressOf(901), addressOf(902)]),
  soldBy: fc.constant([addressOf(901)]),
  tradedBy: fc.constantFrom([addressOf(901)], [addressOf(902)]),
  excludeFlags: fc.constantFrom<RiskFlag[]>(['wash_trading'], ['sybil_cluster', 'wash_trading']),
  includeFlags: fc.constantFrom<RiskFlag[]>(['wash_trading'], ['sybil_cluster', 'wash_trading']),
  minHolderGrowth1hPct: fc.constantFrom(0, 100),
  maxAgeHours: fc.constantFrom(1, 2),
  contractChecked: fc.boolean(),
  sellable: fc.boolean(),
  minSellTaxPct: fc.constantFrom(0, 10),
  maxSellTaxPct: fc.constantFrom(0, 30),
  excludePowers: fc.constantFrom<PowerKind[]>(['fee'], ['mint', 'take']),
  includePowers: fc.constantFrom<PowerKind[]>(['pause'], ['fee', 'mint']),
  ownerChanged: fc.boolean(),
})
/** Bounds of a trade, which need a wallet. */
const size: fc.Arbitrary<TokenFilter> = fc.constantFrom<TokenFilter[]>(
  ...[
    {},
    { minAmountUsd: 100 },
    { minAmountUsd: 900 },
    { maxAmountUsd: 100 },
    { minAmountUsd: 101, maxAmountUsd: 899 },
  ],
)
/** Up to three conditions: with more of them hardly a token matches. */
const filter: fc.Arbitrary<TokenFilter> = conditions.chain((drawn) =>
  fc.tuple(fc.subarray(Object.entries(drawn), { maxLength: 3 }), size).map(([kept, bounds]): TokenFilter => {
    const wanted: TokenFilter = Object.fromEntries(kept)
    return walletsOf(wanted).length > 0 ? { ...wanted, ...bounds } : wanted
  }),
)
const unitUsd = fc.constantFrom(0, 0.5, 0.999, 1, 1.01, 2)
const step = fc.record({
  changes: fc.dictionary(fc.constantFrom('1', '2', '3'), setting),
  usd: fc.tuple(unitUsd, unitUsd),
  /** Minutes since the block before: sometimes fewer than the ten until an alert may fire again. */
  minutes: fc.constantFrom(4, 12, 40),
  trades: fc.array(
    fc.record({
      token: fc.constantFrom(1, 2, 3),
      wallet: fc.constantFrom(901, 902, 903),
      direction: fc.constantFrom<Direction>('buy', 'sell'),
      usd: fc.constantFrom(0, 100, 800),
    }),
    { maxLength: 3 },
  ),
  /** Whether the newest block is replaced first, with other values of tokens. */
  reorg: fc.boolean(),
})

test('for any tokens, prices and reorganisations, a backtest finds the messages of live alerts with the same conditions', async () => {
  let found = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(filter, { minLength: 1, maxLength: 5 }),
      fc.array(step, { minLength: 2, maxLength: 7 }),
      async (filters, steps) => {
        await begin()
        for (const [place, one] of filters.entries()) await world.alert(`a${place}`, owner, one)
        let time = START
        const tokens: Record<string, TokenSetting> = {}
        let moves = 0
        for (const [place, { changes, trades, usd, minutes, reorg }] of steps.entries()) {
          const happen = async (number: number, all: boolean, hash?: string) => {
            Object.assign(tokens, changes)
            // A trade moves the liquidity of its token.
            for (const { token } of trades)
              tokens[token] = { ...tokens[token], liquidityUsd: (tokens[token]?.liquidityUsd ?? 0) + ++moves / 1_000 }
            const moved = [...Object.keys(changes), ...trades.map(({ token }) => String(token))]
            const written = all ? tokens : Object.fromEntries(moved.map((id) => [id, tokens[id] ?? {}]))
            await world.block(number, time, written, hash, { ids: UNITS, usd })
            for (const trade of trades) await world.trade(number, time, trade)
            clock.advance(HOUR * 1_000)
            await sweep.run()
          }
          if (reorg && place > 1) await happen(place, true, `0x${place}b`)
          time += minutes * 60
          await happen(place + 1, false)
        }
        for (const [place, one] of filters.entries()) {
          const matches = await listed(one)
          found += matches.length
          expect(matches).toEqual(await sent(`a${place}`))
        }
      },
    ),
    { numRuns: 25 },
  )
  expect(found).toBeGreaterThan(25)
})

describe('a reorganisation', () => {
  const filters: TokenFilter = { minLiquidityUsd: 50 }

  beforeEach(async () => {
    await world.alert('a', owner, filters)
    await world.block(1, START, { 1: {}, 2: {} })
    await sweep.run()
    clock.advance(HOUR * 1_000)
    await world.block(2, START + HOUR, { 1: { liquidityUsd: 60 }, 2: { liquidityUsd: 60 } }, '0x2a')
    await sweep.run()
    expect(await listed(filters)).toEqual(['1 at 2', '2 at 2'])
  })

  test('takes matches back at once, before the next sweep', async () => {
    await world.block(2, START + HOUR, { 1: {}, 2: {} }, '0x2b')
    expect(await listed(filters)).toEqual([])
  })

  test('moves a match that holds on the new blocks too to the block that the alert names', async () => {
    await world.block(2, START + HOUR, { 1: {} }, '0x2b')
    await world.block(3, START + HOUR + 60, { 2: { liquidityUsd: 61 } })
    await sweep.run()
    expect(await listed(filters)).toEqual(['2 at 3'])
    expect(await listed(filters)).toEqual(await sent('a'))
    await world.block(4, START + 2 * HOUR, { 1: { liquidityUsd: 70 } })
    clock.advance(HOUR * 1_000)
    await sweep.run()
    expect(await listed(filters)).toEqual(['1 at 4', '2 at 3'])
    expect(await listed(filters)).toEqual(await sent('a'))
  })
})

describe('a backtest', () => {
  test('leaves out what matched already at its beginning, as a new alert reports it as initial', async () => {
    await world.block(1, START, { 1: {}, 2: {} })
    await sweep.run()
    await world.block(2, START + HOUR, { 1: { liquidityUsd: 60 } })
    await sweep.run()
    await world.block(3, START + 2 * HOUR, { 1: { liquidityUsd: 70 }, 2: { liquidityUsd: 60 } })
    await sweep.run()
    expect(await listed({ minLiquidityUsd: 50 }, START + HOUR + 1)).toEqual(['2 at 3'])
  })

  test('names the price of the block, in dollars also where the token is kept in a unit', async () => {
    const units = (usd: number) => ({ ids: [UNITS[0]!], usd: [usd] })
    await world.block(1, START, { 1: { marketCapUsd: 10, unit: UNITS[0]! } }, undefined, units(2))
    await sweep.run()
    await world.block(2, START + HOUR, {}, undefined, units(3))
    await sweep.run()
    expect((await backtest({ minMarketCapUsd: 30 })).matches).toMatchObject([
      { tokenId: 1, blockNumber: 2, priceUsd: 3, isExact: true },
    ])
  })

  test('has the ends of days of the first indexing, and marks them as not exact', async () => {
    await world.block(1, START, { 1: {}, 2: {} })
    await keepDay(database)
    await world.block(2, START + DAY, { 1: { liquidityUsd: 60 } })
    await keepDay(database)
    await world.block(3, START + DAY + 60, { 2: { liquidityUsd: 60 } })
    await sweep.run()
    await world.block(4, START + 2 * DAY, {})
    await keepDay(database)
    const { matches, sinceMs, exactSinceMs } = await backtest({ minLiquidityUsd: 50 })
    expect(matches).toMatchObject([
      { tokenId: 1, blockNumber: 2, isExact: false },
      { tokenId: 2, blockNumber: 3, isExact: true },
    ])
    expect([sinceMs, exactSinceMs]).toEqual([START * 1_000, (START + DAY + 60) * 1_000])
    expect((await rowsUpTo(START + 9 * DAY)).map(({ kind }) => kind)).toEqual(['day', 'day', 'sweep'])
  })

  test('of a time whose beginning was folded into one state finds the same', async () => {
    const tokens = [...Array(12).keys()]
    for (const day of tokens) {
      await world.block(day + 1, START + day * 4 * DAY, {
        [day + 1]: {},
        ...(day > 0 && { [day]: { liquidityUsd: 60 + day } }),
      })
      await world.query('UPDATE chain SET finalized = $1', [day])
      await sweep.run()
    }
    const head = START + 44 * DAY
    const recent = () => listed({ minLiquidityUsd: 65 }, head - 20 * DAY)
    const before = await recent()
    expect(before).toHaveLength(6)
    const kinds = (await rowsUpTo(head)).map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind === 'base')).toHaveLength(1)
    expect(kinds).toHaveLength(9)
    expect(
      await inTransaction(database.pool, (client) => foldHistory(client, (head + 8 * DAY) * 1_000)),
    ).toBeGreaterThan(1)
    expect((await rowsUpTo(head)).length).toBeLessThan(9)
    expect(await recent()).toEqual(before)
  })

  test('sees nothing in a sweep in which nothing changed', async () => {
    await world.block(1, START, { 1: {} })
    await sweep.run()
    await world.block(2, START + 1, { 1: {} })
    await sweep.run()
    expect(await rowsUpTo(START + 9)).toHaveLength(1)
  })
})
