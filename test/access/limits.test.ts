import { beforeAll, describe, expect, test, vi } from 'vitest'
import type { Caller, Charge } from '../../src/access/guard.ts'
import { createMemoryRows } from '../../src/access/limiter.ts'
import { AssayError } from '../../src/base/errors.ts'
import { limitHeaders } from '../../src/graph/http-headers.ts'
import { createTestAccess, type TestAccess } from '../support/access.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

let database: TestDatabase
let access: TestAccess
beforeAll(async () => {
  database = await createTestDatabase()
  access = createTestAccess(database)
})

const admit = async (terms: Parameters<TestAccess['knock']>[0] = {}, by = access): Promise<Caller> => {
  const { authorization } = await access.knock(terms)
  return by.guard.authenticate(authorization, '192.0.2.1')
}
const refusal = (promise: Promise<unknown>): Promise<AssayError> =>
  promise.then(
    () => Promise.reject(new Error('the request was not refused')),
    (error: unknown) => (error instanceof AssayError ? error : Promise.reject(error)),
  )
const charges = async (guard: TestAccess['guard'], caller: Caller, count: number, each = 1) => {
  const results = await Promise.allSettled(Array.from({ length: count }, () => guard.charge(caller, each)))
  const granted = results.filter((result) => result.status === 'fulfilled').map(({ value }) => value)
  const refused = results.filter((result) => result.status === 'rejected').map(({ reason }) => reason as AssayError)
  return { granted, refused }
}

test('the rate-limit headers count down the minute and the day', async () => {
  const caller = await admit()
  expect(limitHeaders((await access.guard.charge(caller, 1)).limits)).toEqual({
    'ratelimit-policy': '"minute";q=10;w=60, "day";q=100;w=86400',
    ratelimit: '"minute";r=9;t=60, "day";r=99;t=43170',
  })
  access.clock.advance(12_300)
  expect(limitHeaders((await access.guard.charge(caller, 3)).limits).ratelimit).toBe(
    '"minute";r=6;t=48, "day";r=96;t=43158',
  )
})

test('a request beyond the minute limit is refused, consumes nothing, and names the time to wait', async () => {
  const caller = await admit()
  for (let n = 0; n < 10; n += 1) await access.guard.charge(caller, 1)
  for (let n = 0; n < 5; n += 1) {
    const error = await refusal(access.guard.charge(caller, 1))
    expect(error.code).toBe('RATE_LIMITED')
    expect(error.retryAfterSeconds).toBe(60)
    expect(limitHeaders(error.limits).ratelimit).toMatch(/^"minute";r=0;t=60, "day";r=90;t=/)
  }
  access.clock.advance(60_000)
  expect(limitHeaders((await access.guard.charge(caller, 1)).limits).ratelimit).toMatch(
    /^"minute";r=9;t=60, "day";r=89;t=/,
  )
})

test('a clock that is set back an hour keeps nobody out for an hour, in the database or in memory', async () => {
  const caller = await admit()
  for (let n = 0; n < 10; n += 1) await access.guard.charge(caller, 1)
  access.clock.advance(-3_600_000)
  const { limits } = await access.guard.charge(caller, 1)
  expect(limitHeaders(limits).ratelimit).toMatch(/^"minute";r=9;t=60, /)
  access.clock.advance(3_600_000)
  const rows = createMemoryRows()
  await rows.take('a', 10, 10, 3_660_000, 3_600_000)
  expect(await rows.take('a', 1, 10, 60_000, 0)).toEqual({ used: 1, granted: true, endsAtMs: 60_000 })
  // The clocks of two processes differ a little.
  expect(await rows.take('a', 10, 10, 59_000, -1_000)).toMatchObject({ granted: false })
})

test('a request refused by the day limit refunds the minute and waits for midnight UTC', async () => {
  const caller = await admit({ plan: 'api', requestsPerMinute: 50, requestsPerDay: 20 })
  await access.guard.charge(caller, 20)
  const error = await refusal(access.guard.charge(caller, 1))
  expect(limitHeaders(error.limits).ratelimit).toMatch(/^"minute";r=30;t=60, "day";r=0;t=(\d+)$/)
  expect(error.retryAfterSeconds).toBe(error.limits.at(-1)?.resetSeconds)
  access.clock.advance((error.retryAfterSeconds ?? 0) * 1000)
  expect(limitHeaders((await access.guard.charge(caller, 1)).limits).ratelimit).toBe(
    '"minute";r=49;t=60, "day";r=19;t=86400',
  )
})

test('when both limits are exceeded, retry-after is the longer wait', async () => {
  const caller = await admit({ plan: 'api', requestsPerMinute: 5, requestsPerDay: 5 })
  await access.guard.charge(caller, 5)
  const error = await refusal(access.guard.charge(caller, 1))
  expect(limitHeaders(error.limits).ratelimit).toMatch(/^"minute";r=0;t=60, "day";r=0;t=\d+$/)
  expect(error.retryAfterSeconds).toBeGreaterThan(60)
})

