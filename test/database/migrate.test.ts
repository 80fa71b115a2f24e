import { expect, test } from 'vitest'
import { migrate, pendingMigrations } from '../../src/database/migrate.ts'
import { createTestDatabase } from '../support/database.ts'

const database = await createTestDatabase()

test('a migrated database has no pending migrations, and migrating again applies none', async () => {
  expect(await pendingMigrations(database.pool)).toEqual([])
  expect(await migrate(database.pool)).toEqual([])
})

test('every column of every model can be read from the migrated database', async () => {
  const models = Object.entries(database.prisma).filter(
    ([name, model]) => !/^[$_]/.test(name) && typeof (model as { findFirst?: unknown }).findFirst === 'function',
  )
  expect(models.length).toBeGreaterThan(20)
  for (const [, model] of models) {
    await expect((model as unknown as { findFirst(): Promise<unknown> }).findFirst()).resolves.toBeNull()
  }
})
