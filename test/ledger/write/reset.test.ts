// Emptying the index keeps people's data.
import { expect, test } from 'vitest'
import { acquireWriter } from '../../../src/database/writer-lock.ts'
import { emptyIndex, INDEX_TABLES } from '../../../src/ledger/write/reset.ts'
import { createTestDatabase } from '../../support/database.ts'
import { seedLedger } from '../../support/seed.ts'

const database = await createTestDatabase()

/** Tables that are not filled from the chain. */
const KEPT = [
  /^_prisma_migrations$/,
  /^(chain|account|api_key|api_key_secret|gate_policy|usage_day|idempotency|secret|rate_limit)$/,
  /^alert(_.*)?$/,
  /^event_dispatch$/,
  /^(reorg|reorg_event|stream|stream_ticket|payment)$/,
  /^(token_vouch|wallet_label)$/,
  /^(chat_pace|invite|signup_link|signup_request)$/,
]

test('every table is either emptied with the index or kept on purpose', async () => {
  const { rows } = await database.pool.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = 'public'::regnamespace`,
  )
  const unknown = rows.filter(
    ({ name }) => !(INDEX_TABLES as readonly string[]).includes(name) && !KEPT.some((kept) => kept.test(name)),
  )
  expect(unknown).toEqual([])
})

test('an emptied index has no rows of the chain, and keeps accounts', async () => {
  await seedLedger(database.pool)
  await database.pool.query(
    `INSERT INTO account (email, mailbox, plan) VALUES ('stays@example.com', 'stays@example.com', 'free')`,
  )
  const lock = await acquireWriter({ database })
  await emptyIndex(lock)
  await lock.release()
  for (const table of INDEX_TABLES) {
    expect((await database.pool.query(`SELECT 1 FROM ${table} LIMIT 1`)).rowCount, table).toBe(0)
  }
  expect((await database.pool.query('SELECT 1 FROM account')).rowCount).toBeGreaterThan(0)
})
