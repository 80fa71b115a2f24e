// Checks that somebody asked for: they are made before others, and the caller waits for the stored and scored result.
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { Address } from '../../src/base/address.ts'
import { systemClock } from '../../src/base/clock.ts'
import { type CheckContract, createContractChecks } from '../../src/indexing/contract-checks.ts'
import { createRescore } from '../../src/indexing/rescore.ts'
import { preferChecks, tellMissing } from '../../src/ledger/safety/ask.ts'
import { createCheckDesk } from '../../src/ledger/safety/desk.ts'
import { createCheckSteps } from '../../src/stream/check-steps.ts'
import { createMetrics } from '../../src/telemetry/metrics.ts'
import { createTestDatabase } from '../support/database.ts'
import { untilThere } from '../support/patience.ts'
import { createReport } from '../support/safety-report.ts'
import { HEAD_TIME, seedLedger, tokenAddress } from '../support/seed.ts'

const database = await createTestDatabase()
const { pool } = database
await seedLedger(pool)
const TOKENS = [2, 3, 4].map((n) => tokenAddress(n) as Address)
const [FIRST, SECOND, THIRD] = TOKENS as [Address, Address, Address]
const WISH = { withinMs: 120_000, freshSeconds: 10 }
const ONCE = { withinMs: 1, freshSeconds: 10 }
const { rows: heads } = await pool.query<{ number: number }>('SELECT max(number) AS number FROM block')
const toReport = (token: Address) => ({ ...createReport({ block: heads[0]?.number ?? 0, at: HEAD_TIME }), token })
const desk = createCheckDesk(database, systemClock)
afterAll(() => desk.stop())

const idOf = async (token: Address): Promise<number> =>
  (await pool.query<{ id: number }>('SELECT id FROM token WHERE address = $1', [token])).rows[0]?.id ?? 0
const readAsked = async () =>
  (
    await pool.query<{ address: Address }>(
      'SELECT t.address FROM safety_due d JOIN token t ON t.id = d.token_id WHERE d.asked_at IS NOT NULL ORDER BY d.asked_at',
    )
  ).rows.map(({ address }) => address)

beforeEach(async () => {
  await pool.query('TRUNCATE token_safety, safety_due, undo')
  await pool.query('UPDATE token SET buyer_count = 0, holder_count = 0, liquidity_usd = 0')
  await pool.query(`UPDATE token SET indexed = true, kind = 'erc20' WHERE address = ANY($1)`, [TOKENS])
  await pool.query('UPDATE chain SET checks_off = NULL, checks_exempt = $1', [[]])
  for (const [at, token] of TOKENS.entries())
    await pool.query('INSERT INTO safety_due (token_id, due_at) VALUES ($1, to_timestamp($2::float8))', [
      await idOf(token),
      HEAD_TIME - 100 + at,
    ])
})

/** An indexer that checks, stores and scores, until it is stopped; `stores`: whether it stores. */
function startIndexer(check: CheckContract, stores = true) {
  const stopping = new AbortController()
  const checks = createContractChecks({
    ...{ database, check, callsPerMinute: Number.POSITIVE_INFINITY, metrics: createMetrics(), clock: systemClock },
    ...{ log: { info: () => {}, warn: () => {}, debug: () => {} }, quotes: [], everySeconds: 3_600 },
    ...{ seedOf: () => 'seed', rules: { wrappedNative: tokenAddress(1) as Address, venues: new Map() } },
  })
  const rescore = createRescore({ database, preset: { sectors: {} } })
  const store = async () => {
    while (!stopping.signal.aborted) {
      if (stores && checks.hasFound()) {
        await checks.store()
        await rescore.run()
      }
      await systemClock.sleep(20, stopping.signal)
    }
  }
  const work = Promise.all([checks.run(stopping.signal), store()])
  return {
    checks,
    stop: async () => {
      stopping.abort()
      await work
    },
  }
}

