// Tickets open a stream without the key's header: once, for a minute, and only while their key is valid.
import { beforeAll, expect, test } from 'vitest'
import { createKeyring } from '../../src/access/keyring.ts'
import { MOST_TICKETS } from '../../src/ledger/account/stream-ticket.ts'
import { expectError } from '../support/rest.ts'
import { createServed, type Served } from '../support/served.ts'

let served: Served
beforeAll(async () => {
  served = await createServed()
})

const issue = async (authorization: string): Promise<string> => {
  const made = await served.ask('/stream/ticket', { method: 'POST', headers: { authorization } })
  expect([made.status, made.headers.get('cache-control')]).toEqual([200, 'no-store'])
  expect(made.json).toEqual({
    ticket: expect.stringMatching(/^assay_ticket_[0-9A-Za-z]{36}$/),
    expires_at: new Date(served.clock.now().getTime() + 60_000).toISOString(),
  })
  return made.json.ticket
}

/** HEAD opens a stream as GET does, and ends it at once. */
const open = (ticket: string, more: RequestInit & { headers?: Record<string, string> } = {}) =>
  fetch(`${served.url}/v1/stream/events?ticket=${ticket}`, { method: 'HEAD', ...more })

test('a ticket opens one stream, is charged to its account, and is then used up', async () => {
  const { authorization } = await served.knock()
  const ticket = await issue(authorization)
  const first = await open(ticket)
  expect([first.status, first.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
  expect(first.headers.get('ratelimit')).toMatch(/^"minute";r=8;/)
  expect((await open(ticket)).status).toBe(401)
})

test('of many parallel requests with one ticket, one is served', async () => {
  const ticket = await issue((await served.knock()).authorization)
  const answers = await Promise.all(Array.from({ length: 8 }, () => open(ticket)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(401)])
})

test('a ticket ends after a minute, and with its key', async () => {
  const { authorization, id } = await served.knock({ plan: 'pro' })
  const [late, revoked] = [await issue(authorization), await issue(authorization)]
  served.clock.advance(60_000)
  expect((await open(late)).status).toBe(401)
  const again = await issue(authorization)
  await createKeyring(served.database.pool, served.clock).revoke(id)
  served.clock.advance(5_000)
  for (const ticket of [again, revoked]) expect((await open(ticket)).status).toBe(401)
})

test('only a stream takes a ticket, and a made-up one is refused like a key', async () => {
  const { authorization } = await served.knock({ plan: 'pro' })
  const ticket = await issue(authorization)
  const elsewhere = await served.ask(`/events?ticket=${ticket}`, { headers: { authorization: '' } })
  expectError(elsewhere, 401, 'UNAUTHORIZED')
  expect((await open(`${ticket.slice(0, -1)}!`)).status).toBe(401)
  expect((await open(ticket)).status).toBe(200)
})

test(`a key has ${MOST_TICKETS} waiting tickets at most: another one takes the place of the oldest`, async () => {
  const { authorization } = await served.knock({ plan: 'api' })
  const tickets: string[] = []
  for (let n = 0; n <= MOST_TICKETS; n += 1) {
    tickets.push(await issue(authorization))
    served.clock.advance(1)
  }
  expect((await open(tickets[0] ?? '')).status).toBe(401)
  expect((await open(tickets[1] ?? '')).status).toBe(200)
})

test('a ticket is asked for with POST and no parameters', async () => {
  const { authorization } = await served.knock()
  const ask = (method: string, search = '') =>
    served.ask(`/stream/ticket${search}`, { method, headers: { authorization } })
  const wrong = await ask('GET')
  expectError(wrong, 405, 'METHOD_NOT_ALLOWED')
  expect(wrong.headers.get('allow')).toBe('POST, OPTIONS')
  const refused = await ask('POST', '?x=1')
  expectError(refused, 400, 'INVALID_PARAMS')
  expect(refused.json.error.details[0].field).toBe('x')
})
