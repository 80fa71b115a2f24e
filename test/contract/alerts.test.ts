// Alerts over REST: creating, listing and changing them, the plan's limit under parallel requests, and idempotent
// retries.
import { beforeAll, describe, expect, test } from 'vitest'
import { createKeyring } from '../../src/access/keyring.ts'
import { unsubscribeUrl } from '../../src/alerts/unsubscribe.ts'
import { systemClock } from '../../src/base/clock.ts'
import { CHAT_CHANNELS } from '../../src/fields/channels.ts'
import { readUnsubscribeSecret } from '../../src/ledger/account/secret.ts'
import { CHAT_URLS } from '../support/chat-services.ts'
import { type Asked, expectError, PREFIX, type TestServer } from '../support/rest.ts'
import { createServed, type Served } from '../support/served.ts'

let served: Served
let other: TestServer
beforeAll(async () => {
  served = await createServed()
  other = await served.another()
})

type Terms = Parameters<TestServer['knock']>[0]
const BODY = { name: 'Safe and young', conditions: { max_risk_score: 30, exclude_flags: ['wash_trading'] } }

/** A caller with a key of its own, and shortcuts to its alerts. */
const owner = async (terms: Terms = { plan: 'pro' }, server: TestServer = served) => {
  const { authorization, id } = await server.knock(terms)
  const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}, by = server) =>
    by.ask(path, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      headers: { authorization, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    })
  return {
    authorization,
    keyId: id,
    send,
    create: (body: unknown = BODY, headers: Record<string, string> = {}, by = server) =>
      send('POST', '/alerts', body, headers, by),
    list: async (query = '') => (await send('GET', `/alerts${query}`)).json,
  }
}
const statuses = (answers: Asked[]) => answers.map(({ status }) => status).sort()

test('POST /alerts answers 201 with the alert and its location', async () => {
  const { create, send } = await owner()
  const { status, headers, json } = await create({ ...BODY, name: '  Safe and young ' })
  expect(status).toBe(201)
  expect(json).toEqual({
    id: expect.any(String),
    name: 'Safe and young',
    status: 'active',
    conditions: BODY.conditions,
    notification_channel: 'email',
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  })
  expect(Object.keys(json)).toEqual(['id', 'name', 'status', 'conditions', 'notification_channel', 'created_at'])
  expect(headers.get('location')).toBe(`${PREFIX}/v1/alerts/${json.id}`)
  expect(headers.get('cache-control')).toBe('no-store')
  const read = await send('GET', `/alerts/${json.id}`)
  expect(read.json).toEqual({ ...json, last_triggered_at: null })
})

test('alert conditions are stored as they were sent, and may be empty', async () => {
  const { create } = await owner()
  const conditions = {
    min_liquidity_usd: 0.5,
    max_market_cap_usd: 1e15,
    min_market_cap_usd: 0,
    max_risk_score: 99.9,
    exclude_flags: ['sybil_cluster', 'wash_trading'],
    include_flags: ['liquidity_pulled'],
    min_holder_growth_1h_pct: -3,
    max_age_hours: 1,
  }
  expect((await create({ name: 'all', conditions })).json.conditions).toEqual(conditions)
  expect((await create({ name: 'none', conditions: {} })).json.conditions).toEqual({})
  expect((await create({ name: 'x', conditions: { exclude_flags: [] } })).json.conditions).toEqual({
    exclude_flags: [],
  })
})

test('GET /alerts lists only the alerts of its key, newest first, by status and page', async () => {
  const email = 'two-keys@alerts.example'
  const [mine, sibling] = [await owner({ plan: 'pro', email }), await owner({ plan: 'pro', email })]
  const ids: string[] = []
  for (const name of ['a', 'b', 'c']) ids.unshift((await mine.create({ ...BODY, name })).json.id)
  await sibling.create()
  await mine.send('PATCH', `/alerts/${ids[1]}`, { status: 'paused' })
  const page = await mine.list()
  expect(Object.keys(page)).toEqual(['data', 'total', 'page', 'limit'])
  expect(page).toMatchObject({ total: 3, page: 1, limit: 50 })
  expect(page.data.map(({ id }: { id: string }) => id).sort()).toEqual([...ids].sort())
  for (const alert of page.data) expect(alert).toHaveProperty('last_triggered_at', null)
  expect(await mine.list('?status=paused')).toMatchObject({ total: 1, data: [{ id: ids[1], status: 'paused' }] })
  expect(await mine.list('?status=active&limit=1&page=2')).toMatchObject({ total: 2, page: 2, limit: 1 })
  expect((await mine.list('?status=active&limit=1&page=3')).data).toEqual([])
  expect((await sibling.list()).total).toBe(1)
  expectError(await mine.send('GET', '/alerts?status=deleted'), 400, 'INVALID_PARAMS')
})

