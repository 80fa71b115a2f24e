// Receivers that take their time: whom they keep waiting, what a call holds meanwhile, and who takes over from a worker that died.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createFileMailer } from '../../src/alerts/email.ts'
import { createNotifier } from '../../src/alerts/notifier.ts'
import { createSweep } from '../../src/alerts/sweep.ts'
import { createWebhookSender } from '../../src/alerts/webhook.ts'
import { openDatabase } from '../../src/database/client.ts'
import { createAlertRows } from '../../src/ledger/account/alert.ts'
import { CLAIM_MS, claimNext, ON_THE_WAY } from '../../src/ledger/alerts/claim.ts'
import { deliverNext } from '../../src/ledger/alerts/outbox.ts'
import { createAlertWorld, START } from '../support/alerts.ts'
import { createTestClock, type TestClock } from '../support/clock.ts'
import { createTestDatabase } from '../support/database.ts'

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const database = await createTestDatabase()
const elsewhere = openDatabase(database.url, { size: 4 })
const world = createAlertWorld(database)
const held: ServerResponse[] = []
const quick: string[] = []
const server = createServer((request, response) => {
  request.resume()
  if (request.url === '/slow') held.push(response)
  else {
    quick.push(String(request.headers['webhook-id']))
    response.end()
  }
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
let clock: TestClock
beforeEach(async () => {
  await world.reset()
  held.length = 0
  quick.length = 0
  clock = createTestClock()
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await elsewhere.close()
})

/** A worker of one of two processes. */
const worker = (place: number) =>
  createNotifier({
    database: place % 2 ? elsewhere : database,
    mailer: createFileMailer({ folder: '/nowhere', from: 'a@b.example' }),
    webhooks: createWebhookSender({ clock, reach: { allowsLoopback: true }, withinMs: 3_600_000 }),
    clock,
    publicUrl: 'http://localhost:4000',
    secret: new Uint8Array(32),
    toLevel: () => 'low',
  }).run(undefined, 'webhook')

async function queue(counts: { path: string; count: number }[]) {
  await world.block(1, START, { 1: { liquidityUsd: 60 } })
  const alerts = createAlertRows(database.prisma, clock)
  for (const { path, count } of counts) {
    const owner = await world.account(`owner${path.slice(1)}@example.com`)
    for (let n = 0; n < count; n += 1) {
      const webhook = { url: `${origin}${path}`, secret }
      await alerts.create(owner, { name: `${path} ${n}`, conditions: { minLiquidityUsd: 50 }, webhook }, null)
    }
  }
  await createSweep({ database, clock, maxLag: 10 }).run()
}

test('forty webhooks of one account with a silent receiver delay no other account, and hold no transaction', async () => {
  await queue([
    { path: '/slow', count: 40 },
    { path: '/a', count: 3 },
    { path: '/b', count: 3 },
  ])
  const workers = Array.from({ length: 6 }, (_, place) => worker(place))
  await expect.poll(() => quick.length).toBe(6)
  await expect.poll(() => held.length).toBe(ON_THE_WAY)
  // The finished workers may still be storing their outcomes.
  const openTransactions = async () => {
    const { rows } = await database.pool.query(
      `SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'`,
    )
    return rows[0].n
  }
  await expect.poll(openTransactions).toBe(0)
  const answering = (async () => {
    for (let n = 0; n < 40; n += 1) {
      await expect.poll(() => held.length).toBeGreaterThan(n)
      expect(held.filter((response) => !response.writableEnded).length).toBeLessThanOrEqual(ON_THE_WAY)
      held[n]?.end()
    }
  })()
  await Promise.all([...workers, answering])
  expect(held).toHaveLength(40)
})

test('accounts take turns, the one that was served longest ago first', async () => {
  await queue([
    { path: '/a', count: 9 },
    { path: '/b', count: 2 },
    { path: '/c', count: 2 },
  ])
  await worker(0)
  const { rows } = await database.pool.query<{ name: string }>(
    'SELECT alert_name AS name FROM alert_message ORDER BY claim',
  )
  expect(rows.map(({ name }) => name.slice(1, 2)).join('')).toBe('abcabcaaaaaaa')
})

test('a message of a dead worker is taken over after its claim, with the same id, and the late outcome is dropped', async () => {
  await queue([{ path: '/a', count: 1 }])
  const claim = await claimNext(database, 'webhook', clock.now())
  expect(await worker(1)).toBe(0)
  clock.advance(CLAIM_MS)
  let late = 0
  await deliverNext(elsewhere, 'webhook', clock, async ([message]) => {
    expect(message?.id).toBe(claim?.messageIds[0])
    clock.advance(CLAIM_MS)
    late = await worker(0)
    return [{ status: 'dead', response: 'webhook unreached: late' }]
  })
  expect([late, quick]).toEqual([1, claim?.messageIds])
  expect(await world.messages()).toMatchObject([{ status: 'sent' }])
})
