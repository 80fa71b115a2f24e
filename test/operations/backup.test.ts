// Backup and restore by docs/operations.md: the data that only the database has comes back. The index continues from
// the backup to the same rows as one without an interruption.
import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { beforeAll, expect, inject, test } from 'vitest'
import { createKeyring } from '../../src/access/keyring.ts'
import { systemClock } from '../../src/base/clock.ts'
import { loadPreset } from '../../src/chain/presets/presets.ts'
import { DEMO_CHAIN_ID } from '../../src/chain/replay/demo.ts'
import type { Database } from '../../src/database/client.ts'
import { openLedger } from '../../src/database/open.ts'
import { INDEX_TABLES } from '../../src/ledger/write/reset.ts'
import { silentLog } from '../support/access.ts'
import { createTestDatabase } from '../support/database.ts'
import { indexDemo } from '../support/demo.ts'
import { makeFolder } from '../support/folder.ts'
import { dumpLedger, rescoreAll } from '../support/live.ts'

/** Where the backup is made, and how far both are indexed then. */
const STOP = 100
const UNTIL = 160

type Rows = Record<string, string[]>

let straight: Rows

/** Indexes up to `UNTIL`, and gives all rows with every score as of its block: when it was made depends on the stops before. */
async function finish(database: Database): Promise<Rows> {
  await indexDemo(database, UNTIL)
  await rescoreAll(database, loadPreset(DEMO_CHAIN_ID))
  return sortRows(await dumpLedger(database.pool))
}

/** Servers sort text by rules of their own. */
const sortRows = (rows: Rows): Rows =>
  Object.fromEntries(Object.entries(rows).map(([table, texts]) => [table, [...texts].sort()]))

beforeAll(async () => {
  const database = await createTestDatabase()
  straight = await finish(database)
})

/** What no chain can tell again: accounts, keys, alerts, mails, usage. */
async function dumpOwn(pool: pg.Pool): Promise<Rows> {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname <> ALL ($1) ORDER BY 1`,
    [INDEX_TABLES],
  )
  const own: Rows = {}
  for (const { name } of rows)
    own[name] = (
      await pool.query<{ row: string }>(`SELECT to_jsonb(t)::text AS row FROM "${name}" t ORDER BY 1`)
    ).rows.map(({ row }) => row)
  return sortRows(own)
}

/** Fills a database up to the backup: the chain, an account with a key, an alert. */
async function fill(database: Database): Promise<Rows> {
  await indexDemo(database, STOP)
  const keyring = createKeyring(database.pool, systemClock)
  await keyring.create({ email: 'kept@example.com', plan: 'pro' })
  await database.pool.query(
    `INSERT INTO alert (id, key_id, account_id, name, status, conditions, notification_channel, created_at, updated_at)
     SELECT '5eb5f7f0-7612-408f-bc91-3f34a3c9f0ac', id, account_id, 'kept', 'active', '{"max_risk_score": 30}', 'email', now(), now()
     FROM api_key`,
  )
  const own = await dumpOwn(database.pool)
  for (const name of ['account', 'api_key', 'api_key_secret', 'alert']) expect(own[name]).toHaveLength(1)
  return own
}

async function expectRestored(database: Database, own: Rows): Promise<void> {
  expect(await dumpOwn(database.pool)).toEqual(own)
  expect((await database.pool.query('SELECT max(number) AS block FROM block')).rows).toEqual([{ block: STOP }])
  expect(await finish(database)).toEqual(straight)
}

test('a copy of the folder of a stopped program holds all that it had, and its index goes on', async () => {
  const parent = makeFolder('backup')
  if (process.getuid?.() === 0) chmodSync(parent, 0o711)
  const open = (dataDir: string) =>
    openLedger({ databaseUrl: undefined, dataDir, log: silentLog as never, clock: systemClock, size: 4 })
  const first = await open(join(parent, '.assay'))
  const own = await fill(first.database).finally(first.close)
  execFileSync('cp', ['-a', join(parent, '.assay'), join(parent, 'assay-backup')])
  const restored = await open(join(parent, 'assay-backup'))
  await expectRestored(restored.database, own).finally(restored.close)
})

/** The major version of PostgreSQL's own programs; 0 where there are none. */
const clientVersion = () =>
  Number(/ (\d+)/.exec(spawnSync('pg_dump', ['--version']).stdout?.toString() ?? '')?.[1] ?? 0)

/** The major version of a server; null when nobody may connect there. */
async function serverVersion(url: string): Promise<number | null> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  try {
    await client.connect()
    const { rows } = await client.query(`SELECT current_setting('server_version_num')::int / 10000 AS major`)
    return rows[0].major
  } catch {
    return null
  } finally {
    await client.end().catch(() => {})
  }
}

/** A server on which pg_dump works: that of the run, or the one that Debian and others install together with pg_dump. */
async function findServer(): Promise<{ url: string } | { missing: string }> {
  const client = clientVersion()
  if (client === 0) return { missing: 'pg_dump is not installed' }
  const seen: string[] = []
  for (const url of [inject('postgresUrl'), 'postgres://postgres@127.0.0.1:5432/postgres']) {
    const version = await serverVersion(url)
    if (version !== null && version <= client) return { url }
    seen.push(version === null ? 'none answers without a password at 127.0.0.1:5432' : `one is of version ${version}`)
  }
  return { missing: `pg_dump is of version ${client}, and of the servers ${seen.join(', ')}` }
}

test('pg_dump and pg_restore bring back all that a database had, and its index goes on (skipped where no server is as old as they are)', async ({
  skip,
}) => {
  const server = await findServer()
  if ('missing' in server) return skip(server.missing)
  const admin = new pg.Client({ connectionString: server.url })
  await admin.connect()
  const names = [1, 2].map((at) => `assay_backup_${randomBytes(6).toString('hex')}_${at}`)
  const [source, target] = names.map((name) => Object.assign(new URL(server.url), { pathname: name }).href) as [
    string,
    string,
  ]
  const open = (databaseUrl: string) =>
    openLedger({ databaseUrl, dataDir: '', log: silentLog as never, clock: systemClock, size: 4 })
  const file = join(makeFolder('backup'), 'assay.dump')
  try {
    for (const name of names) await admin.query(`CREATE DATABASE ${name}`)
    const first = await open(source)
    const own = await fill(first.database).finally(first.close)
    execFileSync('pg_dump', ['--format=custom', `--file=${file}`, source])
    execFileSync('pg_restore', ['--no-owner', `--dbname=${target}`, file])
    const restored = await open(target)
    expect(restored.migrated).toEqual([])
    await expectRestored(restored.database, own).finally(restored.close)
  } finally {
    for (const name of names) await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    await admin.end()
  }
})
