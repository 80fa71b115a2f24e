// Many requests sent at once on one connection, tested on real sockets.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { NO_HEAD } from '../../../src/ledger/head.ts'
import { createSlices } from '../../../src/rest/edge/parse-in-slices.ts'
import { createTestDatabase } from '../../support/database.ts'
import { connectRaw, countAnswers } from '../../support/raw.ts'
import { createTestServer } from '../../support/rest.ts'

const READYZ_OF_A = 'GET /readyz HTTP/1.1\r\nhost: a\r\n\r\n'
const READYZ = 'GET /readyz HTTP/1.1\r\nhost: x\r\n\r\n'
const database = await createTestDatabase()

/** A server whose readiness checks wait until the test resolves them. */
async function serve(bounds = {}) {
  const asked: (() => void)[] = []
  const server = await createTestServer({
    database,
    bounds,
    checkReadiness: () =>
      new Promise((resolve) =>
        asked.push(() => resolve({ ready: true, block: 1, time: new Date(0), lag: 0, age: 0, unchecked: 0 })),
      ),
  })
  return { server, asked }
}

test('requests on one connection are answered one at a time and in order', async () => {
  const { server, asked } = await serve()
  const client = await connectRaw(server.url, `${READYZ}GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n${READYZ}`)
  await expect.poll(() => asked.length).toBe(1)
  expect(server.traffic.inFlight).toBe(1)
  asked[0]?.()
  await expect.poll(() => asked.length).toBe(2)
  expect(client.received()).toMatch(/"ready"[\s\S]*"up"/)
  asked[1]?.()
  await expect.poll(() => countAnswers(client.received())).toBe(3)
  expect(server.traffic.inFlight).toBe(0)
  client.socket.destroy()
})

test('a connection with more queued requests than the limit is closed, and none of those is started', async () => {
  const { server, asked } = await serve({ waitingPerConnection: 5 })
  const well = await connectRaw(server.url, READYZ.repeat(6))
  await expect.poll(() => asked.length).toBe(1)
  const greedy = await connectRaw(server.url, READYZ.repeat(7))
  await greedy.closed
  expect(server.refused).toEqual(['pipelined'])
  for (let n = 0; n < 7; n += 1) {
    await expect.poll(() => asked.length).toBeGreaterThan(n)
    asked[n]?.()
  }
  await expect.poll(() => countAnswers(well.received())).toBe(6)
  expect(asked).toHaveLength(7)
  well.socket.destroy()
})

test('what a closed connection had sent besides is not parsed', async () => {
  let parsed = 0
  const server = createServer(({ socket }) => {
    parsed += 1
    socket.destroy()
  })
  server.on('connection', createSlices(1_048_576, () => {}).parse)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const greedy = await connectRaw(`http://127.0.0.1:${port}`, READYZ_OF_A.repeat(1_000))
  await greedy.closed
  expect(parsed).toBe(Math.floor(2_048 / READYZ_OF_A.length))
})

test('a connection that sends more of one request than the bound is closed, with an announced length and in chunks', async () => {
  const server = await createTestServer({ database, bounds: { requestBytes: 100_000 } })
  const chunk = `${(2_048).toString(16)}\r\n${'x'.repeat(2_048)}\r\n`
  const post = (header: string) => `POST /graphql HTTP/1.1\r\nHost: x\r\n${header}\r\n\r\n`
  const bodies = [
    ['content-length: 20000000', 'x'.repeat(99_000), 'x'.repeat(4_000)],
    ['transfer-encoding: chunked', chunk.repeat(48), chunk.repeat(2)],
  ] as const
  for (const [header, allowed, tooMuch] of bodies) {
    const before = server.refused.length
    const client = await connectRaw(server.url, post(header))
    client.socket.write(allowed)
    await expect.poll(() => client.received()).toMatch(/^HTTP\/1.1 4/)
    expect(server.refused).toHaveLength(before)
    client.socket.write(tooMuch)
    await client.closed
    expect([header, server.refused.slice(before)]).toEqual([header, ['large']])
  }
})

