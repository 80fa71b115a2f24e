// Connections that break while they are lent: what was asked fails, the next one works, and the program goes on.
import type pg from 'pg'
import { expect, test } from 'vitest'
import { openDatabase } from '../../src/database/client.ts'
import { isAway } from '../../src/database/transient-error.ts'
import { createTestDatabase } from '../support/database.ts'

const database = await createTestDatabase()

/** Ends the connection as a server that stops does; resolves once its client knows. */
async function cut(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  const ended = new Promise((resolve) => client.once('end', resolve))
  await database.pool.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid])
  await ended
}

test.each(['pool', 'writePool', 'requestPool'] as const)(
  'a connection of %s that breaks between two statements fails the second one, and is replaced',
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

test('a transaction of Prisma whose connection breaks fails alone', async () => {
  const broken = database.prisma.$transaction(async (transaction) => {
    const [row] = await transaction.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`
    await database.pool.query('SELECT pg_terminate_backend($1)', [row?.pid])
    await transaction.account.count()
  })
  await expect(broken).rejects.toThrow()
  expect(await database.prisma.account.count()).toBe(0)
})

test.each(['writePool', 'requestPool'] as const)(
  'a new connection of %s plans once, and is asked for one thing at a time: the driver warns of more',
  async (name) => {
    const warnings: string[] = []
    const listen = ({ message }: Error) => warnings.push(message)
    process.on('warning', listen)
    const { rows } = await database[name].query('SHOW plan_cache_mode')
    // Node tells of a warning in the next turn.
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
  await expect.poll(async () => (await database.pool.query(running)).rowCount, { timeout: 20_000 }).toBe(0)
  await hasty.close()
})
