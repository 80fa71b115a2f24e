// A database for one test file: a clone of the migrated template, dropped at the end.
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, inject } from 'vitest'
import { type Database, openDatabase } from '../../src/database/client.ts'
import { openPrisma, type PrismaClient } from '../../src/database/prisma.ts'

export interface TestDatabase extends Database {
  url: string
  prisma: PrismaClient
}

/**
 * Call it at the top of a test file or in `beforeAll`; the database is dropped after the file's last test. `template` is the end of
 * `CREATE DATABASE x TEMPLATE`.
 */
export async function createTestDatabase(template = inject('template')): Promise<TestDatabase> {
  const admin = new pg.Client({ connectionString: inject('postgresUrl') })
  await admin.connect()
  const name = `assay_test_${randomBytes(6).toString('hex')}`
  await admin.query(`CREATE DATABASE ${name} TEMPLATE ${template}`)
  const url = new URL(inject('postgresUrl'))
  url.pathname = name
  const database = openDatabase(url.href)
  const prisma = openPrisma(database)
  afterAll(async () => {
    await prisma.$disconnect()
    await database.close()
    await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    await admin.end()
  })
  return { ...database, prisma, url: url.href }
}
