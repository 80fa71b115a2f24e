// What HTTP adds to the contract: entity tags, compression, HEAD, proxies, TLS, health, and malformed requests. The
// routes answer a constant here.
import { request } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { connect } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { STATUS_BY_CODE } from '../../src/base/errors.ts'
import { NO_HEAD } from '../../src/ledger/head.ts'
import { CERTIFICATE, PRIVATE_KEY } from '../support/certificate.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { createTestServer, expectError, type TestServer } from '../support/rest.ts'

const HEAD = { ...NO_HEAD, number: 42, hash: '0x2a', time: new Date('2026-01-31T12:00:00Z') }
const answer = { data: Array.from({ length: 40 }, (_, n) => ({ name: `Token ${n}`, risk_score: n })), total: 40 }
const execute = async () => ({ answer: { ...answer }, head: HEAD })

let database: TestDatabase
let server: TestServer
beforeAll(async () => {
  database = await createTestDatabase()
  server = await createTestServer({ database, execute })
})

/** Fetches the raw bytes, which `fetch` would decompress. */
const raw = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
  const { authorization } = await server.knock({ plan: 'api' })
  return new Promise<{ status: number | undefined; headers: Record<string, unknown>; bytes: Buffer }>(
    (resolve, reject) => {
      const asked = request(
        `${server.url}/v1${path}`,
        { method, headers: { authorization, ...headers } },
        (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('end', () =>
            resolve({ status: response.statusCode, headers: response.headers, bytes: Buffer.concat(chunks) }),
          )
        },
      )
      asked.on('error', reject).end()
    },
  )
}
/** Sends these bytes and returns everything that comes back until the connection ends. */
const shout = (bytes: string | Buffer) =>
  new Promise<string>((resolve, reject) => {
    const { hostname, port } = new URL(server.url)
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('end', () => resolve(text)).on('error', reject)
  })

describe('a GET', () => {
  test('carries its block, a strong entity tag and cache headers', async () => {
    const { status, headers, json } = await server.ask('/tokens')
    const data = answer.data.map((token) => ({ ...token, unknown: [] }))
    expect([status, json]).toMatchObject([200, { ...answer, data }])
    expect(headers.get('content-type')).toMatch(/^application\/json/)
    expect(headers.get('assay-block')).toBe('42')
    expect(headers.get('assay-block-time')).toBe('2026-01-31T12:00:00.000Z')
    expect(headers.get('etag')).toMatch(/^"[\w-]+"$/)
    expect(headers.get('cache-control')).toBe('private, no-cache')
    expect(headers.get('vary')).toBe('Authorization, Accept-Encoding')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('x-powered-by')).toBeNull()
    expect(headers.get('x-request-id')).toMatch(/^[\w-]{20,}$/)
  })

  test('answers 304 without a body when the tag matches, and charges it', async () => {
    const { authorization } = await server.knock()
    const first = await server.ask('/tokens', { headers: { authorization } })
    const etag = first.headers.get('etag') ?? ''
    for (const [index, tag] of [etag, `W/${etag}`, `"x", ${etag}`, '*'].entries()) {
      const again = await server.ask('/tokens', { headers: { authorization, 'if-none-match': tag } })
      expect([again.status, again.text]).toEqual([304, ''])
      expect(again.headers.get('etag')).toBe(etag)
      expect(again.headers.get('cache-control')).toBe('private, no-cache')
      expect(again.headers.get('ratelimit')).toMatch(new RegExp(`^"minute";r=${8 - index};`))
    }
    expect((await server.ask('/tokens', { headers: { 'if-none-match': '"x"' } })).status).toBe(200)
  })

  test('is compressed if the client accepts it, with a different tag', async () => {
    const plain = await raw('/tokens')
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(plain.headers['content-length']).toBe(String(plain.bytes.length))
    for (const [coding, unpack] of [
      ['gzip', gunzipSync],
      ['br', brotliDecompressSync],
    ] as const) {
      const packed = await raw('/tokens', { 'accept-encoding': coding })
      expect(packed.headers['content-encoding']).toBe(coding)
      expect(packed.headers['content-length']).toBe(String(packed.bytes.length))
      expect(unpack(packed.bytes).equals(plain.bytes)).toBe(true)
      expect(packed.headers.etag).not.toBe(plain.headers.etag)
      const etag = String(packed.headers.etag)
      expect((await raw('/tokens', { 'accept-encoding': coding, 'if-none-match': etag })).status).toBe(304)
      expect((await raw('/tokens', { 'if-none-match': etag })).status).toBe(200)
    }
    for (const refused of ['identity', 'gzip;q=0, br;q=0', 'deflate', '', '*;q=0']) {
      const { headers } = await raw('/tokens', { 'accept-encoding': refused })
      expect(headers['content-encoding']).toBeUndefined()
    }
  })
})

