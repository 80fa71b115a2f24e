import { expect, test } from 'vitest'
import { migrate, pendingMigrations } from '../../src/database/migrate.ts'
import { createTestDatabase } from '../support/database.ts'

const database = await createTestDatabase()

test('a migrated database has no pending migrations, and migrating again applies none', async () => {
  expect(await pendingMigrations(database.pool)).toEqual([])
  expect(await migrate(database.pool)).toEqual([])
})
