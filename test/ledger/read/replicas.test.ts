// Reads from real streaming replicas: one that lags, one that dies, and states that they must never show.
import { afterAll, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../../src/base/clock.ts'
import { openDatabase, openReplica } from '../../../src/database/client.ts'
import { migrate } from '../../../src/database/migrate.ts'
import { createHead, notifyHead } from '../../../src/ledger/head.ts'
import { createReader } from '../../../src/ledger/read/consistent-read.ts'
import { createReplicas } from '../../../src/ledger/read/replicas.ts'
import { silentLog } from '../../support/access.ts'
import { makeFolder } from '../../support/folder.ts'
import { seedLedger } from '../../support/seed.ts'
import { startPrimary } from '../../support/servers.ts'

const primary = await startPrimary(makeFolder('replicas'))
const database = openDatabase(primary.url, { size: 4 })
await migrate(database.pool)
await seedLedger(database.pool)
const servers = [await primary.copy('first'), await primary.copy('second')] as const
const sources = servers.map(({ url }) => openReplica(url, { size: 4 }))
const lines: unknown[] = []
const note = (...[, line]: unknown[]) => void lines.push(line)
const replicas = createReplicas({
  primary: database.requestPool,
  replicas: sources,
  clock: systemClock,
  log: { ...silentLog, info: note, warn: note },
})
const watch = await createHead(database, systemClock, replicas.reach)
const read = createReader({
  primary: { pool: database.requestPool, cancel: database.cancel },
  replicas,
  watch,
  prepare: (reading) => reading,
})
const controls = servers.map(({ url }) => openDatabase(url, { size: 1 }))
afterAll(async () => {
  await watch.stop()
  await replicas.stop()
  await Promise.all([database, ...sources, ...controls].map((each) => each.close()))
  await Promise.all([...servers, primary].map((server) => server.kill()))
})

/** Where an answer was read (the port), its block, and a name that each block changes. */
const look = (sleep = 0) =>
  read(async (reading) => {
    const [row] = await reading.query<{ port: number; name: string }>({
      text: `SELECT inet_server_port() AS port, name, pg_sleep(${sleep})::text FROM token WHERE id = 1`,
    })
    return { port: row?.port, name: row?.name, block: reading.head.number }
  })
const ports = servers.map(({ port }) => port)
const lookOften = async () =>
  new Set((await Promise.all(Array.from({ length: 8 }, () => look()))).map(({ port }) => port))

/** Adds a block that renames token 1, as the writer does: one transaction, then everybody is told. */
async function addBlock(): Promise<number> {
  const { rows } = await database.pool.query<{ number: number }>(`WITH b AS (
      INSERT INTO block SELECT (jsonb_populate_record(b, jsonb_build_object('number', number + 1, 'hash', md5(number::text)))).*
      FROM block b ORDER BY number DESC LIMIT 1 RETURNING number)
    UPDATE token SET name = 'at ' || b.number FROM b WHERE token.id = 1 RETURNING b.number`)
  await notifyHead(database.pool)
  return rows[0]?.number ?? 0
}
const pause = (at: number) => controls[at]?.pool.query('SELECT pg_wal_replay_pause()')
const resume = (at: number) => controls[at]?.pool.query('SELECT pg_wal_replay_resume()')
const untilServed = (block: number) => expect.poll(() => watch.current().number).toBe(block)
const untilReady = (ready: number) => expect.poll(() => replicas.count().ready).toBe(ready)

beforeEach(() => untilReady(2))

test('answers come from the replicas in turn, and none from the primary', async () => {
  expect(await lookOften()).toEqual(new Set(ports))
  const block = await addBlock()
  await untilServed(block)
  expect(await look()).toEqual({ port: expect.toSatisfy((port) => ports.includes(port)), name: `at ${block}`, block })
})

test('a replica that lags behind the block which is served is not asked, and the primary is while all lag', async () => {
  await pause(0)
  const one = await addBlock()
  await untilServed(one)
  expect(await lookOften()).toEqual(new Set([ports[1]]))
  await pause(1)
  const two = await addBlock()
  await untilServed(two)
  expect(await look()).toEqual({ port: primary.port, name: `at ${two}`, block: two })
  expect(replicas.count()).toEqual({ ready: 0, behind: 2, away: 0 })
  await Promise.all([resume(0), resume(1)])
  await untilReady(2)
  expect((await lookOften()).has(primary.port)).toBe(false)
})

test('a replica that has the block, but not yet the scores written after it, is not asked', async () => {
  await Promise.all([pause(0), pause(1)])
  const before = watch.version()
  await database.pool.query(`UPDATE token SET name = 'scored' WHERE id = 1`)
  await notifyHead(database.pool)
  await expect.poll(watch.version).toBeGreaterThan(before)
  expect(await look()).toMatchObject({ port: primary.port, name: 'scored' })
  await Promise.all([resume(0), resume(1)])
})

test('answers of one reader never go back while blocks come quickly and replicas lag by turns', async () => {
  let last = 0
  const seen = new Set<number | undefined>()
  const readSome = async () => {
    for (let times = 0; times < 6; times += 1) {
      const { port, name, block } = await look()
      seen.add(port)
      if (name !== 'scored') expect(name).toBe(`at ${block}`)
      expect(block).toBeGreaterThanOrEqual(last)
      last = block
    }
  }
  const write = async (n: number) => {
    await addBlock()
    await (n % 4 === 0 ? pause : resume)(n % 8 < 4 ? 0 : 1)
  }
  for (let n = 0; n < 40; n += 1) await Promise.all([write(n), readSome()])
  await Promise.all([resume(0), resume(1)])
  expect(seen.size).toBeGreaterThan(1)
})

test('a replica that dies in the middle of statements costs no answer, and is used again when it is back', async () => {
  const asked = Array.from({ length: 8 }, () => look(1))
  await expect
    .poll(
      async () =>
        (
          await controls[0]?.pool.query(
            `SELECT FROM pg_stat_activity WHERE query LIKE '%pg_sleep(1)%' AND state = 'active'`,
          )
        )?.rowCount,
    )
    .toBeGreaterThan(1)
  await servers[0].kill()
  const answers = await Promise.all(asked)
  expect(answers.map(({ block }) => block)).toEqual(Array(8).fill(watch.current().number))
  expect(await lookOften()).toEqual(new Set([ports[1]]))
  expect(replicas.count()).toEqual({ ready: 1, behind: 0, away: 1 })
  await servers[1].kill()
  expect(await lookOften()).toEqual(new Set([primary.port]))
  const block = await addBlock()
  await untilServed(block)
  expect(await look()).toMatchObject({ port: primary.port, block })
  await Promise.all(servers.map((server) => server.start()))
  await untilReady(2)
  const told = lines.filter((line) => line !== 'a statement failed on a replica: it is left for a moment')
  const away = 'a replica does not answer: others, or the primary, are asked'
  expect(told).toEqual([away, away, 'a replica answers again', 'a replica answers again'])
  expect((await lookOften()).has(primary.port)).toBe(false)
})