test('HEAD answers like GET without the body, for the same charge', async () => {
  const { authorization } = await server.knock()
  const get = await server.ask('/tokens', { headers: { authorization, 'accept-encoding': 'identity' } })
  const head = await server.ask('/tokens', {
    method: 'HEAD',
    headers: { authorization, 'accept-encoding': 'identity' },
  })
  expect([head.status, head.text]).toEqual([200, ''])
  for (const name of ['etag', 'content-length', 'content-type', 'assay-block', 'cache-control', 'vary']) {
    expect(head.headers.get(name)).toBe(get.headers.get(name))
  }
  expect(head.headers.get('ratelimit')).toMatch(/^"minute";r=8;/)
  expect((await server.ask('/tokens?x=1', { method: 'HEAD' })).status).toBe(400)
  expect((await server.ask('/nowhere', { method: 'HEAD' })).status).toBe(404)
})

test("answers with the caller's own data are never cached", async () => {
  const { headers } = await server.ask('/alerts')
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('assay-block')).toBeNull()
})

test('2xx, 304 and 4xx answers are charged; 401, 429 and OPTIONS are not', async () => {
  const { authorization, key } = await server.knock()
  const left = async (path: string, init: object = {}) => {
    const { headers } = await server.ask(path, { ...init, headers: { authorization } })
    return headers.get('ratelimit')?.match(/r=(\d+)/)?.[1]
  }
  expect(await left('/tokens')).toBe('9')
  expect(await left('/tokens?limit=0')).toBe('8')
  expect(await left('/nowhere')).toBe('7')
  expect(await left('/tokens', { method: 'PUT' })).toBe('6')
  expect(await left('/tokens', { method: 'OPTIONS' })).toBeUndefined()
  await server.ask('/tokens', { headers: { authorization: `Bearer ${key}x` } })
  expect(await left('/tokens')).toBe('5')
  for (let n = 0; n < 8; n += 1) await left('/tokens')
  server.clock.advance(60_000)
  expect((await server.ask('/tokens', { headers: { authorization } })).headers.get('ratelimit')).toMatch(/r=9;.*r=89;/)
})

test('an API key in the query string is ignored', async () => {
  const { key } = await server.knock()
  for (const name of ['key', 'api_key', 'access_token', 'authorization']) {
    expectError(await server.ask(`/tokens?${name}=${key}`, { headers: { authorization: '' } }), 401, 'UNAUTHORIZED')
  }
})

test('the access log identifies the caller and the route, and contains no key and no query', async () => {
  const { authorization, key, id } = await server.knock()
  const { headers } = await server.ask('/tokens?sort=newest', { headers: { authorization } })
  const line = server.lines.find(({ request_id }) => request_id === headers.get('x-request-id'))
  expect(line).toMatchObject({ method: 'GET', route: '/v1/tokens', status: 200, key_id: id })
  expect(JSON.stringify(server.lines)).not.toContain(key)
})

