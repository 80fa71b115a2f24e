// Applies prisma/migrations and records them in Prisma's own table, so that this and `prisma migrate deploy` can be
// mixed. One process migrates at a time (advisory lock); each migration is one transaction. The schema of a further
// chain gets all migrations but those of the accounts, which all chains share.
import { createHash, randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { StartupError } from '../base/errors.ts'
import { DEFAULT_SCHEMA, SCHEMA_COMMENT } from './chain-schema.ts'
import { transactOn } from './transaction.ts'

/** An arbitrary number that no other program is likely to lock. */
const MIGRATION_LOCK = 7_243_901

const BOOKKEEPING = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id varchar(36) PRIMARY KEY NOT NULL, checksum varchar(64) NOT NULL, finished_at timestamptz,
  migration_name varchar(255) NOT NULL, logs text, rolled_back_at timestamptz,
  started_at timestamptz NOT NULL DEFAULT now(), applied_steps_count integer NOT NULL DEFAULT 0)`

interface Migration {
  name: string
  sql: string
  checksum: string
}

/** The migrations that ship with the program, in order. */
export function readMigrations(folder = findFolder()): Migration[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
    .map((name) => {
      const sql = readFileSync(join(folder, name, 'migration.sql'), 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    })
}

/** Why a program does not use a database that a newer one has migrated. */
export const TOO_NEW = 'The database is of a newer version of the program.'

/** Why a program does not use a database that has none of its migrations, but others. */
export const UNRELEASED = 'The database is of a version of the program that was never released.'

/** The fix for a database of another version; null: it can be used once the missing migrations are applied. */
function refuse({ pending, unknown }: SchemaState, migrations: readonly Migration[]): StartupError | null {
  if (unknown.length === 0) return null
  if (pending.length === migrations.length)
    return new StartupError(`${UNRELEASED} It cannot be migrated: begin anew with an empty database.`, 78)
  return new StartupError(
    `${TOO_NEW} It has migrations that this one does not know: ${unknown.join(', ')}. Start the newer version again, or restore a backup of before.`,
    78,
  )
}

/** The migrations of a further chain's schema: those of the accounts are applied once. */
export const ofChain = (migrations: readonly Migration[]): Migration[] =>
  migrations.filter(({ name }) => !name.endsWith('_accounts'))

/**
 * Migrates the database and returns the names of the migrations applied. `schema` is that of a further chain, which is
 * created. Throws a `StartupError` if an applied migration has been edited since, or if another version of the program
 * has migrated the database.
 */
export async function migrate(pool: pg.Pool, schema?: string, migrations = readMigrations()): Promise<string[]> {
  const client = await pool.connect()
  try {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK])
    if (schema === undefined) return await migrateSchema(client, migrations)
    await client.query(`SET search_path = ${DEFAULT_SCHEMA}`)
    const shared = await migrateSchema(client, migrations)
    await createSchema(client, schema)
    await client.query(`SET search_path = ${schema}, ${DEFAULT_SCHEMA}`)
    return [...shared, ...(await migrateSchema(client, ofChain(migrations)))]
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => {})
    client.release(schema !== undefined)
  }
}

/** Creates the schema of a chain, unless it exists. One that other software made is refused. */
async function createSchema(client: pg.PoolClient, schema: string): Promise<void> {
  const { rows } = await client.query<{ comment: string | null }>(
    `SELECT obj_description(oid, 'pg_namespace') AS comment FROM pg_namespace WHERE nspname = $1`,
    [schema],
  )
  if (rows.length === 0)
    await transactOn(client, async () => {
      await client.query(`CREATE SCHEMA ${schema}`)
      await client.query(`COMMENT ON SCHEMA ${schema} IS '${SCHEMA_COMMENT}'`)
    })
  else if (rows[0]?.comment !== SCHEMA_COMMENT)
    throw new StartupError(
      `The database has a schema ${schema} that is not of this program: name the chain differently, or use another database.`,
      78,
    )
}

/** Migrates the first schema of the search path. */
async function migrateSchema(client: pg.PoolClient, migrations: readonly Migration[]): Promise<string[]> {
  await client.query(BOOKKEEPING)
  const known = await readApplied(client)
  const refused = refuse(compare(known, migrations), migrations)
  if (refused) throw refused
  const missing = migrations.filter((migration) => {
    const checksum = known.get(migration.name)
    if (checksum !== undefined && checksum !== migration.checksum) {
      throw new StartupError(
        `The migration ${migration.name} was edited after it was applied to this database: restore the file, or use a new database.`,
      )
    }
    return checksum === undefined
  })
  for (const [i, migration] of missing.entries()) await apply(client, migration, i === missing.length - 1)
  return missing.map((migration) => migration.name)
}

export interface SchemaState {
  /** The names of the migrations that the database lacks. */
  pending: string[]
  /** The names of the migrations that only another version of the program knows. */
  unknown: string[]
}

/** Compares the migrations of the database with those of the program. */
export async function readSchemaState(pool: pg.Pool, migrations = readMigrations()): Promise<SchemaState> {
  const { rows } = await pool.query<{ there: boolean }>(
    `SELECT to_regclass(current_schema() || '._prisma_migrations') IS NOT NULL AS there`,
  )
  const known = rows[0]?.there ? await readApplied(pool) : new Map<string, string>()
  return compare(known, migrations)
}

function compare(known: ReadonlyMap<string, string>, migrations: readonly Migration[]): SchemaState {
  const names = migrations.map(({ name }) => name)
  return {
    pending: names.filter((name) => !known.has(name)),
    unknown: [...known.keys()].filter((name) => !names.includes(name)).sort(),
  }
}

async function readApplied(client: pg.Pool | pg.PoolClient): Promise<Map<string, string>> {
  const { rows } = await client.query<{ migration_name: string; checksum: string }>(
    'SELECT migration_name, checksum FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL',
  )
  return new Map(rows.map((row) => [row.migration_name, row.checksum]))
}

/** Only the last commit waits for the disk; once it is durable, the earlier ones are too. */
async function apply(client: pg.PoolClient, migration: Migration, isLast: boolean): Promise<void> {
  await transactOn(client, async () => {
    if (!isLast) await client.query('SET LOCAL synchronous_commit = off')
    await client.query(migration.sql)
    await client.query(
      'INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count) VALUES ($1, $2, $3, now(), now(), 1)',
      [randomUUID(), migration.checksum, migration.name],
    )
  })
}

/** Finds `prisma/migrations` in the nearest folder above this file, both in the sources and in the build. */
function findFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'prisma', 'migrations'))) {
    const parent = dirname(folder)
    if (parent === folder) throw new StartupError('The folder prisma/migrations is missing: install the program anew.')
    folder = parent
  }
  return join(folder, 'prisma', 'migrations')
}
