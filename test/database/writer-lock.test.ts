import { expect, test } from 'vitest'
import { StartupError } from '../../src/base/errors.ts'
import { acquireWriter, LostLock } from '../../src/database/writer-lock.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

const database = await createTestDatabase()

const pidOf = async (client: { query: TestDatabase['pool']['query'] }) =>
  (await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid

/** `seen` resolves when the second writer starts to wait. */
function waiting() {
  let wake = () => {}
  const seen = new Promise<void>((resolve) => {
    wake = resolve
  })
  return { seen, onWait: () => wake() }
}

test('a second writer waits, reports it once, and takes over when the first one releases the lock', async () => {
  const first = await acquireWriter({ database })
  const { seen, onWait } = waiting()
  const second = acquireWriter({ database, onWait })
  await seen
  await first.release()
  await (await second).release()
})

test("a second writer takes over when the first one's connection dies, and the first one learns of it", async () => {
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

test('waiting for the writer lock can be aborted', async () => {
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
