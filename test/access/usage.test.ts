import { beforeAll, expect, test } from 'vitest'
import { createUsage } from '../../src/access/usage.ts'
import { dayOf } from '../../src/base/clock.ts'
import { readOwnUsage, readUsage, type UsageEntry } from '../../src/ledger/account/usage.ts'
import { createTestAccess, type TestAccess } from '../support/access.ts'
import { createTestClock } from '../support/clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

let database: TestDatabase
let access: TestAccess
beforeAll(async () => {
  database = await createTestDatabase()
  access = createTestAccess(database)
})

test('usage counts requests per account and day, minus refunds, and a clean stop loses nothing', async () => {
  const { authorization } = await access.knock({ plan: 'api', email: 'meter@example.com' })
  const caller = await access.guard.authenticate(authorization, '')
  const charges = await Promise.all(Array.from({ length: 25 }, () => access.guard.charge(caller, 2)))
  await charges[0]?.refund()
  await charges[1]?.add(3)
  access.clock.advance(86_400_000)
  await access.guard.charge(caller, 1)
  await access.stop()
  const since = dayOf(Date.parse('2026-03-05') / 1000)
  const rows = await readUsage(database.pool, since, caller.accountId)
  expect(rows.map(({ date, requests }) => [date, requests])).toEqual([
    ['2026-03-06', 1],
    ['2026-03-05', 51],
  ])
  expect(rows[0]?.email).toBe('meter@example.com')
  expect(await readUsage(database.pool, since + 1)).toHaveLength(1)
})

test('usage is shown by day and route, the most used first', async () => {
  const { authorization } = await access.knock({ plan: 'api' })
  const caller = await access.guard.authenticate(authorization, '')
  await access.guard.charge(caller, 2, 'GET /v1/me')
  await access.guard.charge(caller, 5, 'GET /v1/tokens')
  await (await access.guard.charge(caller, 1, 'GET /v1/events')).refund()
  await access.guard.charge(caller, 1)
  await access.stop()
  const yesterday = new Date(access.clock.now().getTime() - 86_400_000)
  const [day, ...others] = await readOwnUsage(database.pool, caller.accountId, yesterday)
  expect(others).toEqual([])
  expect(day).toMatchObject({
    requests: 8,
    routes: [
      { route: 'GET /v1/tokens', requests: 5 },
      { route: 'GET /v1/me', requests: 2 },
      { route: 'other', requests: 1 },
    ],
  })
  expect(await readOwnUsage(database.pool, caller.accountId, access.clock.now())).toEqual([])
})

test('the last use of a key is noted to the minute', async () => {
  const { authorization, id } = await access.knock({ plan: 'api' })
  const caller = await access.guard.authenticate(authorization, '')
  const use = async (afterMs: number) => {
    access.clock.advance(afterMs)
    await access.guard.charge(caller, 1)
    await access.stop()
    const { rows } = await database.pool.query('SELECT last_used_at AS at FROM api_key WHERE id = $1', [id])
    return rows[0]?.at.getTime()
  }
  const first = await use(0)
  expect(first).toBe(access.clock.now().getTime())
  expect(await use(30_000)).toBe(first)
  expect(await use(31_000)).toBe(access.clock.now().getTime())
})

test('usage that could not be written is written the next time', async () => {
  const written: UsageEntry[][] = []
  let down = true
  const write = async (entries: UsageEntry[]) => {
    if (down) throw new Error('down')
    written.push(entries)
  }
  const usage = createUsage(write, createTestClock(), () => {})
  usage.count({ accountId: 1, day: 7, route: 'GET /v1/me', requests: 2 })
  await expect(usage.flush()).rejects.toThrow('down')
  usage.count({ accountId: 1, day: 7, route: 'GET /v1/me', requests: 3 })
  usage.count({ accountId: 1, day: 7, route: 'other', requests: 1 })
  down = false
  await usage.stop()
  expect(written).toEqual([
    [
      { accountId: 1, day: 7, route: 'GET /v1/me', requests: 5 },
      { accountId: 1, day: 7, route: 'other', requests: 1 },
    ],
  ])
})