test('PATCH changes only the fields it names, and DELETE works once', async () => {
  const { create, send } = await owner()
  const { json } = await create()
  const path = `/alerts/${json.id}`
  const renamed = await send('PATCH', path, { name: 'Other' })
  expect([renamed.status, renamed.json]).toEqual([200, { ...json, name: 'Other', last_triggered_at: null }])
  const changed = await send('PATCH', path, { conditions: { max_age_hours: 2 }, status: 'paused' })
  expect(changed.json).toMatchObject({ name: 'Other', conditions: { max_age_hours: 2 }, status: 'paused' })
  expect((await send('PATCH', path, {})).json).toEqual(changed.json)
  expectError(await send('PATCH', path, { status: 'deleted' }), 400, 'INVALID_PARAMS')
  expectError(await send('PATCH', path, { id: 'x' }), 400, 'INVALID_PARAMS')
  const gone = await send('DELETE', path)
  expect([gone.status, gone.text, gone.headers.get('content-type')]).toEqual([204, '', null])
  for (const method of ['DELETE', 'GET', 'PATCH']) {
    expectError(await send(method, path, method === 'PATCH' ? { name: 'x' } : undefined), 404, 'NOT_FOUND')
  }
})

test("another key's alert and a malformed alert id answer 404, even for a key of the same account", async () => {
  const email = 'owner@alerts.example'
  const mine = await owner({ plan: 'pro', email })
  const strangers = [await owner(), await owner({ plan: 'pro', email })]
  const { id } = (await mine.create()).json
  for (const { send } of strangers) {
    for (const path of [`/alerts/${id}`, '/alerts/x', '/alerts/%00', '/alerts/%zz', `/alerts/${'9'.repeat(500)}`]) {
      expectError(await send('GET', path), 404, 'NOT_FOUND')
      expectError(await send('DELETE', path), 404, 'NOT_FOUND')
      expectError(await send('PATCH', path, { name: 'x' }), 404, 'NOT_FOUND')
    }
  }
  expect((await mine.send('GET', `/alerts/${id}`)).status).toBe(200)
})

test('a test message leaves at once, for the owner of the alert alone, and three times a minute at most', async () => {
  const { create, send } = await owner()
  const { id } = (await create()).json
  expect((await (await owner()).send('POST', `/alerts/${id}/test`)).status).toBe(404)
  const sent = [1, 2, 3].map(() => send('POST', `/alerts/${id}/test`))
  for (const { status, json } of await Promise.all(sent))
    expect([status, json]).toEqual([200, { delivered: true, response: expect.stringMatching(/\S/) }])
  expectError(await send('POST', `/alerts/${id}/test`), 429, 'RATE_LIMITED')
  expect((await send('GET', `/alerts/${id}`)).json).toMatchObject({ id, status: 'active' })
})

test('an alert survives the rotation of its key', async () => {
  const { createKeyring } = await import('../../src/access/keyring.ts')
  const { keyId, create } = await owner()
  const { id } = (await create()).json
  const { key } = await createKeyring(served.database.pool, served.clock).rotate(keyId)
  expect((await served.ask(`/alerts/${id}`, { headers: { authorization: `Bearer ${key}` } })).status).toBe(200)
})

test('the unsubscribe link shows a button and pauses the alert only when it is pressed, without a key', async () => {
  const { create, send } = await owner()
  const { id } = (await create()).json
  const link = unsubscribeUrl(served.url, await readUnsubscribeSecret(served.database), id)
  const statusOf = async () => (await send('GET', `/alerts/${id}`)).json.status
  const open = (method: string, url = link) => served.ask(url, { method, headers: { authorization: '' } })
  const page = await open('GET')
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none'/)
  expect((await open('HEAD')).status).toBe(200)
  expect(await statusOf()).toBe('active')
  expect((await open('POST', link.replace('signature=', 'signature=x'))).status).toBe(400)
  expect(await statusOf()).toBe('active')
  expect((await open('POST')).status).toBe(200)
  expect(await statusOf()).toBe('paused')
  expectError(await open('DELETE'), 405, 'METHOD_NOT_ALLOWED')
})

