// Statements that several requests share are cancelled when, and only when, nobody waits for them any more.
import { expect, test } from 'vitest'
import { openDatabase } from '../../src/database/client.ts'
import type { HeadWatch } from '../../src/ledger/head.ts'
import { NO_HEAD } from '../../src/ledger/head.ts'
import { createReader, type Reading } from '../../src/ledger/read/consistent-read.ts'
import { createTestDatabase } from '../support/database.ts'

const database = await createTestDatabase()
const watch: HeadWatch = {
  current: () => NO_HEAD,
  version: () => 0,
  refresh: async () => NO_HEAD,
  onChange: () => () => {},
  stop: async () => {},
}
const { requestPool, pool, cancel } = database
const SLEEP = 'SELECT pg_sleep(30)'
const countSleeping = async () =>
  (await pool.query(`SELECT FROM pg_stat_activity WHERE query LIKE $1 AND state = 'active'`, ['%pg_sleep(30)']))
    .rowCount

/** A reader whose answers share one statement that sleeps. */
function createSharing(on = requestPool) {
  const sent = new WeakMap<Reading, Promise<unknown>>()
  return createReader({
    primary: { pool: on, cancel },
    watch,
    prepare: (reading) => () => {
      const shared = sent.get(reading) ?? reading.query({ text: SLEEP })
      sent.set(reading, shared)
      return shared
    },
  })
}

test('a statement that nobody waits for is cancelled on the server, and its connection is reused', async () => {
  const read = createSharing()
  const [one, two] = [new AbortController(), new AbortController()]
  const answers = [one, two].map(({ signal }) => read((ask) => ask(), signal).catch((error: unknown) => error))
  await expect.poll(countSleeping).toBe(1)
  const { totalCount } = requestPool
  one.abort()
  // The other request still waits. A cancellation would have taken effect by the time this query is answered.
  await pool.query('SELECT 1')
  expect(await countSleeping()).toBe(1)
  two.abort()
  expect(await Promise.all(answers)).toEqual([
    expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' }),
    expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' }),
  ])
  await expect.poll(countSleeping).toBe(0)
  await expect.poll(() => requestPool.idleCount).toBe(totalCount)
  expect((await requestPool.query('SELECT 1 AS n')).rows).toEqual([{ n: 1 }])
})

test('a statement still queued for a connection when its clients disconnect is never sent', async () => {
  const narrow = openDatabase(database.url, { size: 1 })
  const first = await narrow.requestPool.connect()
  const leaving = new AbortController()
  const answer = createSharing(narrow.requestPool)((ask) => ask(), leaving.signal).catch((error: unknown) => error)
  await expect.poll(() => narrow.requestPool.waitingCount).toBe(1)
  leaving.abort()
  first.release()
  expect(await answer).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  expect(await countSleeping()).toBe(0)
  await narrow.close()
})

test('a request that joins after another one of the same turn has left still gets its answer', async () => {
  const read = createReader({ primary: { pool: requestPool, cancel }, watch, prepare: (reading) => reading })
  const left = new AbortController()
  const ask = (reading: Reading) => reading.query<{ n: number }>({ text: `SELECT 1 AS n` })
  const first = read(ask, left.signal).catch((error: unknown) => error)
  left.abort()
  const [row] = await read(ask)
  expect(row?.n).toBe(1)
  expect(await first).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
})
