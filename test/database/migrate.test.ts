import { expect, test } from 'vitest'
import { migrate, pendingMigrations } from '../../src/database/migrate.ts'
import { createTestDatabase } from '../support/database.ts'

const database = await createTestDatabase()

test('a migrated database has nothing pending and migrating again applies nothing', async () => {
  expect(await pendingMigrations(database.pool)).toEqual([])
  expect(await migrate(database.pool)).toEqual([])
})
