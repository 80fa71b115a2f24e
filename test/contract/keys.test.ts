// Keys over REST and GraphQL: an account lists, makes, names, rotates and revokes its own, and nobody else's.
import { beforeAll, describe, expect, test } from 'vitest'
import { MAX_KEYS, MAX_KEYS_A_DAY } from '../../src/access/own-keys.ts'
import { type Asked, expectError, PREFIX } from '../support/rest.ts'
import { createServed, type Served } from '../support/served.ts'

let served: Served
beforeAll(async () => {
  served = await createServed()
})

const KEY = /^assay_live_[0-9A-Za-z]{36}$/
/** Longer than a look-up is believed. */
const BELIEVED_MS = 3_001

type Terms = Parameters<Served['knock']>[0]

/** An account of its own, with a sender of requests. */
const owner = async (terms: Terms = { plan: 'api' }) => {
  const { authorization, id } = await served.knock(terms)
  const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    served.ask(path, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      headers: { authorization, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    })
  return { id: String(id), authorization, send }
}
const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
const statuses = (answers: Asked[]) => answers.map(({ status }) => status).sort()

test('POST /me/keys answers 201 with a key that works, and its location shows it without the secret', async () => {
  const { send } = await owner()
  const { status, headers, json } = await send('POST', '/me/keys', { name: '  Dashboard ' })
  expect(status).toBe(201)
  expect(json).toEqual({
    id: expect.stringMatching(/^\d+$/),
    name: 'Dashboard',
    prefix: json.key.slice(0, 15),
    last_four: json.key.slice(-4),
    created_at: expect.any(String),
    last_used_at: null,
    expires_at: null,
    is_current: false,
    key: expect.stringMatching(KEY),
  })
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('location')).toBe(`${PREFIX}/v1/me/keys/${json.id}`)
  const own = await served.ask(`/me/keys/${json.id}`, { headers: bearer(json.key) })
  const { key, ...shown } = json
  expect(own.json).toEqual({ ...shown, is_current: true })
  expect(own.text).not.toContain(key)
})

test('GET /me/keys lists the working keys of the account, newest first, and never a secret', async () => {
  const { id, send } = await owner()
  const made = (await send('POST', '/me/keys', { name: 'Second' })).json
  const gone = (await send('POST', '/me/keys', { name: 'Third' })).json
  await send('DELETE', `/me/keys/${gone.id}`)
  const { json, text } = await send('GET', '/me/keys?limit=1&page=2')
  expect(json).toMatchObject({ total: 2, page: 2, limit: 1, data: [{ id, is_current: true }] })
  expect((await send('GET', '/me/keys')).json.data.map((key: { id: string }) => key.id)).toEqual([made.id, id])
  expect(text).not.toMatch(/assay_live_[0-9A-Za-z]{5}/)
})

test('a key is renamed by another key of its account', async () => {
  const { id, send } = await owner()
  const { key } = (await send('POST', '/me/keys', { name: 'Second' })).json
  const headers = { ...bearer(key), 'content-type': 'application/json' }
  const init = { method: 'PATCH', headers, body: JSON.stringify({ name: 'First' }) }
  expect((await served.ask(`/me/keys/${id}`, init)).json).toMatchObject({ id, name: 'First' })
  expect((await send('GET', `/me/keys/${id}`)).json.name).toBe('First')
})

test('a rotated key keeps its id, and its old secret works until the overlap ends', async () => {
  const { id, authorization, send } = await owner()
  const { status, json } = await send('POST', `/me/keys/${id}/rotate`, {})
  expect([status, json.id]).toEqual([200, id])
  expect((await served.ask('/me', { headers: bearer(json.key) })).status).toBe(200)
  expect((await served.ask('/me', { headers: { authorization } })).status).toBe(200)
  const again = (await served.ask(`/me/keys/${id}/rotate`, {
    method: 'POST',
    headers: { ...bearer(json.key), 'content-type': 'application/json' },
    body: JSON.stringify({ overlap_hours: 0 }),
  })) as Asked
  served.clock.advance(BELIEVED_MS)
  expect((await served.ask('/me', { headers: { authorization } })).status).toBe(401)
  expect((await served.ask('/me', { headers: bearer(json.key) })).status).toBe(401)
  expect((await served.ask('/me', { headers: bearer(again.json.key) })).status).toBe(200)
})