test('requests on one connection are counted each for itself: together they may be larger than the bound', async () => {
  const server = await createTestServer({ database, bounds: { requestBytes: 20_000 } })
  const body = 'x'.repeat(9_000)
  const request = `POST /graphql HTTP/1.1\r\nHost: x\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  const client = await connectRaw(server.url, request.repeat(5))
  await expect.poll(() => countAnswers(client.received())).toBe(5)
  expect(server.refused).toEqual([])
  client.socket.destroy()
})

test('a request that is longer than a slice arrives whole', async () => {
  const server = await createTestServer({ database })
  const client = await connectRaw(
    server.url,
    `GET /healthz HTTP/1.1\r\nhost: x\r\nx-long: ${'x'.repeat(9_000)}\r\n\r\n`,
  )
  await expect.poll(() => client.received()).toMatch(/^HTTP\/1.1 200 [\s\S]*"up"/)
  client.socket.destroy()
})

test('requests queued for a client that has disconnected are never started', async () => {
  const { server, asked } = await serve()
  const client = await connectRaw(server.url, READYZ.repeat(20))
  await expect.poll(() => asked.length).toBe(1)
  client.socket.destroy()
  await expect.poll(() => server.traffic.inFlight).toBe(0)
  asked[0]?.()
  expect((await server.ask(`${server.url}/healthz`)).status).toBe(200)
  expect(asked).toHaveLength(1)
})

test('40 clients that pipeline 5,000 requests each and disconnect without reading leave no work behind', async () => {
  const { server, asked } = await serve()
  const flood = READYZ.repeat(5_000)
  const clients = await Promise.all(
    Array.from({ length: 40 }, async () => {
      const client = await connectRaw(server.url)
      client.socket.pause()
      client.socket.write(flood)
      return client
    }),
  )
  // The kernel may hold back some of their data, and the end of their connections, for some seconds.
  await expect.poll(() => server.refused.length).toBeGreaterThan(0)
  for (const { socket } of clients) socket.destroy()
  await expect.poll(() => server.traffic.connections).toBe(0)
  expect(server.traffic.inFlight).toBe(0)
  expect(asked.length).toBeLessThanOrEqual(40)
  expect(new Set(server.refused)).toEqual(new Set(['pipelined']))
  expect((await server.ask(`${server.url}/healthz`)).status).toBe(200)
})

test('an answer that nobody reads is ended after the allowed silence; one still being computed is not', async () => {
  const answer = { text: randomBytes(4_000_000).toString('hex') }
  const database = await createTestDatabase()
  const server = await createTestServer({
    database,
    execute: async () => ({ answer, head: NO_HEAD }),
    bounds: { silentMs: 300 },
  })
  const { authorization } = await server.knock({ plan: 'api' })
  const { asked, server: slow } = await serve({ silentMs: 300 })
  const patient = await connectRaw(slow.url, READYZ)
  await expect.poll(() => asked.length).toBe(1)
  const deaf = await connectRaw(server.url)
  deaf.socket.pause()
  deaf.socket.write(`GET /v1/tokens HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n\r\n`)
  await expect.poll(() => server.refused).toEqual(['slow'])
  await expect.poll(() => server.traffic.connections).toBe(0)
  deaf.socket.destroy()
  const silent = await connectRaw(slow.url)
  await silent.closed
  asked[0]?.()
  await expect.poll(patient.received).toContain('"ready"')
  patient.socket.destroy()
})

test('an answer that is read too slowly is ended after the time limit for answers', async () => {
  const { server, asked } = await serve({ answerMs: 200 })
  const client = await connectRaw(server.url, READYZ)
  await expect.poll(() => asked.length).toBe(1)
  server.clock.advance(201)
  await client.closed
  expect(server.refused).toEqual(['slow'])
})

test('a request whose head or body does not arrive in time gets 400, and its connection is closed', async () => {
  const { server } = await serve({ headMs: 300, requestMs: 600 })
  const { authorization } = await server.knock({ plan: 'api' })
  const head = await connectRaw(server.url, 'GET /healthz HTTP/1.1\r\nA: ')
  const body = await connectRaw(
    server.url,
    `POST /v1/alerts HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nContent-Length: 10\r\n\r\n{`,
  )
  for (const { closed, received } of [head, body]) {
    await closed
    expect(received()).toMatch(/^HTTP\/1\.1 400 [\s\S]*did not arrive in full/)
  }
  expect(server.refused).toEqual(['slow', 'slow'])
})
