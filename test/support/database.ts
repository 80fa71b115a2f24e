// A database for one test file: a clone of the migrated template, dropped at the end.
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, inject } from 'vitest'
import { toChainUrl } from '../../src/database/chain-schema.ts'
import { type Database, openDatabase } from '../../src/database/client.ts'
import { migrate } from '../../src/database/migrate.ts'
import { openPrisma, type PrismaClient } from '../../src/database/prisma.ts'
import { chainUnderTest } from './chain-under-test.ts'
import { PATIENCE_MS } from './patience.ts'

/** The server ends no statement, and no connection is given up, before a test does. */
const PATIENT = {
  answerWithinMs: 2 * PATIENCE_MS,
  patience: { silentMs: PATIENCE_MS, answerMs: PATIENCE_MS },
}

/** The schema of a further chain in the database, until the file's last test. */
export async function createChainDatabase({ url }: TestDatabase, schema: string): Promise<TestDatabase> {
  const database = openDatabase(url, { schema, ...PATIENT })
  await migrate(database.pool, schema)
  const prisma = openPrisma(database)
  afterAll(async () => {
    await prisma.$disconnect()
    await database.close()
  })
  return { ...database, prisma, url: toChainUrl(url, schema) }
}

export interface TestDatabase extends Database {
  url: string
  prisma: PrismaClient
}

/**
 * Call it at the top of a test file or in `beforeAll`; the database is dropped after the file's last test. `template` is the end of
 * `CREATE DATABASE x TEMPLATE`.
 */
export async function createTestDatabase(template = inject('template')): Promise<TestDatabase> {
  const database = await cloneDatabase(template)
  return chainUnderTest.name ? createChainDatabase(database, chainUnderTest.name) : database
}

async function cloneDatabase(template: string): Promise<TestDatabase> {
  const admin = new pg.Client({ connectionString: inject('postgresUrl') })
  await admin.connect()
  const name = `assay_test_${randomBytes(6).toString('hex')}`
  await admin.query(`CREATE DATABASE ${name} TEMPLATE ${template}`)
  const url = new URL(inject('postgresUrl'))
  url.pathname = name
  const database = openDatabase(url.href, PATIENT)
  const prisma = openPrisma(database)
  afterAll(async () => {
    await prisma.$disconnect()
    await database.close()
    await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    await admin.end()
  })
  return { ...database, prisma, url: url.href }
}