test('a key that revokes itself is refused once the look-up is not believed any more', async () => {
  const { id, send } = await owner()
  expect((await send('DELETE', `/me/keys/${id}`)).status).toBe(204)
  served.clock.advance(BELIEVED_MS)
  expectError(await send('GET', '/me'), 401, 'UNAUTHORIZED')
})

test('a revoked key is missing: it is not renamed, rotated or revoked again', async () => {
  const { send } = await owner()
  const { id } = (await send('POST', '/me/keys', { name: 'Short' })).json
  await send('DELETE', `/me/keys/${id}`)
  for (const answer of [
    await send('GET', `/me/keys/${id}`),
    await send('PATCH', `/me/keys/${id}`, { name: 'x' }),
    await send('POST', `/me/keys/${id}/rotate`, {}),
    await send('DELETE', `/me/keys/${id}`),
  ])
    expectError(answer, 404, 'NOT_FOUND')
})

const ALERT = { name: 'Deep', conditions: { min_liquidity_usd: 5 }, notification_channel: 'email' }

test('the alerts of a revoked key are paused and use up no plan, and the next key of the account has them', async () => {
  const { send } = await owner({ plan: 'free' })
  const { id, key } = (await send('POST', '/me/keys', { name: 'Leaked' })).json
  const headers = { ...bearer(key), 'content-type': 'application/json' }
  const make = () => served.ask('/alerts', { method: 'POST', headers, body: JSON.stringify(ALERT) })
  const ids = [(await make()).json.id, (await make()).json.id, (await make()).json.id].sort()
  expectError(await send('POST', '/alerts', ALERT), 403, 'FORBIDDEN')
  await send('DELETE', `/me/keys/${id}`)
  // The key is still believed, and makes no alert that would outlive it.
  expectError(await make(), 401, 'UNAUTHORIZED')
  const revive = { method: 'PATCH', headers, body: JSON.stringify({ status: 'active' }) }
  expectError(await served.ask(`/alerts/${ids[0]}`, revive), 401, 'UNAUTHORIZED')
  served.clock.advance(61_000)
  expect((await send('POST', '/alerts', ALERT)).status).toBe(201)
  const { key: next } = (await send('POST', '/me/keys', { name: 'Next' })).json
  const { json } = await served.ask('/alerts', { headers: bearer(next) })
  expect(json.data.map((alert: { id: string }) => alert.id).sort()).toEqual(ids)
  expect(json.data.map(({ status }: { status: string }) => status)).toEqual(['paused', 'paused', 'paused'])
})

test('a key that rotates often has five secrets at most, and the newest works', async () => {
  const { id, send } = await owner()
  let key = ''
  for (let n = 0; n < 9; n += 1)
    key = (await send('POST', `/me/keys/${id}/rotate`, { overlap_hours: 1 + n })).json?.key ?? key
  const { rows } = await served.database.pool.query('SELECT FROM api_key_secret WHERE key_id = $1', [id])
  expect(rows).toHaveLength(5)
  expect((await served.ask('/me', { headers: bearer(key) })).status).toBe(200)
})

test("another account's key, and a text that is no id, are missing", async () => {
  const { send } = await owner()
  const { id: foreign, send: sendAsOther } = await owner()
  for (const id of [foreign, '0', '-1', '1e3', '99999999999999', "1'--", '%00']) {
    expectError(await send('GET', `/me/keys/${id}`), 404, 'NOT_FOUND')
    expectError(await send('PATCH', `/me/keys/${id}`, { name: 'mine' }), 404, 'NOT_FOUND')
    expectError(await send('POST', `/me/keys/${id}/rotate`, {}), 404, 'NOT_FOUND')
    expectError(await send('DELETE', `/me/keys/${id}`), 404, 'NOT_FOUND')
  }
  expect((await sendAsOther('GET', `/me/keys/${foreign}`)).json.name).toBe('')
})

