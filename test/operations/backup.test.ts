// Backup and restore as docs/operations.md tells them: what only the database knows comes back, and the index goes on from
// where the backup stood to the same rows as one that was never interrupted.
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { createKeyring } from '../../src/access/keyring.ts'
import { systemClock } from '../../src/base/clock.ts'
import { loadPreset } from '../../src/chain/presets/presets.ts'
import { DEMO_CHAIN_ID } from '../../src/chain/replay/demo.ts'
import type { Database, pg } from '../../src/database/client.ts'
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
  return dumpLedger(database.pool)
}

beforeAll(async () => {
  const database = await createTestDatabase()
  straight = await finish(database)
}, 60_000)

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
  return own
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
}, 120_000)

/** The major version of PostgreSQL's own programs; 0 where there are none. */
const clientVersion = () =>
  Number(/ (\d+)/.exec(spawnSync('pg_dump', ['--version']).stdout?.toString() ?? '')?.[1] ?? 0)

test('pg_dump and pg_restore bring back all that a database had, and its index goes on (skipped where they are older than the server)', async ({
  skip,
}) => {
  const database = await createTestDatabase()
  const { rows } = await database.pool.query(`SELECT current_setting('server_version_num')::int / 10000 AS major`)
  const [client, server] = [clientVersion(), rows[0].major]
  if (client < server)
    skip(`pg_dump is ${client === 0 ? 'not installed' : `of version ${client}`}, the server of version ${server}`)
  const own = await fill(database)
  const file = join(makeFolder('backup'), 'assay.dump')
  const target = new URL(database.url)
  target.pathname += '_restored'
  execFileSync('pg_dump', ['--format=custom', `--file=${file}`, database.url])
  await database.pool.query(`CREATE DATABASE ${target.pathname.slice(1)}`)
  try {
    execFileSync('pg_restore', ['--no-owner', `--dbname=${target.href}`, file])
    const restored = await openLedger({
      databaseUrl: target.href,
      dataDir: '',
      log: silentLog as never,
      clock: systemClock,
      size: 4,
    })
    expect(restored.migrated).toEqual([])
    await expectRestored(restored.database, own).finally(restored.close)
  } finally {
    await database.pool.query(`DROP DATABASE ${target.pathname.slice(1)} WITH (FORCE)`)
  }
}, 120_000)
