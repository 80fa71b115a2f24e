// `adopt`: an index that was made beside a serving one takes its people over.
import { expect, test } from 'vitest'
import { createKeyring } from '../../src/access/keyring.ts'
import { systemClock } from '../../src/base/clock.ts'
import { runProgram } from '../../src/cli/program.ts'
import { createTestAccess } from '../support/access.ts'
import { createContext } from '../support/context.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { seedLedger } from '../support/seed.ts'

const run = async (to: TestDatabase, from: string) => {
  const said: string[] = []
  const complaints: string[] = []
  const context = createContext({ DATABASE_URL: to.url, DATA_DIR: '/nowhere' }, said)
  const code = await runProgram(['adopt', from], context, (line) => complaints.push(line))
  return { code, said, complaints }
}

const create = async () => {
  const database = await createTestDatabase()
  await seedLedger(database.pool)
  return database
}

test('adopt brings every key, alert and secret over, once, and a new key gets a new id', async () => {
  const [old, complete] = [await create(), await create()]
  const access = createTestAccess(old)
  const { authorization } = await access.knock({ plan: 'pro' })
  await createKeyring(old.pool, systemClock).create({ email: 'second@example.com', plan: 'free' })
  await old.pool.query(
    `INSERT INTO alert (id, key_id, account_id, name, status, conditions, notification_channel, created_at, updated_at, start)
     SELECT gen_random_uuid(), id, account_id, 'kept', 'active', '{}', 'email', now(), now(), NULL FROM api_key WHERE id = 1`,
  )
  await old.pool.query(`INSERT INTO usage_day (account_id, day, requests) VALUES (1, '2026-01-01', 9007199254740993)`)
  await old.pool.query(
    `INSERT INTO secret (name, value) VALUES ('unsubscribe', '\\xc0ffee') ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
  )
  await complete.pool.query(`INSERT INTO secret (name, value) VALUES ('unsubscribe', '\\x00') ON CONFLICT DO NOTHING`)
  expect(await run(complete, old.url)).toEqual({
    code: 0,
    said: ['adopted 2 accounts, 2 keys and 1 alerts'],
    complaints: [],
  })
  const rowsOf = async ({ pool }: TestDatabase, text: string) => (await pool.query(text)).rows
  for (const table of ['account', 'api_key', 'api_key_secret', 'usage_day', 'secret'])
    expect(await rowsOf(complete, `SELECT to_jsonb(t)::text FROM ${table} t ORDER BY 1`)).toEqual(
      await rowsOf(old, `SELECT to_jsonb(t)::text FROM ${table} t ORDER BY 1`),
    )
  expect(await rowsOf(complete, 'SELECT name, status, start FROM alert')).toEqual([
    { name: 'kept', status: 'active', start: 'silent' },
  ])
  expect(await createTestAccess(complete).guard.authenticate(authorization, '203.0.113.9')).toMatchObject({
    plan: 'pro',
  })
  const third = await createKeyring(complete.pool, systemClock).create({ email: 'third@example.com', plan: 'free' })
  expect(third.id).toBe(3)
  expect(await run(complete, old.url)).toMatchObject({
    code: 1,
    complaints: ['This database has accounts already: adopt into one that has none.'],
  })
})

test('adopt takes nothing from a database of another chain', async () => {
  const [old, complete] = [await create(), await create()]
  await old.pool.query('UPDATE chain SET chain_id = 10')
  const { code, complaints } = await run(complete, old.url)
  expect([code, complaints]).toEqual([
    1,
    [expect.stringMatching(/^The other database indexes chain 10, and this one chain \d+\.$/)],
  ])
})