test('parallel requests make no more keys than an account may have, and a revoked one makes room', async () => {
  const { send } = await owner()
  const answers = await Promise.all(Array.from({ length: MAX_KEYS + 3 }, () => send('POST', '/me/keys', { name: 'x' })))
  // The account has its first key already.
  expect(statuses(answers).filter((status) => status === 201)).toHaveLength(MAX_KEYS - 1)
  const refused = answers.find(({ status }) => status !== 201) as Asked
  expectError(refused, 403, 'FORBIDDEN')
  expect(refused.json.error.message).toContain(`${MAX_KEYS} keys`)
  const made = answers.find(({ status }) => status === 201) as Asked
  await send('DELETE', `/me/keys/${made.json.id}`)
  expect((await send('POST', '/me/keys', { name: 'x' })).status).toBe(201)
})

test('an account makes a bounded number of keys a day, also if it revokes them', async () => {
  const { id, send } = await owner()
  await served.database.pool.query(
    `INSERT INTO api_key (account_id, name, revoked_at) SELECT k.account_id, 'x', now() FROM api_key k, generate_series(3, $2) WHERE k.id = $1`,
    [id, MAX_KEYS_A_DAY],
  )
  expect((await send('POST', '/me/keys', { name: 'Last' })).status).toBe(201)
  const refused = await send('POST', '/me/keys', { name: 'x' })
  expectError(refused, 403, 'FORBIDDEN')
  expect(refused.json.error.message).toContain(`${MAX_KEYS_A_DAY} in 24 hours`)
})

test('a repeated POST with the same Idempotency-Key makes one key, and only the first answer shows it', async () => {
  const { send } = await owner()
  const headers = { 'idempotency-key': 'one' }
  const first = await send('POST', '/me/keys', { name: 'Once' }, headers)
  const second = await send('POST', '/me/keys', { name: 'Once' }, headers)
  expect(second.headers.get('idempotent-replayed')).toBe('true')
  expect(second.json).toEqual({ ...first.json, key: 'assay_live_...' })
  const stored = await served.database.pool.query('SELECT body FROM idempotency')
  expect(JSON.stringify(stored.rows)).not.toContain(first.json.key)
  const mutation = { query: 'mutation { apiKeyCreate(input: { name: "Again" }) { hidden: key apiKey { id } } }' }
  const url = `${served.url}/graphql`
  const made = await send('POST', url, mutation, { 'idempotency-key': 'two' })
  expect(made.json.data.apiKeyCreate.hidden).toMatch(KEY)
  const replayed = await send('POST', url, mutation, { 'idempotency-key': 'two' })
  expect(replayed.json.data.apiKeyCreate).toEqual({ ...made.json.data.apiKeyCreate, hidden: 'assay_live_...' })
})

describe.each([
  ['POST', '/me/keys', { name: '' }, 'name'],
  ['POST', '/me/keys', { name: 'a\r\nBcc: x' }, 'name'],
  ['POST', '/me/keys', { name: 'x'.repeat(101) }, 'name'],
  ['POST', '/me/keys', { name: 'x', plan: 'pro' }, 'plan'],
  ['POST', '/me/keys', {}, 'name'],
  ['POST', '/me/keys', [], ''],
  ['POST', '/me/keys/:own/rotate', { overlap_hours: 169 }, 'overlap_hours'],
  ['POST', '/me/keys/:own/rotate', { overlap_hours: -1 }, 'overlap_hours'],
  ['POST', '/me/keys/:own/rotate', { overlap_hours: 1.5 }, 'overlap_hours'],
  ['POST', '/me/keys/:own/rotate', { overlap_hours: '1' }, 'overlap_hours'],
])('%s %s with the body %j', (method, path, body, field) => {
  test('answers 400 and names the field', async () => {
    const { id, send } = await owner()
    const refused = await send(method, path.replace(':own', id), body)
    expectError(refused, 400, 'INVALID_PARAMS')
    expect(refused.json.error.details[0].field).toBe(field)
  })
})

test('a new key has the plan of its account, whose limits all keys share', async () => {
  const { send } = await owner({ plan: 'free' })
  const { key } = (await send('POST', '/me/keys', { name: 'Second' })).json
  const me = await served.ask('/me', { headers: bearer(key) })
  expect(me.json.plan).toBe('free')
  expect(me.headers.get('ratelimit')).toMatch(/^"minute";r=8;/)
})
