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
  await old.pool.query(
    `INSERT INTO usage_day (account_id, day, route, requests) VALUES (1, '2026-01-01', 'other', 9007199254740993)`,
  )
  await old.pool.query(
    `INSERT INTO secret (name, value) VALUES ('unsubscribe', '\\xc0ffee') ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
  )
  // A waiting message is about a token, which has another number in the other index.
  const token = `0x${'a1'.repeat(20)}`
  for (const [{ pool }, id] of [
    [old, 901],
    [complete, 902],
  ] as const)
    await pool.query(
      `INSERT INTO token SELECT (jsonb_populate_record(t, jsonb_build_object('id', $1::int, 'address', $2::text))).* FROM token t LIMIT 1`,
      [id, token],
    )
  await old.pool.query(
    `INSERT INTO alert_message (id, alert_id, key_id, account_id, alert_name, status, created_at, next_attempt_at)
     SELECT gen_random_uuid(), id, key_id, account_id, name, 'pending', now(), now() FROM alert`,
  )
  await old.pool.query(
    `INSERT INTO alert_notice (alert_id, token_id, block_number, block_hash, matched_at, initial, message_id, facts)
     SELECT alert_id, 901, 5, '0x05', now(), false, id, '{"a": 1}' FROM alert_message`,
  )
  await complete.pool.query(`INSERT INTO secret (name, value) VALUES ('unsubscribe', '\\x00') ON CONFLICT DO NOTHING`)
  expect(await run(complete, old.url)).toEqual({
    code: 0,
    said: ['adopted 2 accounts, 2 keys and 1 alerts'],
    complaints: [],
  })
  const rowsOf = async ({ pool }: TestDatabase, text: string) => (await pool.query(text)).rows
  for (const table of ['account', 'api_key', 'api_key_secret', 'usage_day', 'alert_message', 'secret'])
    expect(await rowsOf(complete, `SELECT to_jsonb(t)::text FROM ${table} t ORDER BY 1`)).toEqual(
      await rowsOf(old, `SELECT to_jsonb(t)::text FROM ${table} t ORDER BY 1`),
    )
  expect(await rowsOf(complete, 'SELECT name, status, start FROM alert')).toEqual([
    { name: 'kept', status: 'active', start: 'silent' },
  ])
  const notices = `SELECT n.alert_id, n.message_id, n.facts, t.address FROM alert_notice n JOIN token t ON t.id = n.token_id`
  expect(await rowsOf(complete, notices)).toEqual(await rowsOf(old, notices))
  expect(await rowsOf(complete, notices)).toMatchObject([{ address: token }])
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

test('adopt lets streams and webhooks of events continue after their last event', async () => {
  const [old, complete] = [await create(), await create()]
  for (const { pool } of [old, complete]) await pool.query('UPDATE event SET n = -n')
  await old.pool.query('UPDATE event SET n = -n')
  // The complete index has this many events before those of the first one, so its running numbers differ by that.
  const { rows } = await old.pool.query<{ count: number }>('SELECT count(*)::int AS count FROM event')
  const count = rows[0]?.count ?? 0
  await complete.pool.query('UPDATE event SET n = $1 - n', [count])
  await old.pool.query('INSERT INTO reorg (id, fork_block, event_count) VALUES (7, 1, 0)')
  await old.pool.query('INSERT INTO event_dispatch (generation, n) VALUES (7, $1)', [count - 1])
  expect(await run(complete, old.url)).toMatchObject({ code: 0 })
  expect((await complete.pool.query('SELECT generation, n::int FROM event_dispatch')).rows).toEqual([
    { generation: 7, n: count - 1 },
  ])
  expect((await complete.pool.query('SELECT id, fork_block, event_count::int FROM reorg ORDER BY id')).rows).toEqual([
    { id: 7, fork_block: 1, event_count: 0 },
    { id: 8, fork_block: null, event_count: 2 * count - 1 },
  ])
})
