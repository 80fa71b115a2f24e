// Connections that break while they are in use: the statement fails, the next one works, and the process goes on.
import type pg from 'pg'
import { expect, test } from 'vitest'
import { openDatabase } from '../../src/database/client.ts'
import { inTransaction } from '../../src/database/transaction.ts'
import { isAway } from '../../src/database/transient-error.ts'
import { createTestDatabase } from '../support/database.ts'
import { startGate } from '../support/gate.ts'

const database = await createTestDatabase()

/** Terminates the connection as a stopping server does; resolves once the client has noticed. */
async function cut(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  const ended = new Promise((resolve) => client.once('end', resolve))
  await database.pool.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid])
  await ended
}

test.each(['pool', 'writePool', 'requestPool'] as const)(
  'a connection of %s that breaks between two statements fails the second one and is replaced',
  async (name) => {
    const client = await database[name].connect()
    await client.query('BEGIN')
    await cut(client)
    const fault = await client.query('SELECT 1').catch((error: unknown) => error)
    expect(isAway(fault)).toBe(true)
    client.release()
    expect((await database[name].query<{ n: number }>('SELECT 1 AS n')).rows).toEqual([{ n: 1 }])
  },
)

test('a Prisma transaction whose connection breaks fails alone', async () => {
  const broken = database.prisma.$transaction(async (transaction) => {
    const [row] = await transaction.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`
    await database.pool.query('SELECT pg_terminate_backend($1)', [row?.pid])
    await transaction.account.count()
  })
  await expect(broken).rejects.toThrow()
  expect(await database.prisma.account.count()).toBe(0)
})

test.each(['writePool', 'requestPool'] as const)(
  'a new connection of %s uses generic plans and is set up without a warning of the driver',
  async (name) => {
    const warnings: string[] = []
    const listen = ({ message }: Error) => warnings.push(message)
    process.on('warning', listen)
    const { rows } = await database[name].query('SHOW plan_cache_mode')
    // Node emits the warning in the next turn.
    await new Promise((resolve) => setImmediate(resolve))
    process.off('warning', listen)
    expect(rows).toEqual([{ plan_cache_mode: 'force_generic_plan' }])
    expect(warnings).toEqual([])
  },
)

test('a statement of a request that takes too long fails, and the server ends it', async () => {
  const hasty = openDatabase(database.url, { answerWithinMs: 300 })
  const fault = await hasty.requestPool.query('SELECT pg_sleep(60)').catch((error: unknown) => error)
  expect(isAway(fault)).toBe(true)
  expect(hasty.requestPool.totalCount).toBe(0)
  const running = `SELECT FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(60)' AND datname = current_database()`
  await expect.poll(async () => (await database.pool.query(running)).rowCount).toBe(0)
  await hasty.close()
})

test('the server itself ends a slow statement of a request, even one that waits for a lock, and its transaction', async () => {
  const hasty = openDatabase(database.url, { answerWithinMs: 2_500 })
  const slow = await hasty.requestPool.query('SELECT pg_sleep(60)').catch((error: unknown) => error)
  expect(slow).toMatchObject({ code: '57014' })
  expect(isAway(slow)).toBe(true)
  const holder = await database.pool.connect()
  await holder.query('BEGIN; LOCK TABLE account')
  const waiting = inTransaction(hasty.requestPool, (client) => client.query('SELECT FROM account FOR UPDATE'))
  await expect(waiting).rejects.toMatchObject({ code: '57014' })
  await holder.query('ROLLBACK')
  holder.release()
  const { rows } = await hasty.requestPool.query('SHOW statement_timeout')
  expect(rows).toEqual([{ statement_timeout: '2s' }])
  await hasty.close()
})

test('the server ends an idle transaction that a request has forgotten', async () => {
  const hasty = openDatabase(database.url, { answerWithinMs: 2_000 })
  const client = await hasty.requestPool.connect()
  const ended = new Promise((resolve) => client.once('end', resolve))
  await client.query('BEGIN')
  await ended
  client.release(true)
  await hasty.close()
})

test('statements of jobs have no time limit', async () => {
  for (const pool of [database.pool, database.writePool]) {
    expect((await pool.query('SHOW statement_timeout')).rows).toEqual([{ statement_timeout: '0' }])
  }
})

test('a request is refused at once when the queue for connections is full, and the queued ones are served', async () => {
  const narrow = openDatabase(database.url, { size: 1, maxWaiting: 5 })
  const first = await narrow.requestPool.connect()
  const asked = Array.from({ length: 8 }, () => narrow.requestPool.query('SELECT 1'))
  const refused = await Promise.allSettled([...asked.slice(5), narrow.requestPool.connect()])
  for (const each of refused) {
    expect(each.status === 'rejected' && [each.reason.code, isAway(each.reason)]).toEqual(['53300', true])
  }
  first.release()
  const served = await Promise.allSettled(asked)
  expect(served.map(({ status }) => status)).toEqual([...Array(5).fill('fulfilled'), ...Array(3).fill('rejected')])
  await narrow.close()
})

const PATIENCE = { silentMs: 200, answerMs: 3_000 }
/** The server may answer late on a busy machine; this test is about a statement that goes on. */
const LONG_PATIENCE = { silentMs: 200, answerMs: 10_000 }

test.each(['pool', 'writePool'] as const)(
  'a long statement of %s is waited for while the server works on it',
  async (name) => {
    const patient = openDatabase(database.url, { patience: LONG_PATIENCE })
    const { rows } = await patient[name].query<{ n: number }>('SELECT 1 AS n FROM pg_sleep(1.5)')
    expect(rows).toEqual([{ n: 1 }])
    await patient.close()
  },
)

test.each(['pool', 'writePool'] as const)(
  'a connection of %s that the network drops fails its statement, and connecting again does not hang either',
  async (name) => {
    const gate = await startGate(database.url)
    const patient = openDatabase(gate.url, { patience: PATIENCE })
    const client = await patient[name].connect()
    gate.hold()
    const fault = await client.query('SELECT 1').catch((error: unknown) => error)
    expect([isAway(fault), (fault as Error).message]).toEqual([true, 'the database did not answer in time'])
    client.release(true)
    expect(isAway(await patient[name].query('SELECT 1').catch((error: unknown) => error))).toBe(true)
    gate.resume()
    // A busy machine may need longer for a connection than this database waits.
    const ask = async () => (await patient[name].query('SELECT 1 AS n').catch(() => null))?.rows
    await expect.poll(ask).toEqual([{ n: 1 }])
    await patient.close()
    gate.cut()
  },
)

test('a connection whose answer was lost is given up, while other connections still work', async () => {
  const gate = await startGate(database.url)
  // Only what passes through the gate is lost; the check whether the server is working bypasses it.
  const lossy = openDatabase(gate.url, { patience: PATIENCE })
  const client = await lossy.writePool.connect()
  gate.hold()
  const asked = client.query('SELECT 1').catch((error: unknown) => error)
  gate.resumeNew()
  expect(isAway(await asked)).toBe(true)
  client.release(true)
  await lossy.close()
  gate.cut()
})
