import { afterAll, beforeEach, expect, test } from 'vitest'
import type { Address } from '../../src/base/address.ts'
import { type Clock, systemClock } from '../../src/base/clock.ts'
import { RpcError } from '../../src/chain/rpc/error.ts'
import { type CheckContract, createContractChecks } from '../../src/indexing/contract-checks.ts'
import { createRescore } from '../../src/indexing/rescore.ts'
import { notifyHead } from '../../src/ledger/head.ts'
import { saveCheckSetting } from '../../src/ledger/safety/methods.ts'
import { requeueScores, restoreImages } from '../../src/ledger/undo.ts'
import type { Power, SafetyReport } from '../../src/safety/report.ts'
import { createMetrics } from '../../src/telemetry/metrics.ts'
import { toCount } from '../../src/words/numbers.ts'
import { createTestDatabase } from '../support/database.ts'
import { NOW } from '../support/facts.ts'
import { openGraph, SOMEBODY } from '../support/graph.ts'
import { createReport } from '../support/safety-report.ts'
import { HEAD_TIME, seedLedger, tokenAddress, walletAddress } from '../support/seed.ts'

const database = await createTestDatabase()
await seedLedger(database.pool)
const graph = await openGraph(database)
afterAll(() => graph.head.stop())
const { rows: heads } = await database.pool.query('SELECT max(number) AS number FROM block')
const HEAD: number = heads[0].number
const TOKEN = tokenAddress(2) as Address
const quiet = { info: () => {}, warn: () => {}, debug: () => {} }

const { sellCheck } = createReport({ block: HEAD, at: HEAD_TIME, sellCheck: { method: 'transfer' } })
const report = (more: Partial<SafetyReport> = {}): SafetyReport =>
  createReport({ token: TOKEN, block: HEAD, at: HEAD_TIME, sellCheck, ...more })

const TRAP = report({
  sellCheck: { ...report().sellCheck, sellable: false, holdersBlocked: 8, refusal: 'not open' },
  findings: [{ name: 'cannot_sell', strength: 95, numbers: { tried: 8, blocked: 8 }, power: null, call: null }],
  floor: 95,
})

const POWER: Power = {
  ...{ kind: 'pause', function: 'pause()', contract: TOKEN, holder: null, holderKind: 'account', renounced: false },
  ...{ delaySeconds: 0, hidden: false, proven: true, call: null },
}

const checksOf = (
  check: CheckContract,
  callsPerMinute = 1_000,
  metrics = createMetrics(),
  clock: Clock = systemClock,
) =>
  createContractChecks({
    ...{
      database,
      check,
      callsPerMinute,
      metrics,
      clock,
      log: quiet,
      quotes: [],
      everySeconds: 3_600,
      seedOf: () => 'seed',
    },
    rules: { wrappedNative: tokenAddress(1) as Address, venues: new Map() },
  })
const signal = new AbortController().signal

beforeEach(async () => {
  await database.pool.query('TRUNCATE token_safety, safety_due, undo')
  await database.pool.query('UPDATE token SET buyer_count = 0, holder_count = 0')
  await database.pool.query(
    `UPDATE token SET buyer_count = 10, liquidity_usd = 1000, indexed = true, kind = 'erc20'
    WHERE address = $1`,
    [TOKEN],
  )
})

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers by path
const ask = async (fields: string): Promise<any> =>
  (await graph.execute(`{ token(address: "${TOKEN}") { ${fields} } }`, {}, SOMEBODY)).data?.token

test('a token with $1,000 of liquidity and ten buyers is checked, and one with less is not', async () => {
  const asked: string[] = []
  const checks = checksOf(async ({ token }) => {
    asked.push(token)
    return report()
  })
  await checks.drain(5_000, signal)
  expect(asked).toEqual([TOKEN])
})