describe('on the plan Free', () => {
  test('exactly 3 of 50 parallel requests over two processes create an alert, and 10 are admitted at all', async () => {
    other.clock.advance(served.clock.now().getTime() - other.clock.now().getTime())
    const { create, list } = await owner({ plan: 'free' })
    const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => create(BODY, {}, n % 2 ? served : other)))
    expect(statuses(answers)).toEqual([...Array(3).fill(201), ...Array(7).fill(403), ...Array(40).fill(429)])
    served.clock.advance(60_000)
    expect((await list('?status=active')).total).toBe(3)
  })

  test('a valid fourth alert gets 403, an invalid one 400; pausing frees a place and resuming needs one', async () => {
    const { create, send } = await owner({ plan: 'free' })
    const ids = []
    for (let n = 0; n < 3; n += 1) ids.push((await create()).json.id)
    const refused = await create()
    expectError(refused, 403, 'FORBIDDEN')
    expectError(await create({ ...BODY, name: '' }), 400, 'INVALID_PARAMS')
    expect((await send('PATCH', `/alerts/${ids[0]}`, { status: 'paused' })).status).toBe(200)
    expect((await create()).status).toBe(201)
    expectError(await send('PATCH', `/alerts/${ids[0]}`, { status: 'active' }), 403, 'FORBIDDEN')
    expect((await send('PATCH', `/alerts/${ids[1]}`, { status: 'active' })).status).toBe(200)
    served.clock.advance(60_000)
    expect((await send('DELETE', `/alerts/${ids[1]}`)).status).toBe(204)
    expect((await send('PATCH', `/alerts/${ids[0]}`, { status: 'active' })).status).toBe(200)
  })
})

describe('an Idempotency-Key', () => {
  test('replays the first answer for the same body, even with its fields in another order', async () => {
    const { create, send, list } = await owner()
    const first = await create(BODY, { 'idempotency-key': 'k-1' })
    const again = await create({ conditions: BODY.conditions, name: BODY.name }, { 'idempotency-key': 'k-1' })
    expect([again.status, again.text]).toEqual([201, first.text])
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.headers.get('location')).toBe(first.headers.get('location'))
    expect(first.headers.get('idempotent-replayed')).toBeNull()
    expect((await list()).total).toBe(1)
    expect((await send('DELETE', `/alerts/${first.json.id}`)).status).toBe(204)
    expect((await create(BODY, { 'idempotency-key': 'k-1' })).text).toBe(first.text)
  })

  test('answers 409 for another body, and is scoped to its API key', async () => {
    const [mine, stranger] = [await owner(), await owner()]
    const first = await mine.create(BODY, { 'idempotency-key': 'same' })
    expectError(await mine.create({ ...BODY, name: 'Other' }, { 'idempotency-key': 'same' }), 409, 'CONFLICT')
    const theirs = await stranger.create(BODY, { 'idempotency-key': 'same' })
    expect(theirs.status).toBe(201)
    expect(theirs.json.id).not.toBe(first.json.id)
  })

  test('lets one of 20 parallel requests over two processes act; the others get its answer or 409', async () => {
    const { create, list } = await owner()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => create(BODY, { 'idempotency-key': 'once' }, n % 2 ? served : other)),
    )
    expect(answers.filter(({ status }) => status !== 201 && status !== 409)).toEqual([])
    expect((await list()).total).toBe(1)
    expect((await create(BODY, { 'idempotency-key': 'once' })).status).toBe(201)
  })

  test('expires after 24 hours, and the claim of a killed process after a minute', async () => {
    const { create, keyId } = await owner()
    const first = await create(BODY, { 'idempotency-key': 'old' })
    const age = (interval: string) =>
      served.database.pool.query(`UPDATE idempotency SET created_at = created_at - $1::interval`, [interval])
    await age('23:59')
    expect((await create(BODY, { 'idempotency-key': 'old' })).json).toEqual(first.json)
    await age('00:01')
    const second = await create(BODY, { 'idempotency-key': 'old' })
    expect([second.status, second.json.id === first.json.id]).toEqual([201, false])
    await served.database.pool.query(`UPDATE idempotency SET status = NULL WHERE key_id = $1`, [keyId])
    expectError(await create(BODY, { 'idempotency-key': 'old' }), 409, 'CONFLICT')
    await age('00:01')
    expect((await create(BODY, { 'idempotency-key': 'old' })).status).toBe(201)
  })

  test('creates no second alert when the process was killed before it stored the first answer', async () => {
    const { create, list, keyId } = await owner({ plan: 'free' })
    for (let n = 0; n < 2; n += 1) await create()
    const first = await create(BODY, { 'idempotency-key': 'cut' })
    await served.database.pool.query(
      `UPDATE idempotency SET status = NULL, headers = NULL, body = NULL, created_at = created_at - interval '1 minute'
        WHERE key_id = $1`,
      [keyId],
    )
    const again = await create(BODY, { 'idempotency-key': 'cut' })
    expect([again.status, again.json]).toEqual([201, first.json])
    expect((await list()).total).toBe(3)
  })

  test('can be used again after its request was refused', async () => {
    const { create, send } = await owner({ plan: 'free' })
    for (let n = 0; n < 3; n += 1) await create()
    expectError(await create(BODY, { 'idempotency-key': 'full' }), 403, 'FORBIDDEN')
    expectError(await create({ name: 1 }, { 'idempotency-key': 'full' }), 400, 'INVALID_PARAMS')
    const { json } = await send('GET', '/alerts')
    await send('DELETE', `/alerts/${json.data[0].id}`)
    expect((await create(BODY, { 'idempotency-key': 'full' })).status).toBe(201)
  })

  test('must be 1 to 255 visible ASCII characters', async () => {
    const { create } = await owner()
    for (const key of ['', ' ', 'a b', 'é', 'x'.repeat(256)]) {
      const refused = await create(BODY, { 'idempotency-key': key })
      expectError(refused, 400, 'INVALID_PARAMS')
      expect(refused.json.error.details[0]).toMatchObject({ location: 'header', field: 'idempotency-key' })
    }
    expect((await create(BODY, { 'idempotency-key': 'x'.repeat(255) })).status).toBe(201)
  })
})

