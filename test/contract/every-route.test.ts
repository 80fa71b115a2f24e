// Statuses that every route answers in the same way, tested over the table of routes.
import { beforeAll, describe, expect, test } from 'vitest'
import { NO_HEAD } from '../../src/ledger/head.ts'
import { ROUTES, type Route } from '../../src/rest/contract/routes.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { createTestServer, expectError, type TestServer } from '../support/rest.ts'

const SECRET = 'select * from "secret" at /srv/assay/ledger.ts:12'

let database: TestDatabase
let broken: TestServer
let away: TestServer
let empty: TestServer
beforeAll(async () => {
  database = await createTestDatabase()
  const execute = () => Promise.reject(new Error(SECRET))
  broken = await createTestServer({ database, execute })
  const gone = () => Promise.reject(Object.assign(new Error(SECRET), { code: 'ECONNREFUSED' }))
  away = await createTestServer({ database, execute: gone })
  empty = await createTestServer({ database, execute: async () => ({ answer: null, head: NO_HEAD }) })
})

const placeOf = (route: Route) => route.path.replace(':address', `0x${'ab'.repeat(20)}`).replace(':id', 'no-such-id')
/** With the parameters that a route requires, and more. */
const pathOf = (route: Route, more = '') => {
  const required = Object.entries(route.query).flatMap(([name, { isRequired }]) =>
    isRequired ? [`${name}=${name === 'token' ? `0x${'ab'.repeat(20)}` : 'x'}`] : [],
  )
  const search = [...required, ...(more ? [more] : [])].join('&')
  return `${placeOf(route)}${search && `?${search}`}`
}
const bodyOf = ({ id, method }: Route) => {
  if (id === 'backtestAlert') return { conditions: {} }
  if (id === 'updateGatePolicy') return {}
  if (id === 'runSql') return { query: 'SELECT 1' }
  if (id.endsWith('Key')) return id === 'rotateKey' ? {} : { name: 'x' }
  return method === 'POST' ? { name: 'x', conditions: {} } : { status: 'paused' }
}
const requestOf = (route: Route) => ({
  method: route.method,
  ...(route.body && {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(bodyOf(route)),
  }),
})

