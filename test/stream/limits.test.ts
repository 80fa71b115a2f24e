// Streams of an account: their number, their price, and their end.
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Caller } from '../../src/access/guard.ts'
import { createKeyring } from '../../src/access/keyring.ts'
import { systemClock } from '../../src/base/clock.ts'
import { formatEventId } from '../../src/base/event-id.ts'
import { parseCursor } from '../../src/stream/cursor.ts'
import { createSessions } from '../../src/stream/session.ts'
import { createAlertWorld } from '../support/alerts.ts'
import { createTestClock } from '../support/clock.ts'
import { createLiveLedger } from '../support/live-ledger.ts'
import { expectError, type TestServer } from '../support/rest.ts'
import { readSse, type SseReader } from '../support/sse.ts'

const { database, desk, append, serve, openStreams } = await createLiveLedger()
const server = await serve({ heartbeatMs: 30 })
const elsewhere = await serve()

const open = (authorization: string, headers: Record<string, string> = {}, of: TestServer = server) =>
  readSse(`${of.url}/v1/stream/events`, { headers: { authorization, ...headers } })

/** Why a stream ended. */
async function endOf(reader: SseReader) {
  await reader.closed
  const { event, data, id } = reader.messages.at(-1)!
  expect([event, data.resume]).toEqual(['end', id])
  return data.reason
}

test('a plan has so many streams in all processes together; one more is refused, and costs nothing', async () => {
  const { authorization } = await server.knock({ plan: 'free' })
  const first = await open(authorization)
  expect(first.headers.ratelimit).toMatch(/"minute";r=9/)
  const ask = (of: TestServer) => of.ask('/stream/events', { headers: { authorization } })
  for (const of of [server, elsewhere]) expectError(await ask(of), 429, 'RATE_LIMITED')
  const { headers } = await server.ask('/events', { headers: { authorization } })
  expect(headers.get('ratelimit')).toMatch(/"minute";r=8/)
  first.close()
  await expect
    .poll(async () => {
      const { rowCount } = await database.pool.query('SELECT FROM stream')
      return rowCount
    })
    .toBe(0)
  const next = await open(authorization)
  expect(next.status).toBe(200)
})

test('a reader that comes back takes the place of its oldest stream', async () => {
  const { authorization } = await server.knock({ plan: 'free' })
  const lost = await open(authorization)
  const back = await open(authorization, { 'last-event-id': lost.lastId() }, elsewhere)
  expect(back.status).toBe(200)
  expect(await endOf(lost)).toBe('replaced')
  // Otherwise two browsers with one key would take the place of each other every few seconds.
  expect(lost.text()).toMatch(/^event: end\ndata: .*\nretry: 3600000\nid: /m)
})

test('the streams of a revoked key end', async () => {
  const { authorization, id } = await server.knock({ plan: 'pro' })
  const reader = await open(authorization)
  await createKeyring(database.pool, systemClock).revoke(id)
  expect(await endOf(reader)).toBe('replaced')
})

test('the streams of a secret end with it, after the overlap of its rotation, and those of the new secret go on', async () => {
  const { authorization, id } = await server.knock({ plan: 'pro' })
  const reader = await open(authorization)
  const { key } = await createKeyring(database.pool, server.clock).rotate(id, 1)
  const next = await open(`Bearer ${key}`)
  server.clock.advance(3_600_000)
  expect(await endOf(reader)).toBe('replaced')
  expect(next.messages.some(({ event }) => event === 'end')).toBe(false)
})

test('each hour of a stream counts as a request; beyond the limit of the plan it ends', async () => {
  const { authorization } = await server.knock({ plan: 'api', requestsPerDay: 3 })
  const reader = await open(authorization)
  const left = async () => {
    const { rows } = await database.pool.query<{ used: number }>(
      `SELECT used FROM rate_limit WHERE key LIKE '%day:' || (SELECT max(account_id) FROM api_key) || ':%'`,
    )
    return rows[0]?.used
  }
  await expect.poll(left).toBe(1)
  for (const used of [2, 3]) {
    server.clock.advance(3_600_000)
    await expect.poll(left).toBe(used)
  }
  server.clock.advance(3_600_000)
  expect(await endOf(reader)).toBe('rate_limited')
})

test('a silent stream gives a sign of life, with the place to go on from', async () => {
  const { authorization } = await server.knock({ plan: 'pro' })
  const reader = await open(authorization)
  await expect.poll(() => reader.text().match(/id: \S+\n: heartbeat/g)?.length ?? 0).toBeGreaterThan(2)
  expect(reader.messages).toEqual([])
})

test('a reader that falls behind the newest events is cut off, and goes on from its place without loss', async () => {
  const { openEvents } = await openStreams({ logEvents: 1 })
  const ending = new AbortController()
  const open = async (after?: string) => {
    const cursor = after === undefined ? undefined : (parseCursor(after) ?? undefined)
    return openEvents({}, { after: cursor }, { accountId: 1, signal: ending.signal })
  }
  const next = async ({ batches }: Awaited<ReturnType<typeof open>>) => {
    const { value } = await batches.next()
    return value ?? { deliveries: [], cursor: '' }
  }
  const [slow, fast] = [await open(), await open()]
  const sent: string[] = []
  for (let n = 0; n < 3; n += 1) {
    desk.buy(1, 1)
    await append()
    sent.push(...(await next(fast)).deliveries.map(({ event }) => formatEventId(event)))
    if (n === 0) await next(slow)
  }
  await expect(next(slow)).rejects.toMatchObject({ reason: 'slow' })
  const back = await open(slow.cursor)
  expect((await next(back)).deliveries.map(({ event }) => formatEventId(event))).toEqual(sent)
  ending.abort()
})

