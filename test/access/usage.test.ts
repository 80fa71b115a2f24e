import { beforeAll, expect, test } from 'vitest'
import { createUsage } from '../../src/access/usage.ts'
import { dayOf } from '../../src/base/clock.ts'
import { readUsage, type UsageEntry } from '../../src/ledger/account/usage.ts'
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

test('usage that could not be written is written the next time', async () => {
  const written: UsageEntry[][] = []
  let down = true
  const write = async (entries: UsageEntry[]) => {
    if (down) throw new Error('down')
    written.push(entries)
  }
  const usage = createUsage(write, createTestClock(), () => {})
  usage.count(1, 7, 2)
  await expect(usage.flush()).rejects.toThrow('down')
  usage.count(1, 7, 3)
  down = false
  await usage.stop()
  expect(written).toEqual([[{ accountId: 1, day: 7, requests: 5 }]])
})