describe('a malformed request:', () => {
  test('a path that cannot be decoded is reported as a malformed address', async () => {
    for (const path of ['/tokens/%zz', '/tokens/%', '/tokens/%ff', '/tokens/%00', '/tokens/0x%zz']) {
      const refused = await server.ask(`${server.url}/v1${path}`)
      expectError(refused, 400, 'INVALID_PARAMS')
      expect(refused.json.error.details).toEqual([
        { location: 'path', field: 'address', message: 'address must be 0x and 40 hex digits' },
      ])
    }
    expectError(await server.ask('/tokens/%zz', { method: 'DELETE' }), 405, 'METHOD_NOT_ALLOWED')
  })

  test('faults of path and query are reported together', async () => {
    const refused = await server.ask('/wallets/xyz/events?limit=0&type=x')
    expect(refused.json.error.details.map(({ location, field }: Record<string, string>) => [location, field])).toEqual([
      ['path', 'address'],
      ['query', 'limit'],
      ['query', 'type'],
    ])
    expect(refused.json.error.message).toBe('address must be 0x and 40 hex digits (and 2 more)')
  })

  test('faults of query, header and body are reported together, even if the body is not JSON', async () => {
    for (const [body, fields] of [
      ['{', ['x', '']],
      ['{"name":""}', ['x', 'name', 'conditions', 'idempotency-key']],
    ] as const) {
      const headers = { 'content-type': 'application/json', ...(body !== '{' && { 'idempotency-key': 'a b' }) }
      const refused = await server.ask('/alerts?x=1', { method: 'POST', body, headers })
      expectError(refused, 400, 'INVALID_PARAMS')
      expect(refused.json.error.details.map(({ field }: { field: string }) => field)).toEqual(fields)
    }
  })

  test('a body that is not JSON in UTF-8, or has another type, is refused', async () => {
    const post = (body: BodyInit, type = 'application/json') =>
      server.ask('/alerts', { method: 'POST', body, headers: { 'content-type': type } })
    const bodies = ['', '{', '{"name":1', 'null', '[]', '"x"', '{"name":"\u0000"}', '{"name":NaN}']
    for (const body of bodies) expectError(await post(body), 400, 'INVALID_PARAMS')
    expectError(await post(Buffer.from([0x7b, 0xff, 0x7d])), 400, 'INVALID_PARAMS')
    const types = ['text/plain', 'application/jsonp', 'application/json; charset=latin1', 'application/xml']
    types.push('application/json; charset=utf-16', 'application/json;\tcharset="utf-16le"')
    for (const type of types) expectError(await post('{}', type), 415, 'UNSUPPORTED_MEDIA_TYPE')
    const fine = JSON.stringify({ name: 'x', conditions: {} })
    for (const type of [
      'application/json;charset=UTF-8',
      'Application/JSON',
      'application/json; x=y; charset="utf-8"',
      'application/json; charset= utf-8 ;x=y',
    ]) {
      expect((await post(fine, type)).status).toBe(201)
    }
    const packed = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
    const refused = await server.ask('/alerts', { method: 'POST', body: fine, headers: packed })
    expectError(refused, 415, 'UNSUPPORTED_MEDIA_TYPE')
  })

  test('a body of 16 KiB is accepted and one byte more is refused, with a Content-Length or chunked', async () => {
    const ofSize = (size: number) => JSON.stringify({ name: 'x', conditions: {} }).padEnd(size, ' ')
    const post = (body: BodyInit) =>
      server.ask('/alerts', {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json' },
        duplex: 'half',
      } as RequestInit & { headers: Record<string, string> })
    const stream = (text: string) => new Blob([text]).stream()
    expect((await post(ofSize(16_384))).status).toBe(201)
    expect((await post(stream(ofSize(16_384)))).status).toBe(201)
    expectError(await post(ofSize(16_385)), 413, 'PAYLOAD_TOO_LARGE')
    expectError(await post(stream(ofSize(16_385))), 413, 'PAYLOAD_TOO_LARGE')
    expectError(await post(ofSize(1_000_000)), 413, 'PAYLOAD_TOO_LARGE')
  })

  test.each(['GET /v1/tokens', 'HEAD /v1/tokens', 'DELETE /v1/alerts/x', 'GET /graphql?query={x}'])(
    '%s ignores its body, but refuses one above 16 KiB, with a Content-Length or chunked',
    async (line) => {
      const { authorization } = await server.knock({ plan: 'api' })
      const send = async (size: number, header: string, body: string) => {
        const head = `${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: ${authorization}\r\n${header}\r\n\r\n`
        return (await shout(head + body)).match(/^HTTP\/1\.1 413 /) ? `${size} refused` : `${size} taken`
      }
      const long = (size: number) => send(size, `Content-Length: ${size}`, 'x'.repeat(size))
      const chunked = (size: number) =>
        send(size, 'Transfer-Encoding: chunked', `${size.toString(16)}\r\n${'x'.repeat(size)}\r\n0\r\n\r\n`)
      for (const post of [long, chunked]) {
        expect([await post(16_384), await post(16_385)]).toEqual(['16384 taken', '16385 refused'])
      }
    },
  )

  test('a URL of 8 KiB is accepted and a longer one is refused', async () => {
    const ofLength = (length: number) => `/tokens?x=${'y'.repeat(length - '/v1/tokens?x='.length)}`
    expectError(await server.ask(ofLength(8192)), 400, 'INVALID_PARAMS')
    expectError(await server.ask(ofLength(8193)), 414, 'URI_TOO_LONG')
    expectError(await server.ask(ofLength(40_000)), 414, 'URI_TOO_LONG')
  })

  test("bytes that are not HTTP get an error in the contract's shape", async () => {
    const cases = [
      'GARBAGE\r\n\r\n',
      'GET /v1/tokens HTTP/1.1\r\nbad header\r\n\r\n',
      `GET /${'x'.repeat(70_000)} HTTP/1.1\r\n\r\n`,
    ]
    for (const bytes of cases) {
      const [head = '', body = ''] = (await shout(bytes)).split('\r\n\r\n')
      expect(head).toMatch(/^HTTP\/1\.1 4\d\d /)
      expect(head).toMatch(/x-request-id: \S/i)
      expect(JSON.parse(body).error).toMatchObject({ code: expect.any(String), request_id: expect.any(String) })
    }
  })

  test('requests that Node would refuse itself are answered like any other', async () => {
    for (const header of ['Expect: a-miracle\r\n', 'Upgrade: h2c\r\nConnection: upgrade\r\n']) {
      const answer = await shout(`GET /nowhere HTTP/1.1\r\nHost: x\r\n${header}Connection: close\r\n\r\n`)
      expect(answer).toMatch(/^HTTP\/1\.1 404 /)
      expect(answer).toMatch(/"code":"NOT_FOUND"/)
    }
  })

  test('a request of HTTP/1.1 has one valid Host, or gets 400 in the shape of the contract; HTTP/1.0 needs none', async () => {
    const statusOf = async (version: string, hosts: string) =>
      (await shout(`GET /healthz HTTP/${version}\r\n${hosts}Connection: close\r\n\r\n`)).split(' ')[1]
    for (const hosts of ['Host: x\r\n', 'host: 127.0.0.1:4000\r\n', 'Host: [::1]:80\r\n', 'Host:\r\n'])
      expect([hosts, await statusOf('1.1', hosts)]).toEqual([hosts, '200'])
    for (const hosts of ['', 'Host: a\r\nHost: a\r\n', 'Host: a/b\r\n', 'Host: a b\r\n', 'Host: u@a\r\n'])
      expect([hosts, await statusOf('1.1', hosts)]).toEqual([hosts, '400'])
    expect(await statusOf('1.0', '')).toBe('200')
    const [head = '', body = ''] = (await shout('GET /v1/tokens HTTP/1.1\r\n\r\n')).split('\r\n\r\n')
    expect(head).toMatch(/connection: close/i)
    expect(JSON.parse(body).error).toMatchObject({ code: 'INVALID_PARAMS', message: expect.stringContaining('Host') })
  })

  test('any path and query gets a status of the contract and an error in its shape', async () => {
    const statuses = new Set<number>(Object.values(STATUS_BY_CODE))
    const part = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 20 }).map(encodeURIComponent),
      fc.stringMatching(/^[!-~]{0,20}$/).map((text) => text.replace(/[?#\\]/g, '')),
      fc.constantFrom(
        'tokens',
        'wallets',
        'events',
        'scores',
        'alerts',
        'token',
        `0x${'a'.repeat(40)}`,
        '%00',
        '%zz',
        '..',
      ),
    )
    const query = fc.stringMatching(/^[!-"$-~]{0,60}$/)
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 4 }), query, async (parts, search) => {
        const asked = await raw(`/${parts.join('/')}${search && `?${search}`}`)
        if (asked.status === 200) return
        expect(statuses).toContain(asked.status)
        expect(asked.status).toBeLessThan(500)
        const { error } = JSON.parse(String(asked.bytes))
        expect(error.request_id).toBe(asked.headers['x-request-id'])
        expect(STATUS_BY_CODE[error.code as keyof typeof STATUS_BY_CODE]).toBe(asked.status)
      }),
      { numRuns: 150 },
    )
  })
})