test('readers who catch up read one at a time, and each is sent everything', async () => {
  const { openEvents } = await openStreams({})
  const { requestPool } = database
  const query = requestPool.query.bind(requestPool) as (...args: unknown[]) => Promise<unknown>
  let [running, most] = [0, 0]
  const spy = vi.spyOn(requestPool, 'query').mockImplementation(async (...args: unknown[]) => {
    if ((args[0] as { name?: string }).name !== 'feed') return query(...args)
    running += 1
    most = Math.max(most, running)
    return query(...args).finally(() => {
      running -= 1
    })
  })
  onTestFinished(() => spy.mockRestore())
  const ending = new AbortController()
  const start = { after: parseCursor('0-0-0') ?? undefined }
  const readers = await Promise.all(
    Array.from({ length: 20 }, () => openEvents({}, start, { accountId: 1, signal: ending.signal })),
  )
  const counts = await Promise.all(
    readers.map(async ({ batches }) => {
      const { value } = await batches.next()
      return value?.deliveries.length
    }),
  )
  ending.abort()
  const { rows } = await database.pool.query<{ n: number }>('SELECT count(*)::int AS n FROM event')
  expect(new Set(counts)).toEqual(new Set([rows[0]?.n]))
  expect(most).toBe(1)
})

test('a process has so many streams at most', async () => {
  const small = await serve({ maxStreams: 1 })
  const { authorization } = await small.knock({ plan: 'pro' })
  await open(authorization, {}, small)
  const refused = await small.ask('/stream/events', { headers: { authorization } })
  expectError(refused, 503, 'SERVICE_UNAVAILABLE')
  expect(refused.headers.get('retry-after')).toBe('5')
})

test('a server that leaves ends its streams with the place to go on from, and opens no more', async () => {
  const leaving = await serve()
  const { authorization } = await leaving.knock({ plan: 'pro' })
  const [rest, graph] = await Promise.all([
    open(authorization, {}, leaving),
    readSse(`${leaving.url}/graphql?query=${encodeURIComponent('subscription { events { id } }')}`, {
      headers: { authorization },
    }),
  ])
  await expect.poll(graph.lastId).not.toBe('')
  leaving.leave()
  expect(await endOf(rest)).toBe('leaving')
  await graph.closed
  expect(graph.messages.at(-2)?.data.errors[0].extensions).toEqual({
    code: 'SERVICE_UNAVAILABLE',
    reason: 'leaving',
    resume: graph.lastId(),
  })
  expect(graph.messages.at(-1)).toMatchObject({ event: 'complete', data: null })
  await leaving.stop()
  await expect(open(authorization, {}, leaving)).rejects.toThrow(/ECONNREFUSED/)
})

test('Pro has ten streams at a time, and no eleventh', async () => {
  const { authorization } = await server.knock({ plan: 'pro' })
  const readers = await Promise.all(Array.from({ length: 10 }, () => open(authorization)))
  expect(readers.map(({ status }) => status)).toEqual(readers.map(() => 200))
  expectError(await server.ask('/stream/events', { headers: { authorization } }), 429, 'RATE_LIMITED')
  for (const reader of readers) reader.close()
})

test('an hour that could not be charged is charged at the next look, and the other streams are charged meanwhile', async () => {
  const { account } = createAlertWorld(database)
  const clock = createTestClock()
  const charged: number[] = []
  let isAway = true
  const charge = async ({ accountId }: Caller) => {
    if (accountId === broken.accountId && isAway) throw new Error('the database is away')
    charged.push(accountId)
    return {
      limits: [],
      requests: 1,
      remaining: { minute: null, day: null },
      add: async () => {},
      refund: async () => {},
    }
  }
  const [broken, sound] = [await account('broken@example.com'), await account('sound@example.com')]
  const faults: unknown[] = []
  const outage = { pass: () => {}, fail: (error: unknown) => void faults.push(error) }
  const sessions = createSessions({ database, guard: { charge }, clock, outage, lookEveryMs: 5 })
  for (const owner of [broken, sound]) {
    const caller = { ...owner, email: '', plan: 'pro' as const, requestsPerMinute: null, requestsPerDay: null }
    await sessions.open({ caller, charge: await charge({ ...caller, accountId: -1 }), replaces: false })
  }
  charged.length = 0
  clock.advance(3_600_000)
  await expect.poll(() => charged).toEqual([sound.accountId])
  await expect.poll(() => faults.length).toBeGreaterThan(1)
  isAway = false
  await expect.poll(() => charged).toEqual([sound.accountId, broken.accountId])
  sessions.leave()
  await sessions.stop()
})

test.each(['2147483648-0-0', '0-2147483648-0', '0-0-32768', '9999999999-0-0.1'])(
  'a place that does not fit the database is refused by name: %s',
  async (after) => {
    expect(parseCursor(after)).toBeNull()
    const answer = await server.ask(`/stream/events?after=${after}`)
    expectError(answer, 400, 'INVALID_PARAMS')
    expect(answer.json.error.details).toMatchObject([{ field: 'after' }])
  },
)
