// POST /v1/sql: one SELECT over the views, for accounts on the API plan.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { createSql, type SqlService } from '../../src/sql/sql.ts'
import { createTestDatabase } from '../support/database.ts'
import { makeFolder } from '../support/folder.ts'
import { expectError } from '../support/rest.ts'
import { seedLedger } from '../support/seed.ts'
import { createServed, type Served } from '../support/served.ts'
import { PATIENT_LIMITS } from '../support/sql.ts'

let sql: SqlService
let served: Served
beforeAll(async () => {
  const filled = await createTestDatabase()
  await seedLedger(filled.pool)
  sql = createSql({ database: filled, folder: makeFolder('sql'), clock: systemClock }, PATIENT_LIMITS)
  served = await createServed({ filled, sql })
})
afterAll(() => sql.stop())

const post = async (body: unknown, terms: Parameters<Served['knock']>[0] = { plan: 'api' }, server = served) => {
  const { authorization } = await server.knock(terms)
  const headers = { authorization, 'content-type': 'application/json' }
  return server.ask('/sql', { method: 'POST', body: JSON.stringify(body), headers })
}

test('POST /sql answers rows, their columns and the block that they show', async () => {
  const { status, json, headers } = await post({ query: 'SELECT count(*) AS total, min(tx_hash) AS first FROM events' })
  expect(status).toBe(200)
  const { rows } = await served.database.pool.query(
    `SELECT count(*)::int AS total, '0x' || min(encode(tx_hash, 'hex')) AS first FROM event`,
  )
  expect(json).toEqual({
    as_of: { block_number: expect.any(Number), timestamp: expect.stringMatching(/Z$/) },
    columns: [
      { name: 'total', type: 'BIGINT' },
      { name: 'first', type: 'VARCHAR' },
    ],
    row_count: 1,
    truncated: false,
    partial: [],
    data: rows,
  })
  expect(headers.get('cache-control')).toBe('no-store')
})

test('POST /sql costs five requests', async () => {
  const terms = { plan: 'api', requestsPerMinute: 7 } as const
  const { headers } = await post({ query: 'SELECT 1 AS one' }, terms)
  expect(headers.get('ratelimit')).toContain('r=2;')
})

test('POST /sql keeps no answer for a repeated request', async () => {
  const { authorization } = await served.knock({ plan: 'api' })
  const headers = { authorization, 'content-type': 'application/json', 'idempotency-key': 'again' }
  for (const name of ['one', 'two']) {
    const body = JSON.stringify({ query: `SELECT 1 AS ${name}` })
    const { status, json } = await served.ask('/sql', { method: 'POST', body, headers })
    expect([status, json.data]).toEqual([200, [{ [name]: 1 }]])
  }
  const { rows } = await served.database.pool.query('SELECT count(*)::int AS kept FROM idempotency')
  expect(rows).toEqual([{ kept: 0 }])
})

test('POST /sql names the fault of a query as one of the body', async () => {
  for (const [query, message] of [
    ['SELECT * FROM api_key', /there is no table "api_key"/],
    ['SELECT 1; SELECT 2', /must be one statement/],
    ["SELECT * FROM read_csv('/etc/passwd')", /read_csv cannot be read from/],
    ['DELETE FROM tokens', /must be a SELECT/],
  ] as const) {
    const refused = await post({ query })
    expectError(refused, 400, 'INVALID_PARAMS')
    expect(refused.json.error.message).toMatch(message)
    expect(refused.json.error.details).toEqual([
      { location: 'body', field: 'query', message: expect.stringMatching(message) },
    ])
  }
})

test.each([
  ['query is required', {}],
  ['query must be a string', { query: 5 }],
  ['query must have 10000 characters at most', { query: 'x'.repeat(10_001) }],
  ['limit is not a field here', { query: 'SELECT 1', limit: 5 }],
])('POST /sql refuses a body: %s', async (message, body) => {
  const refused = await post(body)
  expectError(refused, 400, 'INVALID_PARAMS')
  expect(refused.json.error.message).toContain(message)
})

test('POST /sql is for the API plan', async () => {
  expectError(await post({ query: 'SELECT 1' }, { plan: 'pro' }), 403, 'FORBIDDEN')
})

test('POST /sql is refused where SQL is off', async () => {
  const without = await createServed()
  const refused = await post({ query: 'SELECT 1' }, { plan: 'api' }, without)
  expectError(refused, 403, 'FORBIDDEN')
  expect(refused.json.error.message).toContain('SQL=on')
})
