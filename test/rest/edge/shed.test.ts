// The requests that an overloaded server refuses, and those that it still answers.
import { expect, test } from 'vitest'
import { systemClock } from '../../../src/base/clock.ts'
import { NO_HEAD } from '../../../src/ledger/head.ts'
import { watchLateness } from '../../../src/rest/edge/shed.ts'
import { createTestDatabase } from '../../support/database.ts'
import { createTestServer, expectError } from '../../support/rest.ts'

const database = await createTestDatabase()
const ready = async () => ({ ready: true as const, block: 1, time: new Date(0), lag: 0, age: 0, unchecked: 0 })

/** Blocks the event loop for `ms`, then lets its timers run. */
async function block(ms: number): Promise<void> {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
  await new Promise((resolve) => setTimeout(resolve, 1))
}

test('a repeatedly late event loop is overloaded, one or two long steps are not, and the overload ends', async () => {
  const lateness = watchLateness(systemClock)
  for (let n = 0; n < 2; n += 1) await block(600)
  expect(lateness.isLate()).toBe(false)
  for (let n = 0; n < 2; n += 1) await block(600)
  expect(lateness.isLate()).toBe(true)
  await expect.poll(lateness.isLate).toBe(false)
  lateness.stop()
})

test('a late event loop refuses the fifth request at once with an uncharged 503, and answers health and readiness', async () => {
  let isLate = false
  const waiting: (() => void)[] = []
  const answered = { answer: {}, head: NO_HEAD }
  const execute = () =>
    isLate ? new Promise<typeof answered>((resolve) => waiting.push(() => resolve(answered))) : answered
  const server = await createTestServer({
    database,
    execute: async () => execute(),
    isLate: () => isLate,
    checkReadiness: ready,
  })
  const { authorization } = await server.knock({ plan: 'api', requestsPerMinute: 2 })
  isLate = true
  // Few requests cannot be the reason for the lag, so they are answered.
  const few = Array.from({ length: 4 }, () => server.ask('/tokens'))
  await expect.poll(() => waiting.length).toBe(4)
  for (let n = 0; n < 5; n += 1) {
    const refused = await server.ask('/tokens', { headers: { authorization } })
    expectError(refused, 503, 'SERVICE_UNAVAILABLE')
    expect(refused.headers.get('retry-after')).toBe('1')
  }
  const page = await server.ask(`${server.url}/graphql`, { method: 'POST', body: '{}' })
  expect([page.status, page.json.errors[0].extensions.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
  expect((await server.ask(`${server.url}/healthz`)).status).toBe(200)
  expect((await server.ask(`${server.url}/readyz`)).status).toBe(200)
  expect(server.refused).toEqual(Array(6).fill('overload_lag'))
  for (const answer of waiting) answer()
  expect((await Promise.all(few)).map(({ status }) => status)).toEqual([200, 200, 200, 200])
  isLate = false
  const served = await server.ask('/tokens', { headers: { authorization } })
  expect([served.status, served.headers.get('ratelimit')]).toEqual([200, '"minute";r=1;t=60'])
})

test('requests beyond the limit on running ones get 503, and the running ones are answered', async () => {
  const asked: (() => void)[] = []
  const execute = () =>
    new Promise<{ answer: unknown; head: typeof NO_HEAD }>((resolve) =>
      asked.push(() => resolve({ answer: {}, head: NO_HEAD })),
    )
  const server = await createTestServer({ database, execute, bounds: { inFlight: 2 }, checkReadiness: ready })
  const underWay = [server.ask('/tokens'), server.ask('/tokens')]
  await expect.poll(() => asked.length).toBe(2)
  expectError(await server.ask('/tokens'), 503, 'SERVICE_UNAVAILABLE')
  expect((await server.ask(`${server.url}/healthz`)).status).toBe(200)
  expect(server.refused).toEqual(['overload_in_flight'])
  for (const answer of asked) answer()
  expect((await Promise.all(underWay)).map(({ status }) => status)).toEqual([200, 200])
  const next = server.ask('/tokens')
  await expect.poll(() => asked.length).toBe(3)
  asked[2]?.()
  expect((await next).status).toBe(200)
})