describe.each(ROUTES.map((route) => ({ name: `${route.method} ${route.path}`, route })))('$name', ({ route }) => {
  test('answers 401 without a key and with an invalid key', async () => {
    const { method } = route
    const missing = await broken.ask(pathOf(route), { method, headers: { authorization: '' } })
    expectError(missing, 401, 'UNAUTHORIZED')
    expect(missing.headers.get('www-authenticate')).toBe('Bearer realm="assay"')
    const bad = await broken.ask(pathOf(route), { method, headers: { authorization: 'Bearer assay_live_x' } })
    expectError(bad, 401, 'UNAUTHORIZED')
    expect(bad.headers.get('www-authenticate')).toBe('Bearer realm="assay", error="invalid_token"')
    expect(bad.headers.get('ratelimit')).toBeNull()
  })

  test('checks the rate limit first, and answers 429 with Retry-After', async () => {
    const { authorization } = await broken.knock({ plan: 'api', requestsPerMinute: 1 })
    const ask = (path: string, method: string) => broken.ask(path, { method, headers: { authorization } })
    await ask('/nowhere', 'GET')
    for (const answer of [await ask(pathOf(route, 'nonsense=1'), route.method), await ask(pathOf(route), 'PUT')]) {
      expectError(answer, 429, 'RATE_LIMITED')
      expect(answer.headers.get('retry-after')).toBe('60')
      expect(answer.headers.get('ratelimit')).toBe('"minute";r=0;t=60')
      expect(answer.headers.get('ratelimit-policy')).toBe('"minute";q=1;w=60')
    }
  })

  test('answers 503 while the database is unreachable, and charges nothing', async () => {
    const { authorization } = await away.knock()
    const options = requestOf(route)
    const failed = await away.ask(pathOf(route), { ...options, headers: { ...options.headers, authorization } })
    expectError(failed, 503, 'SERVICE_UNAVAILABLE')
    expect(failed.headers.get('ratelimit')).toMatch(/^"minute";r=10;/)
  })

  test('answers 500 with a fixed sentence, logs the cause, and charges nothing', async () => {
    const most = route.charge ?? 1
    const { authorization } = await broken.knock({ plan: 'api', requestsPerMinute: most })
    for (let n = 0; n < 3; n += 1) {
      const { headers, ...init } = { headers: {}, ...requestOf(route) }
      const failed = await broken.ask(pathOf(route), { ...init, headers: { ...headers, authorization } })
      expectError(failed, 500, 'SERVER_ERROR')
      expect(failed.json.error.message).toMatch(/^Something went wrong on our side/)
      expect(failed.text).not.toMatch(/secret|srv|ledger/)
      expect(failed.headers.get('ratelimit')).toBe(`"minute";r=${most};t=60`)
      const line = broken.lines.find(({ request_id }) => request_id === failed.headers.get('x-request-id'))
      expect(line).toMatchObject({ status: 500, err: { message: SECRET } })
    }
  })

  test('answers 405 with Allow for other methods, and 404 for a trailing slash', async () => {
    const refused = await broken.ask(pathOf(route), { method: 'PUT' })
    expectError(refused, 405, 'METHOD_NOT_ALLOWED')
    const allowed = refused.headers.get('allow')?.split(', ') ?? []
    expect(allowed).toContain(route.method)
    expect(allowed.includes('HEAD')).toBe(allowed.includes('GET'))
    expectError(await broken.ask(`${placeOf(route)}/`, { method: route.method }), 404, 'NOT_FOUND')
  })

  test('checks for 413 before 415 before 414 before 400', async () => {
    const long = `x=${'y'.repeat(8200)}`
    if (route.body) {
      const ask = (body: string, type: string, query: string) =>
        broken.ask(pathOf(route, query), { method: route.method, body, headers: { 'content-type': type } })
      expectError(await ask('x'.repeat(16_385), 'text/plain', long), 413, 'PAYLOAD_TOO_LARGE')
      expectError(await ask('x', 'text/plain', long), 415, 'UNSUPPORTED_MEDIA_TYPE')
      expectError(await ask('x', 'application/json', long), 414, 'URI_TOO_LONG')
      expectError(await ask('x', 'application/json', 'x=y'), 400, 'INVALID_PARAMS')
    } else {
      expectError(await broken.ask(pathOf(route, long), { method: route.method }), 414, 'URI_TOO_LONG')
      expectError(await broken.ask(pathOf(route, 'x=y'), { method: route.method }), 400, 'INVALID_PARAMS')
    }
  })

  test('answers 400 for an unknown parameter and names it', async () => {
    const refused = await broken.ask(pathOf(route, 'pgae=1'), requestOf(route))
    expectError(refused, 400, 'INVALID_PARAMS')
    expect(refused.json.error.details).toEqual([
      { location: 'query', field: 'pgae', message: expect.stringMatching(/^pgae is not a parameter here/) },
    ])
  })

  test('answers 404 when the resource does not exist', async () => {
    expectError(await empty.ask(pathOf(route), requestOf(route)), 404, 'NOT_FOUND')
  })

  test('answers a preflight with 204 and without a key', async () => {
    const headers = { authorization: '', origin: 'https://a.example', 'access-control-request-method': route.method }
    const preflight = await broken.ask(pathOf(route), { method: 'OPTIONS', headers })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
    expect(preflight.headers.get('access-control-allow-credentials')).toBeNull()
    expect(preflight.headers.get('access-control-allow-headers')).toMatch(/Authorization/)
    expect(preflight.headers.get('access-control-allow-methods')?.split(', ')).toContain(route.method)
    expect(preflight.headers.get('x-request-id')).toMatch(/\S/)
  })

  test('exposes the limit headers to scripts of other origins, on errors too', async () => {
    const { authorization } = await broken.knock()
    for (const sent of [authorization, '']) {
      const { headers } = await broken.ask(pathOf(route, 'x=1'), {
        method: route.method,
        headers: { authorization: sent },
      })
      const exposed = headers.get('access-control-expose-headers')?.split(', ')
      expect(exposed).toEqual(
        expect.arrayContaining(['RateLimit', 'RateLimit-Policy', 'Retry-After', 'ETag', 'Location', 'X-Request-Id']),
      )
    }
  })
})

test.each(['/', '/nowhere', '/tokens/x/y', '/Tokens', '//tokens', '/tokens/%zz/y', ''])(
  'the unknown path /v1%s answers 401 without a key and 404 with one',
  async (path) => {
    expectError(await broken.ask(path, { headers: { authorization: '' } }), 401, 'UNAUTHORIZED')
    expectError(await broken.ask(path), 404, 'NOT_FOUND')
  },
)
