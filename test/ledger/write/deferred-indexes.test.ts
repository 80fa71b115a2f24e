// Indexes that a long backfill drops are built again as the migrations defined them, whatever happens in between.
import { expect, test } from 'vitest'
import { acquireWriter } from '../../../src/database/writer-lock.ts'
import {
  buildIndexes,
  checkpoint,
  deferIndexes,
  findDeferred,
  scoresRead,
} from '../../../src/ledger/write/deferred-indexes.ts'
import { createTestDatabase, type TestDatabase } from '../../support/database.ts'

const never = new AbortController().signal
const ADD_EVENT = `INSERT INTO event (n, type_n, block_number, log_index, token_id, token_n, token_type_n, wallet_id,
  wallet_n, wallet_type_n, type, quantity, amount_usd, time, tx_hash)
  VALUES (1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, now(), '\\x00')`

const readUnvacuumed = async ({ pool }: TestDatabase): Promise<number> =>
  (await pool.query(`SELECT FROM pg_class WHERE 'autovacuum_enabled=off' = ANY(reloptions)`)).rowCount ?? 0

const readDefinitions = async ({ pool }: TestDatabase): Promise<string[]> =>
  (
    await pool.query<{ indexdef: string }>(
      `SELECT indexdef FROM pg_indexes WHERE schemaname = current_schema() ORDER BY indexname`,
    )
  ).rows.map(({ indexdef }) => indexdef)

test('deferred indexes are built again exactly as the migrations define them', async () => {
  const database = await createTestDatabase()
  const lock = await acquireWriter({ database })
  const before = await readDefinitions(database)
  await database.pool.query(ADD_EVENT)
  expect(await findDeferred(lock)).toEqual([])
  await deferIndexes(lock, 'all')
  const deferred = await findDeferred(lock)
  expect(deferred).toHaveLength(17)
  expect(await readDefinitions(database)).toHaveLength(before.length - 17)
  expect(await readUnvacuumed(database)).toBe(6)
  await buildIndexes(lock, database, deferred, never)
  expect(await readUnvacuumed(database)).toBe(0)
  expect(await readDefinitions(database)).toEqual(before)
  expect(await findDeferred(lock)).toEqual([])
  await lock.release()
})

test('indexes that only lists read are dropped and built alone, while the tables are vacuumed', async () => {
  const database = await createTestDatabase()
  const lock = await acquireWriter({ database })
  const before = await readDefinitions(database)
  await deferIndexes(lock, 'lists')
  const deferred = await findDeferred(lock)
  expect(deferred).toHaveLength(11)
  expect(deferred.filter(scoresRead)).toEqual([])
  expect(await readUnvacuumed(database)).toBe(0)
  await buildIndexes(lock, database, deferred, never)
  expect(await readDefinitions(database)).toEqual(before)
  await lock.release()
})

test('a signal stops building indexes within a second, finished ones stay, and the rest is built later', async () => {
  const database = await createTestDatabase()
  const lock = await acquireWriter({ database })
  await deferIndexes(lock, 'all')
  const deferred = await findDeferred(lock)
  // Building has to wait for another transaction on one of the tables.
  const other = await database.pool.connect()
  await other.query('BEGIN')
  await other.query(ADD_EVENT)
  const stopping = new AbortController()
  const building = buildIndexes(lock, database, deferred, stopping.signal).catch((error: unknown) => error)
  const waiting = `SELECT 1 FROM pg_stat_activity WHERE query LIKE 'CREATE %' AND wait_event_type = 'Lock'`
  await expect.poll(async () => (await database.pool.query(waiting)).rowCount).toBe(2)
  stopping.abort()
  expect(await building).toMatchObject({ code: '57014' })
  await other.query('COMMIT')
  other.release()
  await buildIndexes(lock, database, await findDeferred(lock), never)
  expect(await findDeferred(lock)).toEqual([])
  await lock.release()
})

test('a checkpoint after a backfill reaches the disk, and a server that refuses it raises no error', async () => {
  const { pool } = await createTestDatabase()
  const readPlace = async () =>
    (await pool.query<{ lsn: string }>('SELECT checkpoint_lsn AS lsn FROM pg_control_checkpoint()')).rows[0]?.lsn
  const before = await readPlace()
  await checkpoint({ pool })
  expect(await readPlace()).not.toBe(before)
  const client = await pool.connect()
  await client.query('CREATE ROLE nobody_special; SET ROLE nobody_special')
  await expect(client.query('CHECKPOINT')).rejects.toMatchObject({ code: '42501' })
  await checkpoint({ pool: client })
  await client.query('RESET ROLE; DROP ROLE nobody_special')
  client.release()
})
