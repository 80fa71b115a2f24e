// Two chains in one database: each has its own tables, channels and locks, and they share the accounts.
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { toSecret } from '../../src/access/key.ts'
import { createKeyring } from '../../src/access/keyring.ts'
import { systemClock } from '../../src/base/clock.ts'
import { readChainSchemas } from '../../src/database/chain-schema.ts'
import { openDatabase } from '../../src/database/client.ts'
import { HEAD_CHANNEL, listen } from '../../src/database/listen.ts'
import { migrate, readMigrations } from '../../src/database/migrate.ts'
import { acquireWriter } from '../../src/database/writer-lock.ts'
import { createAlertRows } from '../../src/ledger/account/alert.ts'
import { findKeyHolder, revokeKey } from '../../src/ledger/account/key.ts'
import { readHead } from '../../src/ledger/head.ts'
import { createReadiness } from '../../src/ledger/read/readiness.ts'
import { buildIndexes, deferIndexes, findDeferred } from '../../src/ledger/write/deferred-indexes.ts'
import { emptyIndex, INDEX_TABLES } from '../../src/ledger/write/reset.ts'
import { createTestAccess } from '../support/access.ts'
import { createChainDatabase, createTestDatabase } from '../support/database.ts'
import { seedLedger } from '../support/seed.ts'

const first = await createTestDatabase()
const second = await createChainDatabase(first, 'other')
const keyring = createKeyring(first.pool, systemClock)
await seedLedger(first.pool)
await seedLedger(second.pool)

/** Tables that exist once. */
const SHARED = [
  ...['account', 'api_key', 'api_key_secret', 'usage_day', 'invite', 'signup_request', 'signup_link'],
  ...['stream', 'stream_ticket', 'chat_pace', 'secret', 'rate_limit', 'gate_policy', 'payment'],
]