describe('behind a proxy', () => {
  const plain = { 'x-forwarded-proto': 'http', 'x-forwarded-for': '203.0.113.9' }

  test('a request that the proxy received over HTTP is refused, not redirected; one over HTTPS is served', async () => {
    const trusting = await createTestServer({ database, execute, trustProxy: 1 })
    expectError(await trusting.ask('/tokens', { headers: plain }), 403, 'FORBIDDEN')
    expectError(await trusting.ask('/tokens', { headers: { ...plain, authorization: '' } }), 403, 'FORBIDDEN')
    expect((await trusting.ask('/tokens', { headers: { 'x-forwarded-proto': 'https' } })).status).toBe(200)
    expect((await trusting.ask('/tokens')).status).toBe(200)
    expect((await trusting.ask(`${trusting.url}/healthz`, { headers: plain })).status).toBe(200)
  })

  test('headers of an untrusted proxy are ignored', async () => {
    expect((await server.ask('/tokens', { headers: plain })).status).toBe(200)
    const elsewhere = await createTestServer({ database, execute, trustProxy: '10.0.0.1' })
    expect((await elsewhere.ask('/tokens', { headers: plain })).status).toBe(200)
  })

  test('invalid keys count against the address that a trusted proxy names, otherwise against the peer', async () => {
    for (const [trustProxy, expected] of [
      [true, '203.0.113.9'],
      [false, '127.0.0.1'],
    ] as const) {
      const seen: string[] = []
      const authenticate = async (_: string | undefined, address: string) => {
        seen.push(address)
        return {
          accountId: 1,
          keyId: 1,
          email: '',
          plan: 'api' as const,
          requestsPerMinute: null,
          requestsPerDay: null,
        }
      }
      const remaining = { minute: null, day: null }
      const charge = async () => ({ limits: [], requests: 1, remaining, add: async () => {}, refund: async () => {} })
      const proxied = await createTestServer({ database, execute, trustProxy, guard: { authenticate, charge } })
      await proxied.ask('/tokens', { headers: { ...plain, 'x-forwarded-proto': 'https' } })
      expect(seen).toEqual([expected])
    }
  })
})

