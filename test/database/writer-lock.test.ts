import { beforeAll, expect, test } from 'vitest'
import { StartupError } from '../../src/base/errors.ts'
import { acquireWriter, LostLock } from '../../src/database/writer-lock.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})

const pidOf = async (client: { query: TestDatabase['pool']['query'] }) =>
  (await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid

/** Resolves when somebody waits for the lock. */
function waiting() {
  let wake = () => {}
  const seen = new Promise<void>((resolve) => {
    wake = resolve
  })
  return { seen, onWait: () => wake() }
}

test('a second writer waits, says so once, and takes over when the first one lets go', async () => {
  const first = await acquireWriter({ database })
  const { seen, onWait } = waiting()
  const second = acquireWriter({ database, onWait })
  await seen
  await first.release()
  await (await second).release()
})

test('a second writer takes over when the connection of the first one dies, which the first one learns', async () => {
  const first = await acquireWriter({ database })
  const pid = await pidOf(first.client)
  const { seen, onWait } = waiting()
  const second = acquireWriter({ database, onWait })
  await seen
  await database.pool.query('SELECT pg_terminate_backend($1)', [pid])
  const lock = await second
  await expect.poll(() => first.lost.aborted).toBe(true)
  expect(first.lost.reason).toBeInstanceOf(LostLock)
  await expect(first.client.query('SELECT 1')).rejects.toThrow()
  await first.release()
  await lock.release()
})

test('whoever waits can give up', async () => {
  const first = await acquireWriter({ database })
  const { seen, onWait } = waiting()
  const giving = new AbortController()
  const second = acquireWriter({ database, onWait, signal: giving.signal })
  const refused = expect(second).rejects.toThrow(StartupError)
  await seen
  giving.abort()
  await refused
  await first.release()
})