test('a downgrade pauses the newest alerts beyond the new limit and returns their ids', async () => {
  const email = 'downgraded@example.com'
  const mine = await owner({ plan: 'pro', email })
  const ids: string[] = []
  for (const name of ['a', 'b', 'c', 'd', 'e']) ids.push((await mine.create({ ...BODY, name })).json.id)
  // The test clock stands still, so only these times tell which alerts are newest.
  await served.database.pool.query(
    `UPDATE alert SET created_at = created_at + array_position($1, id) * interval '1 second' WHERE id = ANY ($1::text[])`,
    [ids],
  )
  const { paused } = await createKeyring(served.database.pool, systemClock).create({ email, plan: 'free' })
  expect(paused.sort()).toEqual(ids.slice(3).sort())
  expect((await mine.list('?status=active')).data.map((alert: { name: string }) => alert.name)).toEqual(['c', 'b', 'a'])
})

describe('webhooks', () => {
  const HOOK = { ...BODY, notification_channel: 'webhook', url: 'https://example.com/hook' }

  test('an alert with a webhook shows its secret once, and a new one when it is rotated', async () => {
    const { create, list, send } = await owner()
    const made = await create(HOOK)
    expect([made.status, made.json.notification_channel, made.json.url]).toEqual([201, 'webhook', HOOK.url])
    expect(made.json.secret).toMatch(/^whsec_[\w+/]{40,}=*$/)
    const { id } = made.json
    expect((await list()).data[0]).toMatchObject({ id, url: HOOK.url })
    expect((await list()).data[0]).not.toHaveProperty('secret')
    const rotated = await send('POST', `/alerts/${id}/secret`)
    expect([rotated.status, rotated.json.id]).toEqual([200, id])
    expect(rotated.json.secret).not.toBe(made.json.secret)
    const moved = await send('PATCH', `/alerts/${id}`, { url: 'https://example.com/other' })
    expect([moved.status, moved.json.url]).toEqual([200, 'https://example.com/other'])
    expect(moved.json).not.toHaveProperty('secret')
  })

  test('a retried request with the same Idempotency-Key makes one webhook, and answers its secret again', async () => {
    const { create } = await owner()
    const headers = { 'idempotency-key': 'hook' }
    const [first, second] = [await create(HOOK, headers), await create(HOOK, headers)]
    expect(second.json).toEqual(first.json)
  })

  test('a webhook needs a plan that has it, and a URL of the public internet', async () => {
    const free = await owner({ plan: 'free' })
    expectError(await free.create(HOOK), 403, 'FORBIDDEN')
    const { create, send } = await owner()
    for (const url of [undefined, 5, 'example.com', 'http://example.com', 'https://10.0.0.1/', 'https://localhost./']) {
      const refused = await create({ ...HOOK, url })
      expectError(refused, 400, 'INVALID_PARAMS')
      expect(refused.json.error.message).toMatch(/^url /)
    }
    const closed = await create({ ...HOOK, url: 'https://example.com:25/' })
    expectError(closed, 400, 'INVALID_PARAMS')
    expect(closed.json.error.message).toBe('url must use port 443, which this server may call')
    expectError(await create({ ...BODY, url: HOOK.url }), 400, 'INVALID_PARAMS')
    const { id } = (await create()).json
    expectError(await send('PATCH', `/alerts/${id}`, { url: HOOK.url }), 400, 'INVALID_PARAMS')
    expectError(await send('POST', `/alerts/${id}/secret`), 404, 'NOT_FOUND')
  })

  test('an alert by mail looks as it did before there were webhooks', async () => {
    const { create } = await owner()
    const { json } = await create()
    expect(Object.keys(json)).toEqual(['id', 'name', 'status', 'conditions', 'notification_channel', 'created_at'])
  })
})

