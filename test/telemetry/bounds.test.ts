// The metrics of the program's limits, and the database queries that they cost.
import { expect, test } from 'vitest'
import { COUNTED, readBacklog } from '../../src/ledger/backlog.ts'
import { findBlockSeconds } from '../../src/ledger/lag.ts'
import { createMetrics } from '../../src/telemetry/metrics.ts'
import { createTestDatabase } from '../support/database.ts'
import { seedCaller, seedLedger } from '../support/seed.ts'

const WAITING = { mails: 3, oldestMailSeconds: 90, failed: 2, tokens: 5, wallets: 7 }

/** The coverage of swaps, which the indexer measures ten minutes after its start at the earliest. */
const NOT_MEASURED = { swapsBlock: null, swapsKnown: null, swapsRead: null }

test('a scrape shows the pools, the Redis breaker, refusals and the backlog', async () => {
  const metrics = createMetrics()
  metrics.watchPools({ requests: { totalCount: 4, idleCount: 1, waitingCount: 9 } })
  let isAsked = true
  metrics.watchRedis(() => isAsked)
  metrics.watchBacklog(
    async () => WAITING,
    () => 0,
  )
  metrics.refusals.inc({ code: 'UNAUTHORIZED', reason: 'bad_key' })
  const text = await metrics.text()
  for (const line of [
    'assay_pool_connections{pool="requests",state="total"} 4',
    'assay_pool_connections{pool="requests",state="idle"} 1',
    'assay_pool_connections{pool="requests",state="waiting"} 9',
    'assay_redis_breaker_open 0',
    'assay_outbox_mails 3',
    'assay_outbox_age_seconds 90',
    'assay_outbox_failed 2',
    'assay_rescore_due{kind="token"} 5',
    'assay_rescore_due{kind="wallet"} 7',
    'assay_refusals_total{code="UNAUTHORIZED",reason="bad_key"} 1',
  ])
    expect(text).toContain(`\n${line}\n`)
  isAsked = false
  expect(await metrics.text()).toContain('\nassay_redis_breaker_open 1\n')
})

test('the backlog is read from the database at most once in 15 s, however often the metrics are scraped', async () => {
  const metrics = createMetrics()
  let [nowMs, looks] = [0, 0]
  const look = async () => {
    looks += 1
    return { ...WAITING, mails: looks }
  }
  metrics.watchBacklog(look, () => nowMs)
  await Promise.all([metrics.text(), metrics.text(), metrics.text()])
  nowMs = 14_999
  expect(await metrics.text()).toContain('\nassay_outbox_mails 1\n')
  expect(looks).toBe(1)
  nowMs = 15_000
  expect(await metrics.text()).toContain('\nassay_outbox_mails 2\n')
})

test('an unavailable or silent database makes only the backlog metrics NaN', async () => {
  const metrics = createMetrics()
  metrics.watchBacklog(
    () => Promise.reject(new Error('away')),
    () => 0,
  )
  expect(await metrics.text()).toContain('\nassay_outbox_mails Nan\n')
  const silent = createMetrics()
  let looks = 0
  const neverAnswers = () => {
    looks += 1
    return new Promise<never>(() => {})
  }
  silent.watchBacklog(neverAnswers, () => 0)
  expect(await silent.text()).toContain('\nassay_outbox_mails Nan\n')
  expect(await silent.text()).toContain('\nassay_rescore_due{kind="wallet"} Nan\n')
  expect(looks).toBe(1)
})

test('the backlog is counted in the database, up to a maximum', async () => {
  const database = await createTestDatabase()
  expect(await readBacklog(database.requestPool)).toEqual({
    mails: 0,
    oldestMailSeconds: 0,
    failed: 0,
    tokens: 0,
    wallets: 0,
    unchecked: null,
    checkMethods: [],
    ...NOT_MEASURED,
    sourceSeenAt: null,
    waits: null,
    blockSeconds: null,
  })
  await seedLedger(database.pool)
  const { keyId, accountId } = await seedCaller(database.pool, 'pro')
  await database.pool.query(
    `INSERT INTO alert_message (id, alert_id, key_id, account_id, alert_name, status, created_at, next_attempt_at)
     SELECT gen_random_uuid(), 'a', $1, $2, 'a', status, now() - age::interval, now()
     FROM (VALUES ('pending', '90 s'), ('pending', '1 s'), ('sent', '1 s'), ('dead', '23 h'), ('refused', '25 h'), ('cancelled', '1 s'))
       AS m (status, age)`,
    [keyId, accountId],
  )
  await database.pool.query(`TRUNCATE score_due`)
  await database.pool.query(
    `INSERT INTO score_due (kind, id, due_at)
     SELECT 1, n, (SELECT max(time) FROM block) + (n - 2) * interval '1 hour' FROM generate_series(1, 5) AS n`,
  )
  await database.pool.query(
    `INSERT INTO score_due (kind, id, due_at) SELECT 2, n, 'epoch' FROM generate_series(1, $1::int) AS n`,
    [COUNTED + 10],
  )
  // The first token was checked once and is due again; the others wait for their first check, one after a failure.
  await database.pool.query(`INSERT INTO safety_due (token_id, due_at) SELECT id, 'epoch' FROM token WHERE id <= 3`)
  await database.pool.query(`UPDATE safety_due SET due_at = 'infinity' WHERE token_id = 3`)
  await database.pool.query(
    `INSERT INTO token_safety (token_id, checked_block, checked_at, marks, insiders, contracts, report) VALUES (1, 1, now(), 0, '{}', '{}', '')`,
  )
  const { oldestMailSeconds, sourceSeenAt, blockSeconds, ...counts } = await readBacklog(database.requestPool)
  expect(counts).toEqual({
    mails: 2,
    failed: 1,
    tokens: 2,
    wallets: COUNTED,
    unchecked: 2,
    checkMethods: [],
    ...NOT_MEASURED,
    waits: null,
  })
  expect(sourceSeenAt).toBeInstanceOf(Date)
  expect(blockSeconds).toBe(await findBlockSeconds(database.pool))
  expect(Math.round(oldestMailSeconds / 10)).toBe(9)
})
