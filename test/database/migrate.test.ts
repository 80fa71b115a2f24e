import { expect, test } from 'vitest'
import { migrate, readSchemaState } from '../../src/database/migrate.ts'
import { createTestDatabase } from '../support/database.ts'

const database = await createTestDatabase()

test('a migrated database has no pending migrations, and migrating again applies none', async () => {
  expect(await readSchemaState(database.pool)).toEqual({ pending: [], unknown: [] })
  expect(await migrate(database.pool)).toEqual([])
})

test('a database that a newer program has migrated is refused with a sentence, and left as it is', async () => {
  const newer = await createTestDatabase()
  await newer.pool.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('new', '', '9999_new', now())`,
  )
  expect(await readSchemaState(newer.pool)).toEqual({ pending: [], unknown: ['9999_new'] })
  await expect(migrate(newer.pool)).rejects.toMatchObject({
    exitCode: 78,
    message: expect.stringMatching(/^The database is of a newer version of the program\. .*9999_new\. Start the newer/),
  })
})

test('a database of a version that was never released is refused with a sentence that says to begin anew', async () => {
  const older = await createTestDatabase()
  await older.pool.query(`UPDATE _prisma_migrations SET migration_name = '0001_ledger'`)
  await expect(migrate(older.pool)).rejects.toMatchObject({
    exitCode: 78,
    message:
      'The database is of a version of the program that was never released. It cannot be migrated: begin anew with an empty database.',
  })
})
