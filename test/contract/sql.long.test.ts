// A query of SQL that takes longer than a request has: the query is blamed, and not the server.
import { afterAll, expect, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { createSql } from '../../src/sql/sql.ts'
import { createTestDatabase } from '../support/database.ts'
import { makeFolder } from '../support/folder.ts'
import { expectError } from '../support/rest.ts'
import { seedLedger } from '../support/seed.ts'
import { createServed } from '../support/served.ts'
import { PATIENT_LIMITS } from '../support/sql.ts'

const QUERY = 'SELECT sum(range % 7) FROM range(1000000000000)'
const filled = await createTestDatabase()
await seedLedger(filled.pool)
const sql = createSql(
  { database: filled, folder: makeFolder('sql'), clock: systemClock },
  { ...PATIENT_LIMITS, withinMs: 12_000 },
)
afterAll(() => sql.stop())
const served = await createServed({ filled, sql, requestWithinMs: 8_000 })

test('a query that takes longer than its time gets 400, where a request has less time too; GraphQL says the same', async () => {
  const send = async (path: string, query: string) => {
    const { authorization } = await served.knock({ plan: 'api' })
    const headers = { authorization, 'content-type': 'application/json' }
    return served.ask(path, { method: 'POST', headers, body: JSON.stringify({ query }) })
  }
  const [refused, asked] = await Promise.all([
    send('/sql', QUERY),
    send(`${served.url}/graphql`, `{ sql(query: "${QUERY}") { rowCount } }`),
  ])
  expectError(refused, 400, 'INVALID_PARAMS')
  expect(refused.json.error.message).toBe('query takes longer than 12 s: read fewer rows')
  expect(asked.json.errors[0].extensions.code).toBe('INVALID_PARAMS')
})
