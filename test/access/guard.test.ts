import { beforeAll, expect, test } from 'vitest'
import { BAD_KEYS_PER_MINUTE } from '../../src/access/bad-keys.ts'
import { generateKey } from '../../src/access/key.ts'
import { createKeyring } from '../../src/access/keyring.ts'
import { networkOf } from '../../src/access/network.ts'
import type { AssayError } from '../../src/base/errors.ts'
import { refusalHeaders } from '../../src/graph/http-headers.ts'
import { createTestAccess, type TestAccess } from '../support/access.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

let database: TestDatabase
let access: TestAccess
beforeAll(async () => {
  database = await createTestDatabase()
  access = createTestAccess(database)
})

const refusalOf = (authorization: string | undefined, address = '192.0.2.7'): Promise<AssayError> =>
  access.guard.authenticate(authorization, address).then(
    () => Promise.reject(new Error('the request was not refused')),
    (error: AssayError) => error,
  )

test('a valid key identifies the caller, whatever the case of "Bearer"', async () => {
  const { id, key } = await access.knock({ plan: 'api', requestsPerDay: 7, email: 'who@example.com' })
  for (const scheme of ['Bearer', 'bearer', 'BEARER ']) {
    expect(await access.guard.authenticate(`${scheme} ${key}`, '')).toEqual({
      accountId: expect.any(Number),
      keyId: id,
      email: 'who@example.com',
      plan: 'api',
      requestsPerMinute: null,
      requestsPerDay: 7,
      streams: null,
      secretHash: expect.any(Buffer),
    })
  }
})

test('a request without a key gets a challenge; malformed and unknown keys get the same answer', async () => {
  const { key } = await access.knock()
  for (const authorization of [undefined, '', 'Bearer', 'Bearer  ', `Basic ${key}`, key]) {
    const missing = await refusalOf(authorization)
    expect([missing.code, refusalHeaders(missing)['www-authenticate']]).toEqual([
      'UNAUTHORIZED',
      'Bearer realm="assay"',
    ])
  }
  const bad = [generateKey(), key.slice(0, -1), 'x', `${key} ${key}`].map((text) => `Bearer ${text}`)
  const errors = await Promise.all(bad.map((text) => refusalOf(text)))
  for (const error of errors) {
    expect(error.message).toBe('The API key is not valid.')
    expect(refusalHeaders(error)).toEqual({ 'www-authenticate': 'Bearer realm="assay", error="invalid_token"' })
  }
})

test('a malformed key is refused without a database query', async () => {
  const { key } = await access.knock()
  const asked: unknown[] = []
  const pool = Object.assign(Object.create(database.pool), { query: (...all: unknown[]) => asked.push(all) })
  const blind = createTestAccess({ ...database, pool })
  const wrong = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0')
  await expect(blind.guard.authenticate(`Bearer ${wrong}`, '')).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  expect(asked).toEqual([])
})

test('a revoked key is refused within 5 s, even by a process that has just used it', async () => {
  const { id, authorization } = await access.knock()
  await access.guard.authenticate(authorization, '')
  await createKeyring(database.pool, access.clock).revoke(id)
  access.clock.advance(5000)
  expect((await refusalOf(authorization)).code).toBe('UNAUTHORIZED')
})

test('a rotated key keeps its id, and the old key works until the overlap ends', async () => {
  const { id, authorization } = await access.knock()
  const keyring = createKeyring(database.pool, access.clock)
  const next = await keyring.rotate(id)
  expect(next.id).toBe(id)
  for (const each of [authorization, `Bearer ${next.key}`]) {
    expect((await access.guard.authenticate(each, '')).keyId).toBe(id)
  }
  access.clock.advance(24 * 3_600_000)
  expect((await refusalOf(authorization)).code).toBe('UNAUTHORIZED')
  expect((await access.guard.authenticate(`Bearer ${next.key}`, '')).keyId).toBe(id)
})

