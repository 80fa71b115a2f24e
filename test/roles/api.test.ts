// The role `api` over a database that falls silent without closing a connection, as one does whose machine is stuck, or
// whose network drops packets.
import { afterAll, expect, test } from 'vitest'
import { createKeyring } from '../../src/access/keyring.ts'
import { systemClock } from '../../src/base/clock.ts'
import { readConfig } from '../../src/base/config.ts'
import { openDatabase } from '../../src/database/client.ts'
import { startApi } from '../../src/roles/api.ts'
import { silentLog } from '../support/access.ts'
import { createTestDatabase } from '../support/database.ts'
import { startGate } from '../support/gate.ts'
import { seedLedger, tokenAddress } from '../support/seed.ts'

const straight = await createTestDatabase()
await seedLedger(straight.pool)
const gate = await startGate(straight.url)
const database = openDatabase(gate.url, { size: 4, answerWithinMs: 2_000 })
const api = await startApi({
  config: readConfig({ PORT: '0' }),
  log: silentLog,
  clock: systemClock,
  ledger: { database, url: gate.url, migrated: [], close: database.close },
  metrics: undefined,
})
const keyring = createKeyring(straight.pool, systemClock)
/** A key that has to be looked up, and whose requests are counted. */
const counted = await keyring.create({ email: 'counted@example.com', plan: 'api', requestsPerMinute: 9_999 })
/** Its requests read directly from the database. */
const free = await keyring.create({ email: 'free@example.com', plan: 'api' })
afterAll(async () => {
  gate.resume()
  await api.stop()
  await database.close()
  gate.cut()
})

const ALERT = { name: 'Any', conditions: {}, notification_channel: 'email' }
const post = (path: string, body: unknown): [string, RequestInit] => [
  path,
  { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } },
]
const REQUESTS: [path: string, init?: RequestInit][] = [
  ['/v1/tokens'],
  [`/v1/tokens/${tokenAddress(1)}`],
  ['/v1/events?type=swap'],
  ['/v1/alerts'],
  post('/v1/alerts', ALERT),
  post('/graphql', { query: '{ tokens { nodes { address } } me { usage { requests } } }' }),
]

async function ask({ key }: { key: string }): Promise<number[]> {
  const answers = REQUESTS.map(([path, init]) =>
    fetch(`${api.address}${path}`, { ...init, headers: { ...init?.headers, authorization: `Bearer ${key}` } }),
  )
  return Promise.all(answers.map(async (answer) => (await answer).status))
}

test('requests are refused with 503 once the database is known to be silent, and served as soon as it is not', async () => {
  const well = [200, 200, 200, 200, 201, 200]
  const readiness = async () => (await fetch(`${api.address}/readyz`)).status
  await expect.poll(() => ask(free)).toEqual(well)
  expect(await readiness()).toBe(200)
  gate.hold()
  // Until the silence is noticed, a read whose answer is kept in memory for the newest known block is still answered.
  const reads = REQUESTS.map(([path]) => !path.startsWith('/v1/alerts') && path !== '/graphql')
  for (const statuses of await Promise.all(Array.from({ length: 8 }, () => ask(free))))
    expect(statuses.map((status, at) => (reads[at] && status === 200 ? 503 : status))).toEqual(REQUESTS.map(() => 503))
  for (const key of [free, counted]) {
    const askAll = async () => new Set((await Promise.all(Array.from({ length: 8 }, () => ask(key)))).flat())
    await expect.poll(askAll).toEqual(new Set([503]))
  }
  await expect.poll(readiness).toBe(503)
  gate.resume()
  await expect.poll(readiness).toBe(200)
  await expect.poll(() => ask(counted)).toEqual(well)
  const { requestPool, pool } = database
  await expect.poll(() => requestPool.totalCount - requestPool.idleCount).toBe(0)
  await expect.poll(() => gate.countConnections() - requestPool.totalCount - pool.totalCount).toBe(0)
})