describe('chats', () => {
  test.each(CHAT_CHANNELS)(
    'an alert to %s shows the host and the last four characters of its URL, and never its secret',
    async (channel) => {
      const { create, list, send } = await owner()
      const url = CHAT_URLS[channel]
      const headers = { 'idempotency-key': channel }
      const made = await create({ ...BODY, notification_channel: channel, url }, headers)
      expect([made.status, made.json.notification_channel]).toEqual([201, channel])
      expect(made.json).not.toHaveProperty('secret')
      const again = await create({ ...BODY, notification_channel: channel, url }, headers)
      const { id } = made.json
      const moved = await send('PATCH', `/alerts/${id}`, { url: url.replaceAll('01', '02') })
      expect(moved.json.url).toMatch(/….{2}02/)
      const secret = url.match(/(\w+Secret[\w-]*01)/)?.[1] ?? expect.unreachable()
      for (const answer of [made.json, again.json, moved.json, await list(), (await send('GET', `/alerts/${id}`)).json])
        expect(JSON.stringify(answer)).not.toMatch(new RegExp(`${secret}|${secret.replace('01', '02')}`))
      expectError(await send('POST', `/alerts/${id}/secret`), 404, 'NOT_FOUND')
    },
  )

  test.each(CHAT_CHANNELS)('an alert to %s needs a plan with webhooks and a URL of that service', async (channel) => {
    const free = await owner({ plan: 'free' })
    expectError(
      await free.create({ ...BODY, notification_channel: channel, url: CHAT_URLS[channel] }),
      403,
      'FORBIDDEN',
    )
    const { create, send } = await owner()
    for (const url of [undefined, 5, 'https://example.com/hook', `${CHAT_URLS[channel]}/`]) {
      const refused = await create({ ...BODY, notification_channel: channel, url })
      expectError(refused, 400, 'INVALID_PARAMS')
      expect(refused.json.error.message).toMatch(/^url /)
      expect(refused.json.error.message).not.toContain(CHAT_URLS[channel])
    }
    const { id } = (await create({ ...BODY, notification_channel: channel, url: CHAT_URLS[channel] })).json
    expectError(await send('PATCH', `/alerts/${id}`, { url: 'https://example.com/hook' }), 400, 'INVALID_PARAMS')
  })
})

describe('POST /alerts/backtest', () => {
  test('answers a backtest, which costs five requests', async () => {
    const { send } = await owner({ plan: 'api', requestsPerMinute: 7 })
    const { status, json, headers } = await send('POST', '/alerts/backtest', { conditions: { max_risk_score: 30 } })
    expect(status).toBe(200)
    expect(json).toMatchObject({ match_count: 0, kept_since: null, median_change_after_24h_pct: null, matches: [] })
    expect(headers.get('ratelimit')).toContain('r=2;')
    const refused = await send('POST', '/alerts/backtest', { conditions: {} })
    expectError(refused, 429, 'RATE_LIMITED')
    expect(refused.json.error.message).toContain('counts as 5 requests')
  })

  test('names every fault of its body', async () => {
    const { send } = await owner()
    const body = { name: 'x', conditions: { max_risk_score: 101 }, from: '2026-01-02', to: '2026-01-01' }
    const { status, json } = await send('POST', '/alerts/backtest', body)
    expect(status).toBe(400)
    expect(json.error.details.map(({ field }: { field: string }) => field).sort()).toEqual([
      'conditions.max_risk_score',
      'from',
      'name',
    ])
    const late = await send('POST', '/alerts/backtest', { conditions: {}, from: 'yesterday', to: 5 })
    expect(late.json.error.details.map(({ field }: { field: string }) => field)).toEqual(['from', 'to'])
  })
})