test('a rotation without overlap ends the old keys at once, also one still in an earlier overlap', async () => {
  const { id, authorization } = await access.knock()
  const keyring = createKeyring(database.pool, access.clock)
  const second = await keyring.rotate(id, 1)
  const third = await keyring.rotate(id, 0)
  expect((await refusalOf(authorization)).code).toBe('UNAUTHORIZED')
  expect((await refusalOf(`Bearer ${second.key}`)).code).toBe('UNAUTHORIZED')
  expect((await access.guard.authenticate(`Bearer ${third.key}`, '')).keyId).toBe(id)
})

test('unknown and revoked keys cannot be rotated, and invalid terms are refused', async () => {
  const keyring = createKeyring(database.pool, access.clock)
  const { id } = await access.knock()
  await keyring.revoke(id)
  await keyring.revoke(id)
  await expect(keyring.rotate(id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(keyring.revoke(999_999)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  for (const terms of [
    { email: 'a b@c' },
    { email: 'a@b\n' },
    { requestsPerDay: 5 },
    { plan: 'api', requestsPerDay: 0 },
  ]) {
    await expect(access.knock(terms as object)).rejects.toMatchObject({ code: 'INVALID_PARAMS' })
  }
})

test('neither the key listing nor the database contains a key', async () => {
  const { id, key } = await access.knock({ name: 'ci', email: 'list@example.com' })
  const listing = (await createKeyring(database.pool, access.clock).list()).find((entry) => entry.id === id)
  expect(listing).toMatchObject({ name: 'ci', email: 'list@example.com', plan: 'free', revokedAt: null })
  expect(listing).toMatchObject({ prefix: key.slice(0, 15), lastFour: key.slice(-4) })
  expect(JSON.stringify(listing)).not.toContain(key)
  const stored = await database.pool.query(`SELECT row_to_json(s)::text AS row FROM api_key_secret s`)
  expect(JSON.stringify(stored.rows)).not.toContain(key)
})

test('an address that sends many invalid keys must wait, and its valid keys still work', async () => {
  const { authorization } = await access.knock()
  const address = '198.51.100.9'
  const codes = await Promise.all(
    Array.from({ length: BAD_KEYS_PER_MINUTE + 5 }, async () => (await refusalOf('Bearer nonsense', address)).code),
  )
  expect(codes.filter((code) => code === 'UNAUTHORIZED')).toHaveLength(BAD_KEYS_PER_MINUTE)
  const waiting = await refusalOf('Bearer nonsense', address)
  expect([waiting.code, waiting.retryAfterSeconds]).toEqual(['RATE_LIMITED', 60])
  expect((await access.guard.authenticate(authorization, address)).plan).toBe('free')
  expect((await refusalOf('Bearer nonsense', '198.51.100.10')).code).toBe('UNAUTHORIZED')
  access.clock.advance(60_000)
  expect((await refusalOf('Bearer nonsense', address)).code).toBe('UNAUTHORIZED')
})

test('an IPv6 client counts as its /64, and all spellings of an address count as one', () => {
  expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64')
  expect(networkOf('2001:db8::1')).toBe('2001:db8:0:0::/64')
  expect(networkOf('::1')).toBe('0:0:0:0::/64')
  expect(networkOf('::ffff:192.0.2.1')).toBe('192.0.2.1')
  expect(networkOf('192.0.2.1')).toBe('192.0.2.1')
  for (const spelling of ['2001:DB8:0:0::9', '2001:0db8:0000:0000:0001::', '2001:db8::%eth0'])
    expect(networkOf(spelling)).toBe('2001:db8:0:0::/64')
})

test('a request that turns out to cost more than a whole window is charged nothing', async () => {
  const { authorization } = await access.knock({ plan: 'free' })
  const caller = await access.guard.authenticate(authorization, '')
  const charge = await access.guard.charge(caller, 1)
  await expect(charge.add(100_000)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  expect(charge.requests).toBe(0)
  const next = await access.guard.charge(caller, 1)
  expect(next.limits.map(({ used }) => used)).toEqual(next.limits.map(() => 1))
})