test('with a certificate the server speaks HTTPS itself and sends HSTS', async () => {
  const secure = await createTestServer({ database, execute, tls: { cert: CERTIFICATE, key: PRIVATE_KEY } })
  expect(secure.url).toMatch(/^https:/)
  const seen = await new Promise((resolve, reject) => {
    httpsRequest(`${secure.url}/healthz`, { ca: CERTIFICATE }, (response) => {
      response.resume()
      resolve([response.statusCode, response.headers['strict-transport-security']])
    })
      .on('error', reject)
      .end()
  })
  expect(seen).toEqual([200, 'max-age=31536000'])
})

describe('without a key,', () => {
  const bare = { headers: { authorization: '' } }

  test('/healthz and / answer, and other paths and methods get 404 and 405', async () => {
    expect((await server.ask(`${server.url}/healthz`, bare)).json).toEqual({ status: 'up' })
    expect((await server.ask(`${server.url}/`, bare)).json).toMatchObject({ rest: '/v1', graphql: '/graphql' })
    for (const path of ['/healthz/', '/v2/tokens', '/favicon.ico', '/V1/tokens', '/graphql/x', '/%zz', '//']) {
      expectError(await server.ask(`${server.url}${path}`, bare), 404, 'NOT_FOUND')
    }
    expectError(await server.ask(`${server.url}/healthz`, { ...bare, method: 'POST' }), 405, 'METHOD_NOT_ALLOWED')
  })

  test('/readyz answers 503 with the reason until a block is indexed, then 200 with block, time and lag', async () => {
    const ready = () => server.ask(`${server.url}/readyz`, bare)
    const first = await ready()
    expectError(first, 503, 'SERVICE_UNAVAILABLE')
    expect(first.json.error.message).toBe('No block is indexed yet.')
    const { pool } = database
    await pool.query(`INSERT INTO chain VALUES (1, 1, 'x', 1, 160, 90)`)
    await pool.query(`INSERT INTO block VALUES (100, '0x', '0x', '2026-01-31 12:00Z', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)`)
    const second = await ready()
    expectError(second, 503, 'SERVICE_UNAVAILABLE')
    expect(second.json.error.message).toBe('The index is 60 blocks behind its source; 50 are allowed.')
    await pool.query('UPDATE chain SET source_head = 105')
    const block_time = '2026-01-31T12:00:00.000Z'
    expect((await ready()).json).toEqual({
      status: 'ready',
      block: 100,
      block_time,
      lag_blocks: 5,
      source_age_seconds: expect.any(Number),
      tokens_unchecked: null,
    })
    // The source lost blocks: that is no lag of 0.
    await pool.query('UPDATE chain SET source_head = 97')
    expect((await ready()).json).toMatchObject({ status: 'ready', lag_blocks: -3 })
    await pool.query(`UPDATE chain SET updated_at = now() - interval '90 s'`)
    expect((await ready()).json.source_age_seconds).toBeGreaterThanOrEqual(90)
    await pool.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('new', '', '9999_new', now())`,
    )
    expect((await ready()).json.error.message).toBe('The database is of a newer version of the program.')
    await pool.query(`DELETE FROM _prisma_migrations WHERE id = 'new'`)
    await pool.query(`DELETE FROM _prisma_migrations WHERE migration_name = '0001_init'`)
    expect((await ready()).json.error.message).toBe('The database lacks 1 migrations.')
  })
})

test('a stop lets running requests finish and accepts no new ones', async () => {
  let go: () => void = () => {}
  let arrived: () => void = () => {}
  const here = new Promise<void>((resolve) => {
    arrived = resolve
  })
  const slow = await createTestServer({
    database,
    execute: async () => {
      arrived()
      await new Promise<void>((resolve) => {
        go = resolve
      })
      return { answer, head: HEAD }
    },
  })
  const asked = slow.ask('/tokens')
  await here
  const stopped = slow.stop()
  go()
  expect((await asked).status).toBe(200)
  await stopped
  await expect(slow.ask('/tokens')).rejects.toThrow()
})

test('an error is an RFC 9457 problem for a caller that asks for one, with the same code, faults and request id', async () => {
  const ask = (accept: string) => server.ask('/tokens?limit=0', { headers: { accept } })
  const problem = await ask('application/json, application/problem+json')
  expect([problem.status, problem.headers.get('content-type')]).toEqual([400, 'application/problem+json'])
  const usual = await ask('application/json')
  expect(JSON.parse(problem.text)).toEqual({
    type: 'about:blank',
    title: 'Bad Request',
    status: 400,
    detail: usual.json.error.message,
    code: 'INVALID_PARAMS',
    details: usual.json.error.details,
    request_id: problem.headers.get('x-request-id'),
  })
})

test('the log names the trace of a valid traceparent, and nothing of another', async () => {
  const traced = async (traceparent: string) => {
    const { headers } = await server.ask('/tokens', { headers: { traceparent } })
    const id = headers.get('x-request-id')
    await expect.poll(() => server.lines.some(({ request_id }) => request_id === id)).toBe(true)
    return server.lines.find(({ request_id }) => request_id === id)
  }
  const [trace, parent] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']
  expect(await traced(`00-${trace}-${parent}-01`)).toMatchObject({ trace_id: trace, parent_id: parent })
  for (const wrong of [
    `ff-${trace}-${parent}-01`,
    `00-${'0'.repeat(32)}-${parent}-01`,
    `00-${trace}-x`,
    'x'.repeat(9000),
  ])
    expect(await traced(wrong)).not.toHaveProperty('trace_id')
})
