// The deadline of a request: at its end the client is answered and the running statements are cancelled.
import { connect } from 'node:net'
import express from 'express'
import { afterAll, expect, test } from 'vitest'
import { begin, localsOf } from '../../../src/rest/edge/admit.ts'
import { startDeadline, within } from '../../../src/rest/edge/deadline.ts'
import { fail } from '../../../src/rest/edge/fail.ts'
import { createListener } from '../../../src/rest/edge/listen.ts'

/** The observations of the handlers below. */
const seen = { refunds: 0, behind: 0, reasons: [] as unknown[] }
let letGo = () => {}
const held = () => new Promise<void>((resolve) => (letGo = resolve))

const app = express()
app.use(begin({ logAccess: () => {} }), startDeadline(300))
app.use((_request, response, next) => {
  const { ending } = localsOf(response)
  ending?.addEventListener('abort', () => seen.reasons.push(ending.reason))
  next()
})
const charge = {
  requests: 1,
  remaining: { minute: null, day: null },
  limits: [],
  add: async () => {},
  refund: async () => {
    seen.refunds += 1
  },
}
app.use(
  '/held',
  within(async (_request, response, next) => {
    await held()
    localsOf(response).admission = { caller: {} as never, charge }
    next()
  }),
  (_request, response) => {
    seen.behind += 1
    response.end('behind')
  },
)
app.use(
  '/late',
  within(async (_request, response) => {
    await held()
    response.setHeader('x-late', '1')
    response.end('late')
  }),
)
app.use(
  '/soon',
  within((_request, response) => void response.end('soon')),
)
app.use(
  '/throws',
  within(() => {
    throw new Error('at once')
  }),
)
app.use(fail)
const listener = createListener(app, { host: '127.0.0.1', port: 0 })
const url = await listener.start()
afterAll(listener.stop)

test('a request beyond its deadline gets 503 with Retry-After, and its charge is refunded', async () => {
  const response = await fetch(`${url}/held`)
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
  expect((await response.json()).error).toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    message: expect.stringMatching(/too long/),
  })
  expect([seen.refunds, seen.behind]).toEqual([0, 0])
  letGo()
  await expect.poll(() => seen.refunds).toBe(1)
  expect(seen.behind).toBe(0)
  expect(seen.reasons).toEqual([expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' })])
})

test('an answer that comes after the deadline does not affect the next request on the connection', async () => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  let text = ''
  socket.setEncoding('utf8').on('data', (part: string) => (text += part))
  socket.write('GET /late HTTP/1.1\r\nhost: x\r\n\r\n')
  await expect.poll(() => text).toMatch(/^HTTP\/1.1 503/)
  letGo()
  await new Promise((resolve) => setImmediate(resolve))
  socket.write('GET /soon HTTP/1.1\r\nhost: x\r\n\r\n')
  await expect.poll(() => text).toMatch(/HTTP\/1.1 200[\s\S]*soon/)
  expect(text).not.toMatch(/x-late/)
  socket.destroy()
})

test('a client that disconnects gets no refund, and its request is aborted', async () => {
  seen.reasons.length = 0
  seen.refunds = 0
  const leaving = new AbortController()
  const answer = fetch(`${url}/held`, { signal: leaving.signal }).catch(() => 'left')
  const before = letGo
  await expect.poll(() => letGo !== before).toBe(true)
  leaving.abort()
  expect(await answer).toBe('left')
  await expect.poll(() => seen.reasons).toEqual([null])
  letGo()
  await new Promise((resolve) => setImmediate(resolve))
  expect([seen.refunds, seen.behind]).toEqual([0, 0])
})

test('a request that succeeds or fails before its deadline is answered normally', async () => {
  seen.reasons.length = 0
  expect(await (await fetch(`${url}/soon`)).text()).toBe('soon')
  expect((await fetch(`${url}/throws`)).status).toBe(500)
  expect(seen.reasons).toEqual([])
})