test('while the node lacks the state of the index, its checks are tried ever more rarely, at least once a minute', async () => {
  const stopping = new AbortController()
  const pauses: number[] = []
  const clock: Clock = {
    ...systemClock,
    sleep: async (ms) => {
      pauses.push(ms)
      if (pauses.length === 8) stopping.abort()
    },
  }
  const lacking = checksOf(
    async () => {
      throw new RpcError('pruned', 'missing trie node')
    },
    1_000,
    createMetrics(),
    clock,
  )
  await lacking.run(stopping.signal)
  expect(pauses).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000])
})

test('a token that was never checked is said to be not checked', async () => {
  expect(await ask('sellCheck { status sellable reason checkedBlock } powers { kind }')).toEqual({
    sellCheck: { status: 'not_checked', sellable: null, reason: 'waits_for_check', checkedBlock: null },
    powers: null,
  })
})

test('the findings of a check are shown, raise the score, and are rolled back with its block', async () => {
  const checks = checksOf(async () => TRAP)
  await checks.drain(5_000, signal)
  await checks.store()
  await createRescore({ database, preset: { sectors: {} } }).run()
  await graph.head.refresh()
  const shown = await ask(
    'riskScore riskLevel sellCheck { sellable holdersBlocked refusal } contractFindings { name text }',
  )
  expect(shown).toMatchObject({
    riskLevel: 'critical',
    sellCheck: { sellable: false, holdersBlocked: 8, refusal: 'not open' },
    contractFindings: [{ name: 'cannot_sell', text: `8 of 8 holders could not sell at block ${toCount(HEAD)}` }],
  })
  expect(shown.riskScore).toBeGreaterThanOrEqual(95)
  const client = await database.pool.connect()
  await restoreImages(client, HEAD - 1)
  await requeueScores(client, HEAD - 1, NOW)
  client.release()
  expect((await database.pool.query('SELECT FROM token_safety')).rowCount).toBe(0)
})

test('a token that failed to be checked waits, and a checked one is not checked again within the hour', async () => {
  const checks = checksOf(async () => null)
  await checks.drain(5_000, signal)
  await checks.store()
  const { rows } = await database.pool.query<{ due: number }>(
    `SELECT date_part('epoch', due_at) AS due FROM safety_due`,
  )
  expect(rows).toEqual([{ due: HEAD_TIME + 300 }])
})

test('a call of an insider makes the check due a minute after the last one, and a call of a stranger does not', async () => {
  const [owner, guard, stranger] = [walletAddress(5), walletAddress(6), walletAddress(7)] as Address[]
  const power = { ...POWER, holder: owner as Address, contract: guard as Address }
  let asked = 0
  const checks = checksOf(async () => {
    asked += 1
    return report({ powers: [power] })
  })
  const dueIn = async () => {
    const { rows } = await database.pool.query<{ due: number }>(
      `SELECT date_part('epoch', due_at) AS due FROM safety_due`,
    )
    return (rows[0]?.due ?? 0) - HEAD_TIME
  }
  await checks.drain(5_000, signal)
  await checks.store()
  expect([asked, await dueIn()]).toEqual([1, 86_400])
  const call = (from: Address | undefined, to: Address | undefined) => ({ from: from as Address, to: to as Address })
  checks.note([{ calls: [call(stranger, TOKEN), call(owner, stranger)] }, {}])
  await checks.drain(1_000, signal)
  expect(await dueIn()).toBe(86_400)
  checks.note([{ calls: [call(owner, guard)] }])
  await checks.drain(1_000, signal)
  expect([asked, await dueIn()]).toEqual([1, 60])
})

test('no check begins in a minute that has fewer calls left than a check may send', async () => {
  await database.pool.query(`UPDATE token SET buyer_count = 10, liquidity_usd = 1000 WHERE indexed AND kind = 'erc20'`)
  let asked = 0
  const checks = checksOf(async () => {
    asked += 1
    return report({ calls: 60 })
  }, 260)
  await checks.drain(5_000, signal)
  expect(asked).toBe(2)
})