test('a limit of 10 grants exactly 10 of 50 parallel requests, also across two processes', async () => {
  const caller = await admit()
  const other = createTestAccess(database)
  other.clock.advance(access.clock.now().getTime() - other.clock.now().getTime())
  const [here, there] = await Promise.all([charges(access.guard, caller, 25), charges(other.guard, caller, 25)])
  expect(here.granted.length + there.granted.length).toBe(10)
  const left = [...here.granted, ...there.granted].map(
    ({ limits }) => /r=(\d+)/.exec(limitHeaders(limits).ratelimit ?? '')?.[1],
  )
  expect(left.map(Number).sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
})

test('parallel requests of different costs fill a window exactly', async () => {
  const caller = await admit({ plan: 'api', requestsPerMinute: 20 })
  const [threes, ones] = await Promise.all([charges(access.guard, caller, 8, 3), charges(access.guard, caller, 8)])
  expect(threes.granted.length * 3 + ones.granted.length).toBe(20)
})

test('requests that arrive together are counted in one statement, even for several accounts', async () => {
  const callers = [await admit(), await admit(), await admit()]
  const statements = vi.spyOn(database.pool, 'query')
  const granted = await Promise.all(callers.flatMap((caller) => [1, 2].map((n) => access.guard.charge(caller, n))))
  expect(statements).toHaveBeenCalledTimes(1)
  statements.mockRestore()
  const left = granted.map(({ limits }) => /r=(\d+)/.exec(limitHeaders(limits).ratelimit ?? '')?.[1])
  expect(left).toEqual(['9', '7', '9', '7', '9', '7'])
})

test('a refused additional charge refunds everything that the request took', async () => {
  const caller = await admit()
  const charge = await access.guard.charge(caller, 4)
  expect((await refusal(charge.add(7))).code).toBe('FORBIDDEN')
  await access.guard.charge(caller, 4)
  const other = await access.guard.charge(caller, 1)
  expect((await refusal(other.add(6))).code).toBe('RATE_LIMITED')
  expect(limitHeaders((await access.guard.charge(caller, 1)).limits).ratelimit).toMatch(/^"minute";r=5/)
})

test('a refund makes room in its own window, but not in a window opened later', async () => {
  const caller = await admit()
  const first: Charge = await access.guard.charge(caller, 10)
  await first.refund()
  expect(limitHeaders(first.limits).ratelimit).toMatch(/^"minute";r=10;t=60, "day";r=100/)
  const second = await access.guard.charge(caller, 10)
  access.clock.advance(60_000)
  await access.guard.charge(caller, 10)
  await second.refund()
  await second.refund()
  expect(limitHeaders((await refusal(access.guard.charge(caller, 1))).limits).ratelimit).toMatch(
    /^"minute";r=0;t=60, "day";r=90/,
  )
})

test('the day count survives a restart', async () => {
  const caller = await admit()
  await access.guard.charge(caller, 7)
  const restarted = createTestAccess(database)
  restarted.clock.advance(access.clock.now().getTime() - restarted.clock.now().getTime())
  expect(limitHeaders((await restarted.guard.charge(caller, 1)).limits).ratelimit).toMatch(/"day";r=92;/)
})

test('limits count per account, across all its keys', async () => {
  const email = 'two-keys@example.com'
  const [a, b] = [await admit({ email }), await admit({ email: email.toUpperCase() })]
  expect(a.accountId).toBe(b.accountId)
  await access.guard.charge(a, 10)
  expect((await refusal(access.guard.charge(b, 1))).code).toBe('RATE_LIMITED')
})

test('the API plan advertises only the limits set for the account', async () => {
  expect(limitHeaders((await access.guard.charge(await admit({ plan: 'api' }), 1)).limits)).toEqual({})
  const perDay = await access.guard.charge(await admit({ plan: 'api', requestsPerDay: 9 }), 1)
  expect(limitHeaders(perDay.limits)['ratelimit-policy']).toBe('"day";q=9;w=86400')
  expect(limitHeaders(perDay.limits).ratelimit).toMatch(/^"day";r=8;t=\d+$/)
})

describe.skipIf(!process.env.REDIS_URL)('with Redis (skipped without REDIS_URL)', () => {
  test('with Redis, a limit of 10 grants exactly 10 of 50 parallel requests across two processes', async () => {
    const [one, two] = [
      createTestAccess(database, process.env.REDIS_URL),
      createTestAccess(database, process.env.REDIS_URL),
    ]
    await Promise.all([one.start(), two.start()])
    // Earlier runs may have left windows of low account ids in this Redis.
    const start = 1_000_000 + Math.floor(Math.random() * 1e9)
    await database.pool.query(`ALTER TABLE account ALTER COLUMN id RESTART WITH ${start}`)
    const caller = await admit()
    const [here, there] = await Promise.all([charges(one.guard, caller, 25), charges(two.guard, caller, 25)])
    expect(here.granted.length + there.granted.length).toBe(10)
    expect([...here.refused, ...there.refused].every(({ code }) => code === 'RATE_LIMITED')).toBe(true)
    await here.granted[0]?.refund()
    await there.granted[0]?.refund()
    const { granted } = await charges(two.guard, caller, 5)
    expect(granted.length).toBe([here, there].filter(({ granted }) => granted.length > 0).length)
    await Promise.all([one.stop(), two.stop()])
  })
})

test('without a reachable Redis the process counts in memory and grants no more than the limit', async () => {
  const alone = createTestAccess(database, 'redis://127.0.0.1:1')
  const { granted, refused } = await charges(alone.guard, await admit(), 30)
  expect([granted.length, refused.length]).toEqual([10, 20])
  await alone.stop()
})
