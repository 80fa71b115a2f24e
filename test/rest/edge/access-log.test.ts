// The content of the access log, and secrets that it never has.
import { expect, test } from 'vitest'
import { NO_HEAD } from '../../../src/ledger/head.ts'
import { createTestDatabase } from '../../support/database.ts'
import { connectRaw } from '../../support/raw.ts'
import { createTestServer } from '../../support/rest.ts'

const ADDRESS = `0x${'ab'.repeat(20)}`
const database = await createTestDatabase()
const execute = async () => ({ answer: { a: 1, top_holders: [] }, head: NO_HEAD })

test('an access line holds id, account, route, status, time, bytes and cost, and no address or query', async () => {
  const server = await createTestServer({ database, execute })
  const { id, authorization } = await server.knock()
  const { headers } = await server.ask(`/tokens/${ADDRESS}`, { headers: { authorization } })
  const refused = await server.ask('/wallets/x?secret=hush', { headers: { authorization: 'Bearer wrong' } })
  await server.ask(`${server.url}/nowhere?secret=hush`)
  const find = (asked: Headers) => server.lines.find(({ request_id }) => request_id === asked.get('x-request-id'))
  await expect.poll(() => server.lines.length).toBe(3)
  expect(find(headers)).toEqual({
    request_id: headers.get('x-request-id'),
    account_id: expect.any(Number),
    key_id: id,
    method: 'GET',
    route: '/v1/tokens/{address}',
    status: 200,
    ms: 0,
    bytes: expect.any(Number),
    cost: 1,
  })
  expect(find(headers)?.bytes).toBeGreaterThan(300)
  expect(find(refused.headers)).toMatchObject({ path: '/v1/wallets/x', status: 401, cost: 0 })
  expect(server.lines[2]).toMatchObject({ path: '/nowhere', status: 404, cost: 0 })
  expect(JSON.stringify(server.lines)).not.toMatch(/hush|wrong/)
})

test('a request whose client disconnects before the answer is logged as aborted', async () => {
  let asked = false
  const server = await createTestServer({
    database,
    execute: () => {
      asked = true
      return new Promise(() => {})
    },
  })
  const { authorization } = await server.knock({ plan: 'api' })
  const request = `GET /v1/tokens HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n\r\n`
  const { socket } = await connectRaw(server.url, request)
  await expect.poll(() => asked).toBe(true)
  socket.destroy()
  await expect.poll(() => server.lines).toMatchObject([{ route: '/v1/tokens', aborted: true, bytes: 0 }])
})

test.each([
  [1, 8],
  [0.25, 2],
  [0, 0],
])('a share of %d logs that part of the requests, and every server failure', async (accessLog, expected) => {
  let fails = false
  const server = await createTestServer({
    database,
    accessLog,
    execute: async () => {
      if (fails) throw new Error('broken')
      return { answer: {}, head: NO_HEAD }
    },
  })
  for (let n = 0; n < 8; n += 1) expect((await server.ask('/tokens')).status).toBe(200)
  await expect.poll(() => server.traffic.inFlight).toBe(0)
  expect(server.lines).toHaveLength(expected)
  fails = true
  expect((await server.ask('/tokens')).status).toBe(500)
  await expect.poll(() => server.lines.length).toBe(expected + 1)
})