const tablesOf = async (schema: string): Promise<string[]> => {
  const { rows } = await first.pool.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = $1::regnamespace ORDER BY name`,
    [schema],
  )
  return rows.map(({ name }) => name)
}

describe('the schema of a further chain', () => {
  it('has every table of the default one but those of the accounts', async () => {
    const all = await tablesOf('public')
    expect(all).toEqual(expect.arrayContaining(SHARED))
    expect(await tablesOf('other')).toEqual(all.filter((name) => !SHARED.includes(name)))
    expect(await readChainSchemas(first.pool)).toEqual(['public', 'other'])
  })

  it('refers to the shared accounts and to its own alerts', async () => {
    const { rows } = await first.pool.query<{ from: string; to: string }>(
      `SELECT conrelid::regclass::text AS from, confrelid::regclass::text AS to FROM pg_constraint
       WHERE contype = 'f' AND connamespace = 'other'::regnamespace ORDER BY 1, 2`,
    )
    expect(rows).toEqual([
      { from: 'other.alert', to: 'account' },
      { from: 'other.alert', to: 'api_key' },
      { from: 'other.alert_departure', to: 'other.alert' },
      { from: 'other.alert_message', to: 'account' },
      { from: 'other.alert_notice', to: 'other.alert_message' },
      { from: 'other.idempotency', to: 'api_key' },
      { from: 'other.reorg_event', to: 'other.reorg' },
    ])
  })

  it('is migrated once, and is refused when other software made it', async () => {
    expect(await migrate(second.pool, 'other')).toEqual([])
    await first.pool.query('CREATE SCHEMA foreign_made')
    await expect(migrate(first.pool, 'foreign_made')).rejects.toMatchObject({
      exitCode: 78,
      message: expect.stringMatching(/^The database has a schema foreign_made that is not of this program/),
    })
  })

  it('is migrated together with the shared one in an empty database', async () => {
    const admin = new pg.Client({ connectionString: first.url })
    await admin.connect()
    const name = `${new URL(first.url).pathname.slice(1)}_empty`
    await admin.query(`CREATE DATABASE ${name}`)
    const empty = openDatabase(Object.assign(new URL(first.url), { pathname: name }).href, { schema: 'other' })
    const { pool } = empty
    try {
      const names = readMigrations().map(({ name }) => name)
      expect(await migrate(pool, 'other')).toEqual([...names, ...names.filter((each) => !each.endsWith('_accounts'))])
      const { rows } = await pool.query(
        `SELECT to_regclass('public.account') IS NOT NULL AS shared, to_regclass('other.account') IS NULL AS once`,
      )
      expect(rows).toEqual([{ shared: true, once: true }])
    } finally {
      await empty.close()
      await admin.query(`DROP DATABASE ${name} WITH (FORCE)`)
      await admin.end()
    }
  })

  it('has its own readiness', async () => {
    const ready = createReadiness(second.pool, 50, 'other')
    expect(await ready()).toMatchObject({ ready: true })
    await second.pool.query('UPDATE chain SET source_head = source_head + 1000')
    expect(await ready()).toMatchObject({ ready: false })
    expect(await createReadiness(first.pool, 50)()).toMatchObject({ ready: true })
    await second.pool.query('UPDATE chain SET source_head = source_head - 1000')
  })
})

it('each chain has a writer of its own', async () => {
  const locks = await Promise.all([first, second].map((database) => acquireWriter({ database })))
  expect(locks).toHaveLength(2)
  for (const lock of locks) await lock.release()
})

it('a notification of one chain is not heard by the other', async () => {
  const heard = { first: 0, second: 0 }
  const connected = { first: false, second: false }
  const both = (['first', 'second'] as const).map((name) =>
    listen(
      name === 'first' ? first : second,
      [HEAD_CHANNEL],
      (channel) => {
        if (channel === HEAD_CHANNEL) heard[name] += 1
        else connected[name] = true
      },
      systemClock,
    ),
  )
  onTestFinished(async () => void (await Promise.all(both.map((each) => each.close()))))
  await expect.poll(() => connected).toEqual({ first: true, second: true })
  for (const { pool } of [second, second, first])
    await pool.query(`SELECT pg_notify(chain_channel('${HEAD_CHANNEL}'), '')`)
  // PostgreSQL delivers in the order of the commits: the first chain's came last.
  await expect.poll(() => heard).toEqual({ first: 1, second: 2 })
})

describe('an account', () => {
  it('has one key for both chains, and its requests count together', async () => {
    const accesses = [createTestAccess(first), createTestAccess(second)] as const
    onTestFinished(async () => void (await Promise.all(accesses.map((access) => access.stop()))))
    const { authorization, key } = await accesses[0].knock({ plan: 'api', requestsPerMinute: 3 })
    expect(await findKeyHolder(second.pool, toSecret(key).hash)).toEqual(
      await findKeyHolder(first.pool, toSecret(key).hash),
    )
    const ask = async ({ guard }: (typeof accesses)[number]) =>
      guard.charge(await guard.authenticate(authorization, '127.0.0.1'), 1)
    const [a, b] = accesses
    await ask(a)
    await ask(b)
    expect((await ask(a)).remaining.minute).toBe(0)
    await expect(ask(b)).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  })

  it('has as many active alerts on all chains as its plan allows, and a revoked key pauses all of them', async () => {
    const { id: keyId, key } = await keyring.create({ email: 'both@example.com', plan: 'free' })
    const holder = await findKeyHolder(first.pool, toSecret(key).hash)
    const owner = { keyId, accountId: holder?.accountId ?? 0 }
    const [here, there] = [first, second].map(({ prisma }) => createAlertRows(prisma, systemClock))
    if (!here || !there) throw new Error('no alerts')
    const alert = { name: 'x', conditions: {} }
    const made = await here.create(owner, alert, 3)
    await there.create(owner, alert, 3)
    const last = await there.create(owner, alert, 3)
    await expect(here.create(owner, alert, 3)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    expect([await here.countActive(owner.accountId), await there.countActive(owner.accountId)]).toEqual([3, 3])
    expect((await here.list(keyId, null, { offset: 0, limit: 10 })).total).toBe(1)
    expect((await there.list(keyId, null, { offset: 0, limit: 10 })).total).toBe(2)
    await second.pool.query('INSERT INTO alert_departure VALUES ($1, 1, now())', [last.id])
    expect(await revokeKey(first.pool, { keyId }, new Date())).toBe(true)
    expect((await here.find(keyId, made.id))?.status).toBe('paused')
    expect((await there.find(keyId, last.id))?.status).toBe('paused')
    // The trigger of the other chain's alerts worked in its own schema.
    expect((await second.pool.query('SELECT FROM alert_departure')).rowCount).toBe(0)
  })
})

it('emptying the index of a chain, and deferring its indexes, leaves the other chain alone', async () => {
  const lock = await acquireWriter({ database: second })
  await deferIndexes(lock, 'all')
  // Again, because an index that is missing here must not be dropped elsewhere.
  await deferIndexes(lock, 'all')
  const deferred = await findDeferred(lock)
  expect(deferred.length).toBeGreaterThan(10)
  await emptyIndex(lock)
  const own = await acquireWriter({ database: first })
  expect(await findDeferred(own)).toEqual([])
  await own.release()
  await buildIndexes(lock, second, deferred, new AbortController().signal)
  expect(await findDeferred(lock)).toEqual([])
  await lock.release()
  for (const table of INDEX_TABLES) {
    expect((await second.pool.query(`SELECT FROM ${table} LIMIT 1`)).rowCount, table).toBe(0)
  }
  expect((await readHead(second.pool)).number).toBe(0)
  expect((await readHead(first.pool)).number).toBeGreaterThan(0)
})