describe('a check that somebody asks for', () => {
  test('is made before those that are due for longer, and serves all who wait for it', async () => {
    const made: Address[] = []
    const asking = Promise.all([desk.check(THIRD, WISH), desk.check(THIRD, WISH)])
    await untilThere(
      async () => (await readAsked()).length === 1,
      () => 'nothing came',
    )
    const indexer = startIndexer(async ({ token }) => {
      made.push(token)
      return toReport(token)
    })
    expect(await asking).toEqual(['checked', 'checked'])
    await untilThere(
      () => made.length === 3,
      () => 'nothing came',
    )
    await indexer.stop()
    expect(made).toEqual([THIRD, FIRST, SECOND])
    const { rows } = await pool.query('SELECT checked_block FROM token_safety WHERE token_id = $1', [await idOf(THIRD)])
    expect(rows).toHaveLength(1)
    expect(await readAsked()).toEqual([])
  })

  test('wakes the indexer once when its report is there, which others do not', async () => {
    const made: Address[] = []
    const { checks, stop } = startIndexer(async ({ token }) => {
      made.push(token)
      return toReport(token)
    }, false)
    const signal = checks.wake()
    await untilThere(
      () => made.length === 3,
      () => 'nothing came',
    )
    expect(signal.aborted).toBe(false)
    await pool.query('UPDATE safety_due SET due_at = to_timestamp($1::float8)', [HEAD_TIME + 3_600])
    checks.forget()
    expect(await desk.check(THIRD, ONCE)).toBe('waits')
    await untilThere(
      () => signal.aborted,
      () => 'nobody woke the indexer',
    )
    expect(checks.hasFound()).toBe(true)
    expect(checks.wake()).toBe(signal)
    expect(checks.wake().aborted).toBe(false)
    await stop()
  })

  test('is not made again while the newest one is fresh', async () => {
    let made = 0
    const indexer = startIndexer(async ({ token }) => {
      made += 1
      return toReport(token)
    })
    await untilThere(
      async () => (await pool.query('SELECT FROM token_safety')).rowCount === 3,
      () => 'nothing came',
    )
    expect(await desk.check(FIRST, WISH)).toBe('checked')
    expect(await desk.check(FIRST, WISH)).toBe('checked')
    await indexer.stop()
    expect(made).toBe(3)
  })

  test('is followed step by step while it is made, with the number of holders that it tries', async () => {
    const seen: string[] = []
    const reading = new AbortController()
    const steps = createCheckSteps(database, systemClock, { fail: () => {}, pass: () => {} })
    const following = (async () => {
      for await (const progress of steps.follow(THIRD, reading.signal))
        seen.push(progress ? `${progress.step} ${progress.holders}` : 'none')
    })()
    const isSeen = (step: string) =>
      untilThere(
        () => seen.includes(step),
        () => `${step} is not among ${seen.join(', ')}`,
      )
    await isSeen('none')
    const asking = desk.check(THIRD, WISH)
    await isSeen('waiting null')
    const indexer = startIndexer(async ({ token }, _signal, _maxCalls, tell = () => {}) => {
      if (token !== THIRD) return toReport(token)
      await isSeen('reading null')
      tell('trials', 8)
      await isSeen('trials 8')
      tell('powers')
      await isSeen('powers null')
      return toReport(token)
    })
    expect(await asking).toBe('checked')
    await indexer.stop()
    await untilThere(
      () => seen.at(-1) === 'none',
      () => `${seen.at(-1)} lasts`,
    )
    expect(seen.slice(0, 5)).toEqual(['none', 'waiting null', 'reading null', 'trials 8', 'powers null'])
    reading.abort()
    await following
    steps.stop()
  })

  test('that fails is said to have failed, and waits like any other from then on', async () => {
    const indexer = startIndexer(async ({ token }) => {
      if (token === SECOND) throw new Error('the node answers nonsense')
      return toReport(token)
    })
    expect(await desk.check(SECOND, WISH)).toBe('failed')
    await indexer.stop()
    expect(await readAsked()).toEqual([])
  })

  test('waits where no indexer runs, and keeps its place', async () => {
    expect([await desk.check(SECOND, ONCE), await desk.check(FIRST, ONCE)]).toEqual(['waits', 'waits'])
    expect(await desk.check(SECOND, ONCE)).toBe('waits')
    expect(await readAsked()).toEqual([SECOND, FIRST])
  })

  test('is refused with its reason where there is none', async () => {
    await pool.query(`UPDATE chain SET checks_exempt = $1`, [[FIRST]])
    await pool.query(`UPDATE token SET kind = 'lp' WHERE address = $1`, [SECOND])
    expect([await desk.check(FIRST, ONCE), await desk.check(SECOND, ONCE)]).toEqual(['vouched_by_preset', 'not_erc20'])
    await pool.query(`UPDATE chain SET checks_off = 'checks_off'`)
    expect(await desk.check(THIRD, ONCE)).toBe('checks_off')
    expect(await readAsked()).toEqual([])
  })

  test('of a token that is not indexed is refused, and the sentence says why', async () => {
    const unknown = `0x${'77'.repeat(20)}` as Address
    await pool.query('UPDATE token SET indexed = false WHERE address = $1', [FIRST])
    expect([await desk.check(unknown, ONCE), await desk.check(FIRST, ONCE)]).toEqual([null, null])
    expect(await tellMissing(pool, unknown)).toMatch(/^This token is not indexed: no log since block \d+ names it\./)
    expect(await tellMissing(pool, FIRST)).toBe('This token is not indexed: no pool of a known exchange has it.')
  })
})

test('tokens that somebody looks at move to the front if their check is due', async () => {
  await pool.query('UPDATE safety_due SET due_at = to_timestamp($1::float8) WHERE token_id = $2', [
    HEAD_TIME + 600,
    await idOf(FIRST),
  ])
  for (const token of [FIRST, THIRD, THIRD]) desk.look(await idOf(token))
  await untilThere(
    async () => (await readAsked()).length > 0,
    () => 'nothing came',
  )
  expect(await readAsked()).toEqual([THIRD])
})

test('whoever looks at many tokens puts no more than 20 checks before those that callers ask for', async () => {
  await pool.query(
    `INSERT INTO safety_due (token_id, due_at) SELECT id, to_timestamp($1::float8) FROM token
    ON CONFLICT (token_id) DO UPDATE SET due_at = excluded.due_at`,
    [HEAD_TIME - 100],
  )
  const { rows } = await pool.query<{ id: number }>('SELECT token_id AS id FROM safety_due ORDER BY token_id')
  expect(rows.length).toBeGreaterThan(21)
  await desk.check(THIRD, ONCE)
  await preferChecks(
    pool,
    rows.map(({ id }) => id),
  )
  expect(await readAsked()).toHaveLength(20)
  await preferChecks(
    pool,
    rows.map(({ id }) => id),
  )
  expect(await readAsked()).toHaveLength(20)
})