test('a token that was never checked has its reason', async () => {
  const { pool } = database
  const why = async () => {
    // Answers of a block share rows until the process hears of a change.
    await notifyHead(pool)
    await graph.head.refresh()
    return (await ask('sellCheck { reason }')).sellCheck.reason
  }
  expect(await why()).toBe('waits_for_check')
  await pool.query('UPDATE token SET buyer_count = 9 WHERE address = $1', [TOKEN])
  expect(await why()).toBe('few_buyers')
  await pool.query('UPDATE token SET liquidity_usd = 999 WHERE address = $1', [TOKEN])
  expect(await why()).toBe('low_liquidity')
  await saveCheckSetting(pool, { off: null, exempt: [TOKEN] })
  expect(await why()).toBe('vouched_by_preset')
  await saveCheckSetting(pool, { off: 'checks_off', exempt: [TOKEN] })
  expect(await why()).toBe('checks_off')
  await saveCheckSetting(pool, { off: 'checks_off', exempt: [] })
  expect(await why()).toBe('checks_off')
  await saveCheckSetting(pool, { off: null, exempt: [] })
})

test('the metrics tell how many checks are due, and how long the oldest has waited', async () => {
  const metrics = createMetrics()
  const checks = checksOf(async () => report(), 1_000, metrics)
  await database.pool.query('INSERT INTO safety_due SELECT id, to_timestamp($2) FROM token WHERE address = $1', [
    TOKEN,
    HEAD_TIME - 90,
  ])
  await checks.drain(5_000, signal)
  const gaugeOf = async (gauge: 'contractChecksDue' | 'contractCheckLag') =>
    (await metrics[gauge].get()).values[0]?.value
  expect([await gaugeOf('contractChecksDue'), await gaugeOf('contractCheckLag')]).toEqual([1, 90])
  await checks.store()
  await checks.drain(5_000, signal)
  expect([await gaugeOf('contractChecksDue'), await gaugeOf('contractCheckLag')]).toEqual([0, 0])
})

test('a node without the state of the index’s block ends the round: the token stays due, and nothing is stored', async () => {
  let asked = 0
  const checks = checksOf(async () => {
    asked += 1
    throw new RpcError('pruned', 'the node lost the state of block 7')
  })
  await checks.drain(5_000, signal)
  expect([asked, checks.hasFound()]).toEqual([1, false])
})

test('a report of a block that was reorganised away while it was made is dropped', async () => {
  const checks = checksOf(async () => {
    checks.forget()
    return report()
  })
  // The token is due again at once.
  await checks.drain(200, signal)
  expect(checks.hasFound()).toBe(false)
})

test('the scores of holders are due when a token ceases to be sellable and when it is again, and not in between', async () => {
  const { pool } = database
  const { rows } = await pool.query<{ id: number }>(
    `SELECT w.id FROM position p JOIN wallet w ON w.id = p.wallet_id JOIN token t ON t.id = p.token_id
      WHERE t.address = $1 AND p.balance > 0 AND w.indexed ORDER BY w.id`,
    [TOKEN],
  )
  const holders = rows.map(({ id }) => id)
  expect(holders.length).toBeGreaterThan(0)
  const dueAfter = async (found: SafetyReport) => {
    await pool.query('DELETE FROM score_due')
    await pool.query('UPDATE safety_due SET due_at = to_timestamp(0)')
    const checks = checksOf(async () => found)
    await checks.drain(5_000, signal)
    await checks.store()
    return (await pool.query<{ id: number }>('SELECT id FROM score_due WHERE kind = 2 ORDER BY id')).rows.map(
      ({ id }) => id,
    )
  }
  expect(await dueAfter(report())).toEqual([])
  expect(await dueAfter(TRAP)).toEqual(holders)
  expect(await dueAfter(TRAP)).toEqual([])
  expect(await dueAfter(report())).toEqual(holders)
})
